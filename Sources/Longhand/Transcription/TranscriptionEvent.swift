import Foundation

/// What an engine tells of the sound that it listens to. Times are seconds from the start of the sound.
public enum TranscriptionEvent: Sendable, Hashable {
  /// What has been heard so far of speech that goes on; replaces the one before.
  case partial(TranscriptAccumulator.Partial)
  /// What was said: the candidates, the recognizer's first choice first, never none, and which of them stands. It does
  /// not change any more.
  case final(
    start: TimeInterval, end: TimeInterval, candidates: [Candidate],
    selection: Segment.Selection = .recognizer)
  /// What was said before this time has been told: listening may begin again here after a crash.
  case processed(TimeInterval)
  /// The recognizer has come so far; what was said there is told soon.
  case progress(TimeInterval)
  /// The recognizer failed on this stretch, again and again; the text says why.
  case failed(ClosedRange<TimeInterval>, String)
  /// Something was detected in this stretch, whatever words come of it: "speech" or, where the engine cannot tell,
  /// "sound".
  case detected(ClosedRange<TimeInterval>, String)
  /// The recognizer had to begin again at this time; the text says why.
  case restarted(TimeInterval, String)
}

extension TranscriptionEvent {
  /// What was said, from the first word to the last of the best candidate; nil if no word was heard.
  static func final(_ candidates: [Candidate]) -> TranscriptionEvent? {
    guard let first = candidates.first?.words.first, let last = candidates.first?.words.last else {
      return nil
    }
    return .final(start: first.start, end: last.end, candidates: candidates.inOrderOfConfidence)
  }
}

extension [Candidate] {
  /// In their order, which is the recognizer's: an alternative is not surer than what was preferred to it.
  var inOrderOfConfidence: [Candidate] {
    var candidates = self
    for index in candidates.indices.dropFirst() {
      candidates[index].confidence = Swift.min(candidates[index].confidence, candidates[index - 1].confidence)
    }
    return candidates
  }
}
