import SentenceFormatting

/// Some segments of a session as they are stored, with those around them on which the way they are written depends.
struct SegmentsInContext: Sendable {
  /// The segments that are wanted.
  let ids: Range<Int>
  /// These, the one after them, and the few before them that count.
  let segments: [Segment]
  let session: RecordedSession
  /// The names of the session's vocabulary and how they are spelled; nil if it has none.
  let spellings: Vocabulary?

  /// The segments that are wanted, each also written in sentences exactly as in the whole transcript. While the session
  /// continues, its last word has no mark.
  var written: [(segment: Segment, written: Segment)] {
    let isOpenEnd = segments.last.map { $0.id < ids.upperBound } ?? true
    let isOpen = isOpenEnd && !session.state.isFinal
    var writer = SentenceWriter(locale: session.locale, names: spellings?.writtenNames ?? [])
    let written = segments.flatMap { writer.append($0) } + writer.finish(isOpen: isOpen)
    return zip(segments, written).filter { ids ~= $0.0.id }.map { ($0.0, $0.1) }
  }
}

extension TranscriptStore {
  /// Segments from an ID on, in order, each also written in sentences exactly as in the whole transcript. The time does not
  /// depend on the length of the session. While the session continues, its last word has no mark.
  ///
  /// - Throws: `StoreError`.
  package func writtenSegments(
    of session: String, from id: Int, limit: Int
  ) throws -> [(segment: Segment, written: Segment)] {
    try segmentsInContext(of: session, from: id, limit: limit).written
  }

  /// Segments from an ID on, for `SegmentsInContext.written`.
  ///
  /// - Throws: `StoreError`.
  func segmentsInContext(of session: String, from id: Int, limit: Int) throws -> SegmentsInContext {
    let ids = id..<id + max(0, limit)
    let (segments, recorded, spellings) = try read { database in
      let number = try self.number(of: session, in: database)
      let segments = try self.segmentsInContext(of: number, ids, in: database)
      return (
        try self.labelled(segments, of: number, in: database), try self.session(number, in: database),
        try self.spellings(of: number, in: database)
      )
    }
    return SegmentsInContext(
      ids: ids, segments: segments, session: recorded, spellings: try spellings.map(Self.vocabulary))
  }

  private func segmentsInContext(
    of session: Int, _ ids: Range<Int>, in database: StoreDatabase
  ) throws -> [Segment] {
    var distance = 3 + SentenceWriter.memory
    while true {
      let first = max(0, ids.lowerBound - distance)
      let segments = try segments(
        of: session, from: first, limit: ids.upperBound - first + 1, in: database)
      var words = 0
      let context = segments.lastIndex { segment in
        if segment.id < ids.lowerBound { words += segment.text.split(separator: " ").count }
        return words >= SentenceFormatter.memory
      }
      // Those before them decide whether these are written by rules.
      if let context, context >= SentenceWriter.memory {
        return Array(segments[(context - SentenceWriter.memory)...])
      }
      if first == 0 { return segments }
      distance *= 2
    }
  }
}
