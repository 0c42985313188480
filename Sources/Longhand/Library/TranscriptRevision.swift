import Foundation

/// The changes of a transcript by a new decoding of its recording: a pure value.
struct TranscriptRevision: Sendable {
  /// A segment of the new transcript.
  fileprivate struct Item: Sendable {
    /// The versions of the old segment, the oldest first; empty if there was none.
    let versions: [SegmentRevision]
    /// What was recognized; nil if nothing was.
    var segment: Segment?
    /// What a person chose, and a new decoding does not replace.
    var own: Segment? { versions.last.flatMap { $0.author == .person ? $0.segment : nil } }
  }

  private var items: [Item]

  /// - Parameters:
  ///   - old: the versions of each segment of the transcript, the oldest first.
  ///   - recognized: the segments of the new decoding, in order.
  init(of old: [[SegmentRevision]], by recognized: [Segment]) {
    let ranges = old.map { versions in
      let start = versions.map(\.segment.start).min() ?? 0
      return start...max(start, versions.map(\.segment.end).max() ?? start)
    }
    let alignment = SegmentAlignment(of: recognized, to: ranges)
    items = zip(old, alignment.revised).map { Item(versions: $0, segment: $1) }
    for (segment, position) in alignment.added.reversed() {
      items.insert(Item(versions: [], segment: segment), at: position)
    }
  }

  /// Chooses among the candidates of each new segment, in order.
  mutating func elect(by reranker: CandidateReranker) async {
    var segments = items.compactMap(\.segment)
    await segments.elect(by: reranker)
    var next = segments.makeIterator()
    for index in items.indices where items[index].segment != nil { items[index].segment = next.next() }
  }

  /// The changes, and the parts of the recording that have text after them.
  func result() -> (edits: [SegmentEdit], transcribed: [CoverageSpan.Stretch]) {
    var edits: [SegmentEdit] = []
    var transcribed: [CoverageSpan.Stretch] = []
    var (position, id) = (-Double.infinity, 0)
    let limits = limits()
    for (item, limit) in zip(items, limits) {
      let new = item.placed(in: position...max(position, limit))
      let current = item.own ?? new
      position = max(position, current.end)
      if !current.text.isEmpty { transcribed.append((current.range, .transcribed, "")) }
      if item.versions.isEmpty {
        edits.append(.insert(id, new))
      } else {
        if item.isNews(new) { edits.append(.revise(id, new)) }
        id += 1
      }
    }
    return (edits, transcribed)
  }

  /// For each item, where the next segment begins that does not change.
  private func limits() -> [TimeInterval] {
    var limit = TimeInterval.infinity
    return items.reversed().map { item in
      defer { limit = item.own?.start ?? limit }
      return limit
    }.reversed()
  }
}

extension TranscriptRevision.Item {
  /// The new segment between its neighbours. Without words it has no duration.
  fileprivate func placed(in bounds: ClosedRange<TimeInterval>) -> Segment {
    let start = versions.last?.segment.start ?? 0
    var placed =
      segment ?? Segment(id: 0, start: start, end: start, candidates: [Candidate(text: "", words: [])])
    placed.enclose(within: own == nil ? bounds : -.infinity ... .infinity, widens: placed.selection.index > 0)
    return placed
  }

  /// Whether the new segment differs from what the recognizer made of these seconds last.
  fileprivate func isNews(_ new: Segment) -> Bool {
    guard let last = versions.last(where: { $0.author == .recognizer })?.segment else { return true }
    return new.candidates != last.candidates || new.selection.index != last.selection.index
      || new.range != last.range
  }
}
