import Foundation
import Longhand

/// The events of segments, as clients of the page get them.
struct SegmentEvents {
  let store: TranscriptStore

  /// The last segment of a session that has ended, with its last mark.
  func last(of session: String) throws -> Data? {
    try store.page(of: session, limit: 1).last.flatMap { try written($0.id, of: session) }
  }

  /// The event of a segment that clients have already.
  func written(_ id: Int, of session: String) throws -> Data? {
    let written = try store.writtenSegments(of: session, from: id, limit: 1)
    let normalized = try store.normalizedSegments(of: session, in: id..<id + 1)
    let starts = try store.paragraphStarts(of: session, in: id..<id + 1)
    return written.first.map { Self.writtenEvent($0, written: $1, normalized: normalized[id], starts) }
  }

  private static func writtenEvent(
    _ segment: Segment, written: Segment, normalized: NormalizedTranscript?, _ paragraphStarts: Set<Int>
  ) -> Data {
    ServerSentEvent.data(
      "written",
      JSONDocument().segment(
        segment, written: written, normalized: normalized,
        beginsParagraph: paragraphStarts.contains(segment.id)))
  }

  /// The events of changed segments. The segment before a changed one comes along as `written`: its last mark depends on what
  /// follows.
  func events(
    _ changes: [SegmentChange], of session: String
  ) throws -> [(sequence: Int, event: Data)] {
    let ids = Set(changes.map(\.segment.id))
    guard let first = ids.min(), let last = ids.max() else { return [] }
    let from = max(0, first - 1)
    let written = try store.writtenSegments(of: session, from: from, limit: last - from + 1)
    let normalized = try store.normalizedSegments(of: session, in: from..<last + 1)
    let starts = try store.paragraphStarts(of: session, in: from..<last + 1)
    let byID = Dictionary(uniqueKeysWithValues: written.map { ($0.segment.id, $0) })
    return changes.map { change in
      let before = change.segment.id - 1
      let written =
        ids.contains(before)
        ? nil
        : byID[before].map {
          Self.writtenEvent($0, written: $1, normalized: normalized[before], starts)
        }
      let current = byID[change.segment.id].flatMap { $0.segment == change.segment ? $0.written : nil }
      // A newer revision may be in the store.
      let isCurrent = byID[change.segment.id]?.segment.revision == change.segment.revision
      let segment = JSONDocument().segment(
        change.segment, written: current ?? change.segment,
        normalized: isCurrent ? normalized[change.segment.id] : nil,
        beginsParagraph: starts.contains(change.segment.id))
      let event = ServerSentEvent.data("segment", segment, id: change.sequence)
      return (change.sequence, event + (written ?? Data()))
    }
  }
}
