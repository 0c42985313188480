import Foundation
import LonghandTranscription
import LonghandTranscripts

/// The changes of a transcript by a new decoding of its recording: a pure value.
struct TranscriptRevision: Sendable {
  /// A segment of the new transcript.
  fileprivate struct Item: Sendable {
    /// The versions of the old segment, the oldest first; empty if there was none.
    let versions: [SegmentRevision]
    /// What was recognized; nil if nothing was.
    var segment: Segment?
    /// The channel of the recording; nil for the mix of all.
    var channel: Int? { versions.last.map(\.segment.channel) ?? segment?.channel }
    /// What a person chose, and a new decoding does not replace.
    var own: Segment? {
      versions.last.flatMap { $0.author == .person && takenBack == nil ? $0.segment : nil }
    }
    /// A segment that a person divided off another one and took back: all words there are the other one's. One whose
    /// words a person deleted has a length.
    var takenBack: Segment? {
      guard versions.first?.author == .person, let last = versions.last?.segment, last.text.isEmpty,
        last.start == last.end
      else { return nil }
      return last
    }
  }

  private var items: [Item]

  /// - Parameters:
  ///   - old: the versions of each segment of the transcript, the oldest first.
  ///   - recognized: the segments of the new decoding, in order.
  init(of old: [[SegmentRevision]], by recognized: [Segment]) {
    items = old.map { Item(versions: $0, segment: nil) }
    var added: [(segment: Segment, position: Int)] = []
    // What one channel says does not take the place of what another one says.
    let channels = Set(items.map(\.channel)).union(recognized.map(\.channel))
    for channel in channels.sorted(by: { ($0 ?? -1) < ($1 ?? -1) }) {
      let all = items.indices.filter { items[$0].channel == channel }
      let own = all.filter { items[$0].takenBack == nil }
      let ranges = own.map { index in
        let segments = old[index].map(\.segment)
        let start = segments.map(\.start).min() ?? 0
        return start...max(start, segments.map(\.end).max() ?? start)
      }
      let alignment = SegmentAlignment(of: recognized.filter { $0.channel == channel }, to: ranges)
      for (index, segment) in zip(own, alignment.revised) {
        items[index].segment = segment
        items[index].segment?.channel = channel
      }
      added += alignment.added.map { segment, position in
        (segment, position < own.count ? own[position] : all.last.map { $0 + 1 } ?? items.count)
      }
    }
    // Without a segment of their own channel before them they are placed by their time.
    for index in added.indices where channels.count > 1 {
      let start = added[index].segment.start
      added[index].position =
        items.firstIndex { $0.versions.last.map { $0.segment.start > start } ?? false } ?? items.count
    }
    added.sort { ($0.position, $0.segment.start) < ($1.position, $1.segment.start) }
    for (segment, position) in added.reversed() {
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
    var positions: [Int?: TimeInterval] = [:]
    var last: Int?
    let limits = limits()
    for (item, limit) in zip(items, limits) {
      let position = positions[item.channel] ?? -.infinity
      if let empty = item.takenBack {
        let time = position.isFinite ? position : empty.start
        if item.isElsewhere(time) { edits.append(.leaveEmpty(empty.id, at: time)) }
        last = empty.id
        continue
      }
      let new = item.placed(in: position...max(position, limit))
      let current = item.own ?? new
      positions[item.channel] = max(position, current.end)
      if !current.text.isEmpty { transcribed.append((current.range, .transcribed, "")) }
      if let id = item.versions.last?.segment.id {
        if item.isNews(new) { edits.append(.revise(id, new)) }
        last = id
      } else {
        edits.append(.insert(after: last, new))
      }
    }
    return (edits, transcribed)
  }

  /// For each item, where the next segment begins that does not change.
  private func limits() -> [TimeInterval] {
    var limits: [Int?: TimeInterval] = [:]
    return items.reversed().map { item in
      defer { limits[item.channel] = item.own?.start ?? limits[item.channel] }
      return limits[item.channel] ?? .infinity
    }.reversed()
  }
}

extension TranscriptRevision.Item {
  /// The new segment between its neighbours. Without words it has no duration.
  fileprivate func placed(in bounds: ClosedRange<TimeInterval>) -> Segment {
    let start = versions.last?.segment.start ?? 0
    var placed =
      segment
      ?? Segment(
        id: 0, start: start, end: start, candidates: [Candidate(text: "", words: [])],
        channel: channel)
    placed.enclose(within: own == nil ? bounds : -.infinity ... .infinity, widens: placed.selection.index > 0)
    return placed
  }

  /// Whether a segment that was taken back has another time, or words of an earlier decoding.
  fileprivate func isElsewhere(_ time: TimeInterval) -> Bool {
    let recognized = versions.last { $0.author == .recognizer }?.segment
    return versions.last?.segment.start != time || recognized.map { !$0.text.isEmpty } ?? false
  }

  /// Whether the new segment differs from what the recognizer made of these seconds last.
  fileprivate func isNews(_ new: Segment) -> Bool {
    guard let last = versions.last(where: { $0.author == .recognizer })?.segment else { return true }
    return new.candidates != last.candidates || new.selection.index != last.selection.index
      || new.range != last.range
  }
}
