import Foundation
import Longhand
import Synchronization
import Testing

@testable import LonghandTranscription

/// The installation of the models that Apple's analyzer needs, with what stands in for the system.
@Suite struct SpeechAssetsTests {
  private struct Refused: Error, LocalizedError { var errorDescription: String? { "There is no network." } }

  /// One test, because all installations report to the same observer.
  @Test func installationReportsItsProgressAndWhyItFails() async throws {
    let reports = Mutex<[String: [Double]]>([:])
    SpeechAssets.observe { locale, fraction in
      reports.withLock { $0[locale, default: []].append(fraction) }
    }
    try await SpeechAssets.install("xx-AA") { nil }
    try await SpeechAssets.install("xx-BB") {
      let progress = Progress(totalUnitCount: 4)
      progress.completedUnitCount = 1
      return (
        progress,
        {
          // Until the progress is reported.
          while reports.withLock({ $0["xx-BB"] }) == nil { await Task.yield() }
        }
      )
    }
    let error = await #expect(throws: TranscriptionError.self) {
      try await SpeechAssets.install("xx-CC") { throw Refused() }
    }
    #expect(reports.withLock { $0["xx-AA"] } == nil)
    #expect(reports.withLock { $0["xx-BB"] } == [0.25, 1])
    #expect(reports.withLock { $0["xx-CC"] } == nil)
    guard case .notInstalled(let why, let hint)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(why.contains("xx-CC"))
    #expect(why.contains("There is no network."))
    #expect(hint == TranscriptionError.installation)
  }
}
