extension TranscriptStore {
  /// Segments from an ID on, in order, each also written in sentences exactly as in the whole transcript. The time does not
  /// depend on the length of the session. While the session goes on, its last word has no mark.
  ///
  /// - Throws: `StoreError`.
  package func writtenSegments(
    of session: String, from id: Int, limit: Int
  ) throws -> [(segment: Segment, written: Segment)] {
    let first = max(0, (id / SentenceWriter.block - 1) * SentenceWriter.block)
    let last = id + max(0, limit)
    let segments = try segments(of: session, from: first, limit: last - first + 1)
    let recorded = try self.session(matching: session)
    let isOpen = segments.count <= last - first && !recorded.state.isFinal
    var writer = SentenceWriter(locale: recorded.locale)
    let written = segments.flatMap { writer.append($0) } + writer.finish(isOpen: isOpen)
    return zip(segments, written).filter { id..<last ~= $0.0.id }.map { ($0.0, $0.1) }
  }
}
