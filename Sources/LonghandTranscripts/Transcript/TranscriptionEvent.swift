import Foundation

/// What an engine reports of the audio that it processes. Times are seconds from the start of the audio.
package enum TranscriptionEvent: Sendable, Hashable {
  /// What was recognized so far of speech that continues; replaces the partial before.
  case partial(TranscriptAccumulator.Partial)
  /// What was said: the candidates, the recognizer's first choice first, at least one, and which of them is chosen. It
  /// does not change any more.
  case final(
    start: TimeInterval, end: TimeInterval, candidates: [Candidate],
    selection: Segment.Selection = .recognizer)
  /// Everything that was said before this time has been reported: after a crash the work can continue here.
  case processed(TimeInterval)
  /// The recognizer has reached this time; what was said there is reported soon.
  case progress(TimeInterval)
  /// The recognizer failed on this range in every attempt; the text says why.
  case failed(ClosedRange<TimeInterval>, String)
  /// Something was detected in this range, whatever words come of it: "speech" or, if the engine does not detect speech,
  /// "sound".
  case detected(ClosedRange<TimeInterval>, String)
  /// The audio is loud in this range, whether it is speech or not.
  case sound(ClosedRange<TimeInterval>)
  /// The recognizer had to start again at this time; the text says why.
  case restarted(TimeInterval, String)
  /// These words were recognized and removed.
  case rejected(RejectedWords)
  /// The channels have opposite phases in this range, so one of them is recognized instead of their mix.
  case oppositePhase(ClosedRange<TimeInterval>)
  /// In this range another engine recognizes, because the first one failed; the text says why.
  case engineChanged(ClosedRange<TimeInterval>, String)
  /// Something that readers of the transcript should know.
  case warning(TranscriptWarning)
  /// An event of one channel, from 0, where each channel is recognized by itself. Never of `processed` and `progress`, which
  /// are about all channels.
  indirect case onChannel(Int, TranscriptionEvent)

  /// The event without its channel, and the channel; nil for the mix of all channels.
  package var unwrapped: (event: TranscriptionEvent, channel: Int?) {
    guard case .onChannel(let channel, let event) = self else { return (self, nil) }
    return (event, channel)
  }
}

extension TranscriptionEvent {
  /// Whether the times of a final can be; other events are always possible.
  package var isPossible: Bool {
    guard case .final(let start, let end, let candidates, _) = self else { return true }
    return TimeInterval.arePossible(start, end) && candidates.allSatisfy { $0.defect == nil }
  }

  /// What was said, from the first word to the last of the best candidate; nil if no word was recognized.
  package static func final(_ candidates: [Candidate]) -> TranscriptionEvent? {
    guard let first = candidates.first?.words.first, let last = candidates.first?.words.last else {
      return nil
    }
    return .final(start: first.start, end: last.end, candidates: candidates.inOrderOfConfidence)
  }

  /// What was rejected, from its first word to its last; nil if it has no words, or impossible times.
  package static func rejected(_ words: [Word], by rule: RejectedWords.Rule) -> TranscriptionEvent? {
    guard let first = words.first, let last = words.last, TimeInterval.arePossible(first.start, last.end)
    else { return nil }
    let text = words.map(\.text).joinedWords()
    guard rule == .repetition else {
      return .rejected(RejectedWords(text: text, start: first.start, end: last.end, rule: rule))
    }
    return .warning(.repetition(text, first.start...last.end, isKept: false))
  }
}

extension [Candidate] {
  /// In their order, which is the recognizer's: no alternative is more confident than what was preferred to it.
  var inOrderOfConfidence: [Candidate] {
    var candidates = self
    for index in candidates.indices.dropFirst() {
      guard let own = candidates[index].confidence, let better = candidates[index - 1].confidence else {
        continue
      }
      candidates[index].confidence = Swift.min(own, better)
    }
    return candidates
  }
}
