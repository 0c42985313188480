import Foundation
import Longhand

/// What stands in the library of a session.
struct SweepStored: Sendable {
  let segments: [Segment]
  let spans: [CoverageSpan]
  /// Ids of segments with more than one text.
  let revised: [Int]

  init(_ library: Library, _ session: String) throws {
    segments = try library.store.transcript(of: session).segments
    spans = try library.store.coverageSpans(of: session)
    revised = try segments.map(\.id).filter { try library.store.revisions(of: $0, in: session).count != 1 }
  }
}
