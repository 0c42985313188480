import LonghandTranscripts

extension TranscriptStore {
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
    let locale = try self.session(session, in: database).locale
    return Self.paragraphStarts(of: segments, locale, from: first, in: numbers)
  }

  /// - Parameter first: the number of the first of the segments.
  static func paragraphStarts(
    of segments: [Segment], _ locale: String, from first: Int, in numbers: Range<Int>
  ) -> Set<Int> {
    Set(
      Paragraph.starts(of: segments, in: locale, from: first).filter { numbers.contains(first + $0) }
        .map { segments[$0].id })
  }

  /// Segments of a session with their speakers, with those before them on which their paragraphs depend, and the one after them.
  func segments(
    near numbers: Range<Int>, of session: Int, in database: StoreDatabase
  ) throws -> (first: Int, segments: [Segment]) {
    let first = max(0, numbers.lowerBound / Paragraph.group - 1) * Paragraph.group
    let near = try segments(
      of: session, from: first, limit: numbers.upperBound + 1 - first, in: database)
    return (first, try labelled(near, of: session, in: database))
  }
}
