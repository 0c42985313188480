import Foundation

/// Turns what an engine tells into segments that are committed once, in order, and never change.
///
/// Engines repeat themselves: a final comes again after a recovery, and a rotation without a pause hears the seam
/// twice. What is a repetition is told by time and never by text alone, so that words that were said twice are
/// written twice.
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
    /// What has been heard so far.
    public var text: String

    /// Each field by its name.
    public init(start: TimeInterval, end: TimeInterval, text: String) {
      self.start = start
      self.end = end
      self.text = text
    }
  }

  /// What is being said and is not committed yet, if anything.
  public private(set) var active: Partial?
  /// The segment that was committed last. All that begins before its end has been told.
  public private(set) var last: Segment?

  /// An accumulator that goes on after `last`, the last segment that was committed; nil at the start of a recording.
  public init(resumingAfter last: Segment? = nil) { self.last = last }

  /// Takes what an engine tells, and returns the segment that is to be committed because of it, if any.
  ///
  /// Ids follow each other from 0, and no segment begins before the one before it has ended.
  public mutating func receive(_ event: TranscriptionEvent) -> Segment? {
    switch event {
    case .partial(let partial):
      // One that is late, about audio that has been committed meanwhile, says nothing new.
      if isNews(upTo: partial.end) { active = partial.text.isEmpty ? nil : partial }
      return nil
    case .final(let start, let end, let candidates, let selection):
      if let active, active.start < end { self.active = nil }
      guard end >= start, candidates.indices.contains(selection.index), isNews(upTo: end),
        !isRepeated(candidates[selection.index].text, from: start, to: end),
        let segment = segment(start, end, candidates, selection)
      else { return nil }
      last = segment
      return segment
    case .processed, .progress, .failed, .detected, .restarted: return nil
    }
  }

  private func isNews(upTo end: TimeInterval) -> Bool { last.map { end > $0.end } ?? true }

  /// Whether it is the last segment once more: the same text for, mostly, the same audio.
  private func isRepeated(_ text: String, from start: TimeInterval, to end: TimeInterval) -> Bool {
    guard let last, last.text == text else { return false }
    let shared = min(end, last.end) - max(start, last.start)
    return shared > 0.5 * min(end - start, last.end - last.start)
  }

  private func segment(
    _ start: TimeInterval, _ end: TimeInterval, _ candidates: [Candidate], _ selection: Segment.Selection
  ) -> Segment? {
    let begin = max(start, last?.end ?? start)
    let chosen = candidates[selection.index]
    guard let kept = trimmed(chosen, start, end), !kept.text.isEmpty else { return nil }
    var segment = Segment(id: (last?.id ?? -1) + 1, start: begin, end: end, candidates: [kept])
    segment.selection.rule = selection.rule
    guard begin > start else {
      (segment.candidates, segment.selection) = (candidates, selection)
      return segment
    }
    // Where words were cut off, only readings that could be cut stand beside the chosen one.
    let isWhole = kept == chosen
    let before = candidates[..<selection.index].compactMap { alternative($0, isWhole, start, end) }
    let after = candidates[(selection.index + 1)...].compactMap { alternative($0, isWhole, start, end) }
    segment.candidates = before + [kept] + after
    segment.selection.index = before.count
    return segment
  }

  private func alternative(
    _ candidate: Candidate, _ isWhole: Bool, _ start: TimeInterval, _ end: TimeInterval
  ) -> Candidate? {
    guard candidate.words.isEmpty else { return trimmed(candidate, start, end) }
    return isWhole ? candidate : nil
  }

  /// What a candidate says after what has been committed: the words whose middle lies there, with the times that the
  /// recognizer gave them. Without word times it is one word as long as the whole.
  private func trimmed(_ candidate: Candidate, _ start: TimeInterval, _ end: TimeInterval) -> Candidate? {
    guard let committed = last?.end, start < committed else { return candidate }
    guard !candidate.words.isEmpty else { return (start + end) / 2 < committed ? nil : candidate }
    var kept = candidate
    kept.words.removeAll { ($0.start + $0.end) / 2 < committed }
    guard kept.words.count < candidate.words.count else { return candidate }
    kept.text = kept.words.map(\.text).joined(separator: " ")
    return kept.words.isEmpty ? nil : kept
  }
}
