import LonghandTranscripts

extension TranscriptStore {
  /// The segments whose paragraphs depend on no others than these and those of the group before.
  private static let paragraphGroup = 64

  /// The IDs of the segments of a session that a paragraph begins with, among those with these numbers. A paragraph goes on for
  /// no more than two groups of segments.
  ///
  /// - Throws: `StoreError`.
  package func paragraphStarts(of session: String, in numbers: Range<Int>) throws -> Set<Int> {
    try read { database in
      try self.paragraphStarts(of: self.number(of: session, in: database), in: numbers, in: database)
    }
  }

  func paragraphStarts(
    of session: Int, in numbers: Range<Int>, in database: StoreDatabase
  ) throws -> Set<Int> {
    let (first, segments) = try segments(near: numbers, of: session, in: database)
    return Self.paragraphStarts(of: segments, from: first, in: numbers)
  }

  /// - Parameter first: the number of the first of the segments.
  static func paragraphStarts(of segments: [Segment], from first: Int, in numbers: Range<Int>) -> Set<Int> {
    guard let last = numbers.last else { return [] }
    let groups = numbers.lowerBound / paragraphGroup...last / paragraphGroup
    return groups.reduce(into: []) { starts, group in
      let own = (group * paragraphGroup..<(group + 1) * paragraphGroup).clamped(to: numbers)
      let near = segments.indices.clamped(
        to: (group - 1) * paragraphGroup - first..<(group + 1) * paragraphGroup - first)
      for index in Paragraph.starts(of: segments[near]) where own ~= first + near.lowerBound + index {
        starts.insert(segments[near.lowerBound + index].id)
      }
    }
  }

  /// Segments of a session with their speakers, with those before them on which their paragraphs depend, and the one after them.
  func segments(
    near numbers: Range<Int>, of session: Int, in database: StoreDatabase
  ) throws -> (first: Int, segments: [Segment]) {
    let first = max(0, numbers.lowerBound / Self.paragraphGroup - 1) * Self.paragraphGroup
    let near = try segments(
      of: session, from: first, limit: numbers.upperBound + 1 - first, in: database)
    return (first, try labelled(near, of: session, in: database))
  }
}
