import Foundation
import Longhand
import Speech
import Testing

@testable import LonghandTranscription

@Suite struct RecognizerFailureTests {
  private static func failure(
    _ domain: String, _ code: Int, _ information: [String: Any] = [:]
  ) -> RecognizerFailure {
    let information = information.merging([NSLocalizedDescriptionKey: "why"]) { $1 }
    return RecognizerFailure(NSError(domain: domain, code: code, userInfo: information))
  }

  /// An error of an analyzer with an error of its recognizer as the cause.
  private static func analyzer(_ code: SFSpeechError.Code, _ cause: NSError) -> any Error {
    SFSpeechError(code, userInfo: [NSUnderlyingErrorKey: cause])
  }

  private static func ranges(_ key: String, _ pairs: [[Double]]) -> [String: Any] {
    [key: pairs.map { $0.map(NSNumber.init(value:)) }]
  }

  @Test func noSpeechIsNotAFailureOfATask() {
    #expect(Self.failure("kAFAssistantErrorDomain", 1110) == .noSpeech)
  }

  @Test func noSpeechIsAFailureOfAnAnalyzer() {
    // Silence does not end an analyzer.
    let cause = NSError(domain: "kAFAssistantErrorDomain", code: 1110)
    guard case .transient = RecognizerFailure(Self.analyzer(.internalServiceError, cause)) else {
      Issue.record("the analyzer counts as finished")
      return
    }
  }

  @Test(arguments: [
    ("kLSRErrorDomain", 301), ("kAFAssistantErrorDomain", 203), ("kAFAssistantErrorDomain", 1100),
    ("kLSRErrorDomain", 1110), ("SFSpeechErrorDomain", 1), ("SFSpeechErrorDomain", 12), ("elsewhere", 1700),
    ("elsewhere", 1110),
  ])
  func transientFailureIsRetried(_ domain: String, _ code: Int) {
    #expect(Self.failure(domain, code) == .transient("why"))
  }

  /// `ErrorTableTests` tests what follows from each reaction.
  @Test(arguments: [
    ("kAFAssistantErrorDomain", 209, RecognizerFailure.Reaction.checkInput),
    ("kAFAssistantErrorDomain", 216, .cancelAll), ("kAFAssistantErrorDomain", 1101, .wait),
    ("kAFAssistantErrorDomain", 1107, .wait), ("SiriSpeechErrorDomain", 0, .useDevice),
  ])
  func transientFailureHasItsReaction(
    _ domain: String, _ code: Int, _ reaction: RecognizerFailure.Reaction
  ) {
    #expect(Self.failure(domain, code) == .transient("why", reaction))
  }

  @Test(arguments: [
    ("kLSRErrorDomain", 102), ("kLSRErrorDomain", 201), ("kLSRErrorDomain", 300), ("SFSpeechErrorDomain", 4),
    ("SFSpeechErrorDomain", 10),
  ])
  func missingRecognizerIsReportedWithItsRemedy(_ domain: String, _ code: Int) {
    let hint = "Run 'make setup build' to install it; 'longhand doctor' shows what is missing."
    #expect(Self.failure(domain, code) == .permanent(.notInstalled("why", hint: hint)))
  }

  @Test func forbiddenRecognizerIsNotRetried() {
    #expect(Self.failure("kAFAssistantErrorDomain", 1700) == .permanent(.notAuthorized("why")))
  }

  @Test func unreadableAudioIsNotRetried() {
    #expect(Self.failure("SFSpeechErrorDomain", 2) == .permanent(.undecodable("why")))
    #expect(RecognizerFailure(TranscriptionError.noAudio) == .permanent(.noAudio))
  }

  @Test func failedRangesAreReported() {
    let information = Self.ranges("SpeechFailedTimeRanges", [[1.5, 3], [7, 7], [9, 8]])
    #expect(
      Self.failure("kAFAssistantErrorDomain", 203, information) == .ranges([1.5...3, 7...7, 9...9], "why"))
  }

  @Test func analyzerErrorHasTheFailedRangesOfItsCause() {
    let cause = NSError(
      domain: "kAFAssistantErrorDomain", code: 203,
      userInfo: Self.ranges("SpeechFailedTimeRanges", [[1, 2]]))
    let error = Self.analyzer(.moduleOutputFailed, cause)
    guard case .ranges([1...2], _) = RecognizerFailure(error) else {
      Issue.record("\(RecognizerFailure(error))")
      return
    }
    #expect((error as NSError).allFailedRanges == [1...2])
  }

  /// Also for a last error that itself means failed ranges.
  @Test(arguments: [203, 209, 1107]) func earlierFailedRangesAreKept(_ code: Int) {
    let last = NSError(
      domain: "kAFAssistantErrorDomain", code: code,
      userInfo: Self.ranges("SpeechEarlierFailedTimeRanges", [[3, 4]]))
    let error = Self.analyzer(.internalServiceError, last)
    guard case .transient = RecognizerFailure(error) else {
      Issue.record("\(RecognizerFailure(error))")
      return
    }
    #expect((error as NSError).allFailedRanges == [3...4])
  }

  @Test func unknownErrorIsRetried() {
    guard case .transient = RecognizerFailure(CancellationError()) else {
      Issue.record("it is not tried again")
      return
    }
  }
}
