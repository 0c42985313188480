#if canImport(SwiftUI)
  import Longhand
  import SwiftUI

  /// A transcript that grows: what is final in plain text, what may still change in grey italics. It follows new text until
  /// the reader scrolls back. All sizes follow Dynamic Type, and VoiceOver reads the time of each row.
  struct TranscriptView: View {
    let model: TranscriptViewModel

    private static let end = "end"

    var body: some View {
      ScrollViewReader { proxy in
        ScrollView {
          LazyVStack(alignment: .leading, spacing: 12) {
            ForEach(model.rows) { TranscriptRowView(row: $0) }
            if let active = model.active {
              Text(model.activeText)
                .italic()
                .foregroundStyle(.secondary)
                .accessibilityLabel("Not final yet: \(active.text)")
            }
            Color.clear.frame(height: 1).id(Self.end)
              .onAppear { model.scrolled(isAtEnd: true) }
              .onDisappear { model.scrolled(isAtEnd: false) }
          }
          .frame(maxWidth: .infinity, alignment: .leading)
          .padding()
        }
        .onChange(of: model.rows.count) {
          if model.isFollowing { proxy.scrollTo(Self.end, anchor: .bottom) }
        }
        .overlay(alignment: .bottom) {
          if model.unseenRows > 0 {
            Button("\(model.unseenRows) new") {
              model.follow()
              proxy.scrollTo(Self.end, anchor: .bottom)
            }
            .buttonStyle(.borderedProminent)
            .padding()
          }
        }
      }
    }
  }

  /// One segment with its time. A correction draws this row only.
  private struct TranscriptRowView: View {
    let row: TranscriptRow

    private var time: Duration { .seconds(row.segment.start) }

    var body: some View {
      VStack(alignment: .leading, spacing: 2) {
        Text(time.formatted(.time(pattern: .hourMinuteSecond)))
          .font(.caption)
          .foregroundStyle(.secondary)
        Text(row.text)
          .font(.body)
          .textSelection(.enabled)
      }
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(row.segment.text)
      .accessibilityValue("At \(time.formatted(.units(allowed: [.hours, .minutes, .seconds])))")
    }
  }
#endif
