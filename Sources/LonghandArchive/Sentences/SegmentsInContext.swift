import LonghandTranscripts
import LonghandVocabulary
import SentenceFormatting

/// Some segments of a session as they are stored, with those around them on which the way they are written depends.
struct SegmentsInContext: Sendable {
  /// The numbers of the segments that are wanted.
  let numbers: Range<Int>
  /// The number of the first of `segments`.
  let first: Int
  /// These, the one after them, and the few before them that count.
  let segments: [Segment]
  let session: RecordedSession
  /// The names of the session's vocabulary and how they are spelled; nil if it has none.
  let spellings: Vocabulary?

  /// The segments that are wanted, each also written in sentences exactly as in the whole transcript. While the session
  /// continues, its last word has no mark.
  var written: [(segment: Segment, written: Segment)] {
    let isOpen = first + segments.count <= numbers.upperBound && !session.state.isFinal
    var writer = SentenceWriter(locale: session.locale, names: spellings?.writtenNames ?? [])
    let written = segments.flatMap { writer.append($0) } + writer.finish(isOpen: isOpen)
    return zip(segments, written).dropFirst(numbers.lowerBound - first).prefix(numbers.count).map { ($0, $1) }
  }
}

extension TranscriptStore {
  /// Numbers of segments, as many as a session can have.
  static func numbers(_ first: Int, _ limit: Int) -> Range<Int> {
    let first = min(max(0, first), Int(Int32.max))
    return first..<first + min(max(0, limit), Int(Int32.max))
  }

  /// Segments with these numbers, for `SegmentsInContext.written`.
  func segmentsInContext(
    of session: Int, _ numbers: Range<Int>, in database: StoreDatabase
  ) throws -> SegmentsInContext {
    var distance = 3 + SentenceWriter.memory
    while true {
      var first = max(0, numbers.lowerBound - distance)
      var segments = try segments(
        of: session, from: first, limit: numbers.upperBound - first + 1, in: database)
      var words = 0
      let context = segments.indices.last { index in
        if first + index < numbers.lowerBound { words += segments[index].text.split(separator: " ").count }
        return words >= SentenceFormatter.memory
      }
      // Those before them decide whether these are written by rules.
      let surplus = context.map { $0 - SentenceWriter.memory } ?? -1
      if surplus >= 0 || first == 0 {
        segments.removeFirst(max(0, surplus))
        first += max(0, surplus)
        return SegmentsInContext(
          numbers: numbers, first: first, segments: try labelled(segments, of: session, in: database),
          session: try self.session(session, in: database),
          spellings: try spellings(of: session, in: database).map(Self.vocabulary))
      }
      distance *= 2
    }
  }

  /// Segments from a number on, in order.
  ///
  /// - Throws: `StoreError`.
  package func shownSegments(of session: String, from first: Int, limit: Int) throws -> [ShownSegment] {
    try read { database in
      try self.shown(self.number(of: session, in: database), Self.numbers(first, limit), in: database)
    }
  }

  /// Segments with these IDs, in order; those that are not there are left out.
  ///
  /// - Parameter before: how many segments before each are wanted too.
  /// - Throws: `StoreError`.
  package func shownSegments(
    of session: String, _ ids: some Sequence<Int>, before count: Int = 0
  ) throws -> [ShownSegment] {
    let ids = Array(ids)
    return try read { database in
      let session = try self.number(of: session, in: database)
      let known = try self.numbers(ofSegments: ids, session, in: database)
      let numbers = ids.compactMap { known[$0] }
      let wanted = Set(numbers.flatMap { max(0, $0 - count)...$0 }).sorted()
      return try wanted.runs.flatMap { try self.shown(session, $0, in: database) }
    }
  }

  private func shown(
    _ session: Int, _ numbers: Range<Int>, in database: StoreDatabase
  ) throws -> [ShownSegment] {
    let written = try segmentsInContext(of: session, numbers, in: database).written
    let numbers = numbers.prefix(written.count)
    let normalized = try normalizedSegments(of: session, numbers, in: database)
    let starts = try paragraphStarts(of: session, in: numbers, in: database)
    return zip(numbers, written).map { number, segment in
      ShownSegment(
        number: number, segment: segment.segment, written: segment.written,
        normalized: normalized[segment.segment.id], beginsParagraph: starts.contains(segment.segment.id))
    }
  }
}

extension [Int] {
  /// Sorted numbers as ranges of those that follow each other.
  fileprivate var runs: [Range<Int>] {
    reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<number + 1
      } else {
        runs.append(number..<number + 1)
      }
    }
  }
}
