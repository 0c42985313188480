import Foundation
import Speech
import Testing

@testable import Longhand

@Suite struct RecognitionTaskErrorTests {
  private static func meaning(
    _ domain: String, _ code: Int, _ information: [String: Any] = [:]
  ) -> RecognitionTaskError.Meaning {
    let information = information.merging([NSLocalizedDescriptionKey: "why"]) { $1 }
    return RecognitionTaskError.meaning(of: NSError(domain: domain, code: code, userInfo: information))
  }

  @Test func withoutSpeechNothingIsWrong() {
    #expect(Self.meaning("kAFAssistantErrorDomain", 1110) == .nothingSaid)
  }

  @Test(arguments: [
    ("kLSRErrorDomain", 300), ("kLSRErrorDomain", 301), ("kAFAssistantErrorDomain", 203),
    ("kAFAssistantErrorDomain", 1100), ("kAFAssistantErrorDomain", 1101), ("kAFAssistantErrorDomain", 1107),
    ("kAFAssistantErrorDomain", 209), ("kAFAssistantErrorDomain", 216), ("kLSRErrorDomain", 1110),
    ("SFSpeechErrorDomain", 1), ("SFSpeechErrorDomain", 12), ("elsewhere", 1700), ("elsewhere", 1110),
  ])
  func anotherTaskMayDoBetter(_ domain: String, _ code: Int) {
    #expect(Self.meaning(domain, code) == .again("why"))
  }

  @Test(arguments: [
    ("kLSRErrorDomain", 102), ("kLSRErrorDomain", 201), ("kAFAssistantErrorDomain", 1700),
    ("SFSpeechErrorDomain", 4), ("SFSpeechErrorDomain", 10),
  ])
  func whatIsMissingIsMissingTheNextTimeToo(_ domain: String, _ code: Int) {
    #expect(Self.meaning(domain, code) == .hopeless("why"))
  }

  @Test func partsThatFailedAreNamed() {
    let information: [String: Any] = [
      "SpeechFailedTimeRanges": [[1.5, 3], [7, 7], [9, 8]].map { $0.map(NSNumber.init(value:)) }
    ]
    #expect(
      Self.meaning("kAFAssistantErrorDomain", 203, information) == .parts([1.5...3, 7...7, 9...9], "why"))
  }

  @Test func ofAnotherKindOfErrorNothingIsAssumed() {
    guard case .again = RecognitionTaskError.meaning(of: CancellationError()) else {
      Issue.record("it is not tried again")
      return
    }
  }
}
