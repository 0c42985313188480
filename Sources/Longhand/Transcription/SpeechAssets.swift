import Foundation
import Speech
import Synchronization

/// The models of Apple's analyzer, which the system installs when a program asks for them. On Linux `longhand models` does.
package enum SpeechAssets {
  private static let observer = Mutex<(@Sendable (_ locale: String, _ fraction: Double) -> Void)?>(nil)

  /// Reports the progress of installations, 0 to 1, with the language.
  package static func observe(_ report: @escaping @Sendable (_ locale: String, _ fraction: Double) -> Void) {
    observer.withLock { $0 = report }
  }

  /// Installs the model of a language, unless it is installed or the system has none.
  /// - Throws: `TranscriptionError.notInstalled`.
  @available(macOS 26, iOS 26, *)
  static func install(for locale: Locale) async throws(TranscriptionError) {
    guard let supported = await SpeechTranscriber.supportedLocale(equivalentTo: locale) else { return }
    let name = supported.identifier(.bcp47)
    do {
      let transcriber = SpeechTranscriber(locale: supported, preset: .transcription)
      guard let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) else {
        return
      }
      let progress = request.progress
      let reports = Task {
        while !Task.isCancelled {
          observer.withLock { $0 }?(name, progress.fractionCompleted)
          try await Task.sleep(for: .milliseconds(500))
        }
      }
      defer { reports.cancel() }
      try await request.downloadAndInstall()
      observer.withLock { $0 }?(name, 1)
    } catch {
      throw .notInstalled(
        "The system could not install its speech model for \(name): \(error.localizedDescription)",
        hint: TranscriptionError.installation)
    }
  }
}
