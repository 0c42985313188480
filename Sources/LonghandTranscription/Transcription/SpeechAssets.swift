import Foundation
import LonghandTranscripts
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
    try await install(supported.identifier(.bcp47)) {
      let transcriber = SpeechTranscriber(locale: supported, preset: .transcription)
      guard let request = try await AssetInventory.assetInstallationRequest(supporting: [transcriber]) else {
        return nil
      }
      return (request.progress, request.downloadAndInstall)
    }
  }

  /// Makes an installation, and reports its progress.
  /// - Parameter request: returns the progress and what installs; nil if nothing is to be installed.
  /// - Throws: `TranscriptionError.notInstalled`.
  static func install(
    _ name: String, _ request: () async throws -> (progress: Progress, install: () async throws -> Void)?
  ) async throws(TranscriptionError) {
    do {
      guard let (progress, install) = try await request() else { return }
      let reports = Task {
        while !Task.isCancelled {
          observer.withLock { $0 }?(name, progress.fractionCompleted)
          try await Task.sleep(for: .milliseconds(500))
        }
      }
      defer { reports.cancel() }
      try await install()
      observer.withLock { $0 }?(name, 1)
    } catch {
      throw .notInstalled(
        "The system could not install its speech model for \(name): \(error.localizedDescription)",
        hint: TranscriptionError.installation)
    }
  }
}
