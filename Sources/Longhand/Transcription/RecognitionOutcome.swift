import Foundation
import Speech

/// What an engine made of a file.
struct RecognitionOutcome: Sendable {
  /// In the order of the audio.
  var segments: [Segment] = []
  /// What could not be recognized, in seconds from the start of the audio.
  var failures: [ClosedRange<TimeInterval>] = []

  /// Adds what was heard in a stretch of audio: its candidates, the best first.
  /// - Returns: the segment that this makes; nil if no word was heard.
  @discardableResult mutating func add(_ candidates: [Candidate]) -> Segment? {
    guard case .final(let start, let end, let candidates, _) = TranscriptionEvent.final(candidates) else {
      return nil
    }
    let segment = Segment(id: segments.count, start: start, end: end, candidates: candidates)
    segments.append(segment)
    return segment
  }

  /// Takes note of the error that a recognition ended with, if all but some seconds was recognized, and of those.
  /// - Throws: `TranscriptionError` if there is more that was not.
  mutating func end(with error: any Error) throws {
    failures += (error as NSError).allFailedStretches
    try check(error as NSError, isCause: false)
  }

  private func check(_ error: NSError, isCause: Bool) throws {
    switch (error.domain, error.code) {
    case ("kAFAssistantErrorDomain", 1110) where !isCause && segments.isEmpty:
      // There was nothing to hear. An analyzer does not end for that, and neither does a task that has heard something:
      // then it ended before the audio did.
      return
    case ("kAFAssistantErrorDomain", 203) where !error.failedStretches.isEmpty:
      // On Linux the error says which parts of the audio failed; elsewhere it is all of it.
      return
    case ("kAFAssistantErrorDomain", _):
      throw TranscriptionError.recognizerFailed(error.localizedDescription)
    case ("kLSRErrorDomain", _), (SFSpeechErrorDomain, SFSpeechError.Code.noModel.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.assetLocaleNotAllocated.rawValue):
      throw TranscriptionError.notInstalled(error.localizedDescription, hint: "make setup build")
    case (SFSpeechErrorDomain, SFSpeechError.Code.moduleOutputFailed.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.internalServiceError.rawValue):
      // An analyzer's errors carry their causes.
      guard let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
        throw TranscriptionError.recognizerFailed(error.localizedDescription)
      }
      try check(cause, isCause: true)
    default:
      throw TranscriptionError.undecodable(error.localizedDescription)
    }
  }
}
