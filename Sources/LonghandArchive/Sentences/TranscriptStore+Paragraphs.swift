import LonghandTranscripts

extension TranscriptStore {
  /// The segments whose paragraphs depend on no others than these and those of the group before.
  private static let paragraphGroup = 64

  /// The IDs of the segments of a session that a paragraph begins with, among these. The time does not depend on the length
  /// of the session: a paragraph goes on for no more than two groups of segments.
  ///
  /// - Throws: `StoreError`.
  package func paragraphStarts(of session: String, in ids: Range<Int>) throws -> Set<Int> {
    guard let last = ids.last else { return [] }
    let groups = ids.lowerBound / Self.paragraphGroup...last / Self.paragraphGroup
    let segments = try segments(near: ids, of: session)
    return groups.reduce(into: []) { starts, group in
      let own = group * Self.paragraphGroup..<(group + 1) * Self.paragraphGroup
      let near = segments.lazy.filter { own.lowerBound - Self.paragraphGroup..<own.upperBound ~= $0.id }
      starts.formUnion(Paragraph.starts(of: near).filter { own ~= $0 && ids ~= $0 })
    }
  }

  /// Segments of a session, those before them on which their paragraphs depend, and the one after them.
  func segments(near ids: Range<Int>, of session: String) throws -> [Segment] {
    let first = max(0, ids.lowerBound / Self.paragraphGroup - 1) * Self.paragraphGroup
    return try segments(of: session, from: first, limit: ids.upperBound + 1 - first)
  }
}
