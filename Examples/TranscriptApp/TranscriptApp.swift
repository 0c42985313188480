#if canImport(SwiftUI)
  import Longhand
  import SwiftUI

  /// Records the microphone and shows the transcript as it grows.
  struct TranscriptApp: App {
    var body: some Scene {
      WindowGroup { RecordingView() }
    }
  }

  private struct RecordingView: View {
    @State private var model = TranscriptViewModel()
    @State private var session: LiveSession?
    @State private var controls = RecordingControls()
    @Environment(\.openURL) private var openURL
    @Environment(\.accessibilityReduceMotion) private var reducesMotion

    var body: some View {
      VStack {
        TranscriptView(model: model)
        if let problem = controls.problem {
          Text(problem).foregroundStyle(.red)
          if let settings = controls.settings?.url {
            Button("Open Settings") { openURL(settings) }
          }
        }
        if controls.phase == .recording { level }
        Button(controls.buttonTitle) {
          if let session { stop(session) } else { Task { await record() } }
        }
        .accessibilityHint(controls.buttonHint)
        .disabled(!controls.isEnabled)
        .keyboardShortcut(.space, modifiers: [])
        .padding()
      }
    }

    private var level: some View {
      let reading = LevelReading(decibels: model.level)
      return ProgressView(value: reading.fraction)
        .animation(
          .linear(duration: LevelReading.animation(reducesMotion: reducesMotion)), value: reading.fraction
        )
        .accessibilityLabel("Level")
        .accessibilityValue(reading.description)
        .padding(.horizontal)
    }

    private func announce(_ text: String?) {
      if let text { AccessibilityNotification.Announcement(text).post() }
    }

    private func stop(_ session: LiveSession) {
      announce(controls.enter(.stopping))
      try? session.stop()
    }

    /// Asks for both permissions the first time. The system shows the texts of `Info.plist`.
    private func record() async {
      announce(controls.enter(.starting))
      do {
        let session = try await Library(at: Library.defaultLocation).record(from: EngineCapture())
        self.session = session
        announce(controls.enter(.recording))
        for await event in session.events { model.take(event) }
        _ = try await session.finished()
        announce(controls.enter(.ready))
      } catch {
        announce(controls.fail(error))
      }
      session = nil
    }
  }
#endif
