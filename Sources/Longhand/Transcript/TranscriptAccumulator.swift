import Foundation
import SentenceFormatting

/// Turns the events of an engine into segments that are committed once, in order, and never change.
///
/// Engines repeat results: a final result comes again after a recovery, a task that takes over without a pause recognizes
/// some words a second time, and a decoder that runs in a circle writes a sentence again. Repetitions are found by time and
/// never by text alone, so words that were said twice are kept twice: a sentence is left out only where the audio has no
/// room for it, see `Repetition`.
///
/// ```swift
/// var accumulator = TranscriptAccumulator(resumingAfter: try store.page(of: session, limit: 1).last)
/// for try await event in events {
///   if let segment = accumulator.receive(event) { try store.append(segment, to: session) }
///   show(accumulator.active)
/// }
/// ```
public struct TranscriptAccumulator: Sendable, Hashable {
  /// Text that may still change.
  public struct Partial: Sendable, Hashable {
    /// Seconds from the start of the audio.
    public var start: TimeInterval
    /// Seconds from the start of the audio; not before `start`.
    public var end: TimeInterval
    /// The text so far.
    public var text: String

    /// Creates a partial result.
    public init(start: TimeInterval, end: TimeInterval, text: String) {
      self.start = start
      self.end = end
      self.text = text
    }
  }

  /// The partial result that is not committed yet; nil if there is none.
  public private(set) var active: Partial?
  /// The last committed segment. All results that start before its end were processed.
  public private(set) var last: Segment?

  /// Creates an accumulator that continues after `last`, the last committed segment; nil at the start of a recording.
  public init(resumingAfter last: Segment? = nil) { self.last = last }

  /// Processes a result, and returns the segment to commit because of it, if any.
  ///
  /// IDs count up from 0, no segment starts before the end of the one before it, and all words of a segment lie inside it.
  package mutating func receive(_ event: TranscriptionEvent) -> Segment? {
    switch event {
    case .partial(let partial):
      // A late result about audio that was committed meanwhile is ignored.
      if isNew(upTo: partial.end) { active = partial.text.isEmpty ? nil : partial }
      return nil
    case .final(let start, let end, let candidates, let selection):
      if let active, active.start < end { self.active = nil }
      guard event.isPossible, candidates.indices.contains(selection.index), isNew(upTo: end),
        !isRepeated(candidates[selection.index].text, from: start, to: end),
        let segment = segment(start, end, candidates, selection)
      else { return nil }
      last = segment
      return segment
    case .processed, .progress, .failed, .detected, .sound, .restarted, .rejected, .oppositePhase,
      .engineChanged,
      .warning, .onChannel:
      return nil
    }
  }

  private func isNew(upTo end: TimeInterval) -> Bool { last.map { end > $0.end } ?? true }

  /// Whether a result repeats the last segment: the same words for mostly the same audio, with whatever marks.
  func isRepeated(_ text: String, from start: TimeInterval, to end: TimeInterval) -> Bool {
    guard let last else { return false }
    let shared = min(end, last.end) - max(start, last.start)
    return shared > 0.5 * min(end - start, last.end - last.start)
      && (last.text == text || CandidateWords.tokens(of: last.text) == CandidateWords.tokens(of: text))
  }

  private func segment(
    _ start: TimeInterval, _ end: TimeInterval, _ candidates: [Candidate], _ selection: Segment.Selection
  ) -> Segment? {
    let uncommitted = max(start, last?.end ?? start)
    let chosen = candidates[selection.index]
    guard let kept = trimmed(chosen, start, end), !kept.text.isEmpty else { return nil }
    var segment = Segment(id: (last?.id ?? -1) + 1, start: uncommitted, end: end, candidates: [kept])
    segment.selection.rule = selection.rule
    if uncommitted > start {
      // If words were cut off, only candidates that could be cut at the same time are kept.
      let isWhole = kept == chosen
      let before = candidates[..<selection.index].compactMap { alternative($0, isWhole, start, end) }
      let after = candidates[(selection.index + 1)...].compactMap { alternative($0, isWhole, start, end) }
      segment.candidates = before + [kept] + after
      segment.selection.index = before.count
    } else {
      (segment.candidates, segment.selection) = (candidates, selection)
    }
    segment.enclose(within: (last?.end ?? -.infinity)...(.infinity), widens: selection.index > 0)
    return segment
  }

  private func alternative(
    _ candidate: Candidate, _ isWhole: Bool, _ start: TimeInterval, _ end: TimeInterval
  ) -> Candidate? {
    guard candidate.words.isEmpty else { return trimmed(candidate, start, end) }
    return isWhole ? candidate : nil
  }

  /// The part of a candidate after the committed audio: the words whose middle is there, with the recognizer's times. A
  /// candidate without word times counts as one word.
  private func trimmed(_ candidate: Candidate, _ start: TimeInterval, _ end: TimeInterval) -> Candidate? {
    guard let committed = last?.end, start < committed else { return candidate }
    guard !candidate.words.isEmpty else { return (start + end) / 2 < committed ? nil : candidate }
    var kept = candidate
    kept.words.removeAll { ($0.start + $0.end) / 2 < committed }
    guard kept.words.count < candidate.words.count else { return candidate }
    kept.text = kept.words.map(\.text).joinedWords()
    return kept.words.isEmpty ? nil : kept
  }
}
