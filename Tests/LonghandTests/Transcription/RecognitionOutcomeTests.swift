import Foundation
import Speech
import Testing

@testable import Longhand

@Suite struct RecognitionOutcomeTests {
  private static func assistant(_ code: Int, _ information: [String: Any] = [:]) -> NSError {
    NSError(domain: "kAFAssistantErrorDomain", code: code, userInfo: information)
  }

  /// As an analyzer tells what a recognizer failed of.
  private static func analyzer(_ cause: NSError) -> any Error {
    SFSpeechError(.internalServiceError, userInfo: [NSUnderlyingErrorKey: cause])
  }

  @Test func aTaskThatHeardNothingHeardAll() throws {
    var outcome = RecognitionOutcome()
    try outcome.end(with: Self.assistant(1110))
    #expect(outcome.failures.isEmpty)
    #expect(outcome.segments.isEmpty)
  }

  @Test func oneThatHadHeardSomethingEndedBeforeTheSound() {
    var outcome = RecognitionOutcome()
    outcome.add([
      Candidate(text: "a", words: [Word(text: "a", start: 0, end: 1, confidence: 1)], confidence: 1)
    ])
    #expect(throws: TranscriptionError.self) { try outcome.end(with: Self.assistant(1110)) }
  }

  @Test func anAnalyzerDoesNotEndForSilence() {
    var outcome = RecognitionOutcome()
    #expect(throws: TranscriptionError.self) { try outcome.end(with: Self.analyzer(Self.assistant(1110))) }
  }

  @Test func partsThatFailedAreAllThatIsMissing() throws {
    var outcome = RecognitionOutcome()
    let parts = Self.assistant(203, ["SpeechFailedTimeRanges": [[1, 2]] as [[NSNumber]]])
    try outcome.end(with: SFSpeechError(.moduleOutputFailed, userInfo: [NSUnderlyingErrorKey: parts]))
    #expect(outcome.failures == [1...2])
  }

  /// Whatever the last error was: also one that by itself would mean that parts failed.
  @Test(arguments: [203, 209, 1107]) func whatFailedBeforeTheLastErrorIsKept(_ code: Int) {
    var outcome = RecognitionOutcome()
    let last = Self.assistant(code, ["SpeechEarlierFailedTimeRanges": [[3, 4]] as [[NSNumber]]])
    #expect(throws: TranscriptionError.self) { try outcome.end(with: Self.analyzer(last)) }
    #expect(outcome.failures == [3...4])
  }
}
