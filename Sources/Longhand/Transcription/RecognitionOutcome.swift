import Foundation
import Speech

/// What an engine made of a file.
struct RecognitionOutcome: Sendable {
  /// In the order of the audio.
  var segments: [Segment] = []
  /// What could not be recognized, in seconds from the start of the audio.
  var failures: [ClosedRange<TimeInterval>] = []

  /// Adds what was heard in a stretch of audio: its candidates, the best first.
  mutating func add(_ candidates: [Candidate]) {
    var candidates = candidates
    // They come in the recognizer's order, and an alternative is not surer than what was preferred to it.
    for index in candidates.indices.dropFirst() {
      candidates[index].confidence = min(candidates[index].confidence, candidates[index - 1].confidence)
    }
    guard let first = candidates.first?.words.first, let last = candidates.first?.words.last else { return }
    segments.append(Segment(id: segments.count, start: first.start, end: last.end, candidates: candidates))
  }

  /// Takes note of the error that a recognition ended with, if all but some seconds was recognized.
  /// - Throws: `TranscriptionError` if nothing was.
  mutating func end(with error: any Error) throws {
    let error = error as NSError
    switch (error.domain, error.code) {
    case ("kAFAssistantErrorDomain", 1110):
      return
    case ("kAFAssistantErrorDomain", 203):
      // On Linux the error says which parts of the audio failed; elsewhere it is all of it.
      guard let ranges = error.userInfo["SpeechFailedTimeRanges"] as? [[NSNumber]] else { fallthrough }
      failures += ranges.map { $0[0].doubleValue...max($0[0].doubleValue, $0[1].doubleValue) }
    case ("kAFAssistantErrorDomain", _):
      throw TranscriptionError.recognizerFailed(error.localizedDescription)
    case ("kLSRErrorDomain", _), (SFSpeechErrorDomain, SFSpeechError.Code.noModel.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.assetLocaleNotAllocated.rawValue):
      throw TranscriptionError.notInstalled(error.localizedDescription, hint: "make setup build")
    case (SFSpeechErrorDomain, SFSpeechError.Code.moduleOutputFailed.rawValue),
      (SFSpeechErrorDomain, SFSpeechError.Code.internalServiceError.rawValue):
      // An analyzer's errors carry their causes.
      guard let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error else {
        throw TranscriptionError.recognizerFailed(error.localizedDescription)
      }
      try end(with: cause)
    default:
      throw TranscriptionError.undecodable(error.localizedDescription)
    }
  }
}
