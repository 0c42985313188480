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
    @State private var problem: String?
    @Environment(\.openURL) private var openURL

    var body: some View {
      VStack {
        TranscriptView(model: model)
        if let problem {
          Text(problem).foregroundStyle(.red)
          if let settings = PrivacySettings.url {
            Button("Open Settings") { openURL(settings) }
          }
        }
        Button(session == nil ? "Record" : "Stop") {
          if let session { try? session.stop() } else { Task { await record() } }
        }
        .keyboardShortcut(.space, modifiers: [])
        .padding()
      }
    }

    /// Asks for both permissions the first time. The system shows the texts of `Info.plist`.
    private func record() async {
      do {
        let session = try await Library(at: Library.defaultLocation).record(from: EngineCapture())
        self.session = session
        problem = nil
        for await event in session.events { model.take(event) }
        _ = try await session.finished()
      } catch {
        problem = error.localizedDescription
      }
      session = nil
    }
  }
#endif
