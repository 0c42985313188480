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
    try store.shownSegments(of: session, [id]).first.map(Self.writtenEvent)
  }

  private static func writtenEvent(_ segment: ShownSegment) -> Data {
    ServerSentEvent.data("written", JSONDocument().segment(segment))
  }

  /// The events of changed segments. The segment before a changed one comes along as `written`: its last mark depends on what
  /// follows.
  func events(
    _ changes: [SegmentChange], of session: String
  ) throws -> [(sequence: Int, event: Data)] {
    let ids = Set(changes.map(\.segment.id))
    let shown = try store.shownSegments(of: session, ids, before: 1)
    let places = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1.segment.id, $0) })
    return changes.compactMap { change in
      guard let place = places[change.segment.id] else { return nil }
      var segment = shown[place]
      // A newer revision may be in the store.
      if segment.segment.revision != change.segment.revision {
        (segment.segment, segment.written, segment.normalized) = (change.segment, change.segment, nil)
      }
      var event = ServerSentEvent.data("segment", JSONDocument().segment(segment), id: change.sequence)
      if place > 0, shown[place - 1].number == segment.number - 1,
        !ids.contains(shown[place - 1].segment.id)
      {
        event += Self.writtenEvent(shown[place - 1])
      }
      return (change.sequence, event)
    }
  }
}
