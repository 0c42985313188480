import Foundation

extension TranscriptStore {
  /// Search results whose texts are written in sentences, exactly as in the whole transcripts.
  ///
  /// - Throws: `StoreError`.
  package func written(_ hits: [SearchHit]) throws -> [SearchHit] {
    var blocks: [String: [Int: String]] = [:]
    return try hits.map { hit in
      let block = hit.segment / SentenceWriter.block
      let key = "\(hit.session)/\(block)"
      let texts =
        try blocks[key]
        ?? Dictionary(
          uniqueKeysWithValues: writtenSegments(
            of: hit.session, from: block * SentenceWriter.block, limit: SentenceWriter.block
          ).map { ($0.segment.id, $0.written.text) })
      blocks[key] = texts
      return texts[hit.segment].map(hit.written) ?? hit
    }
  }

  /// The text of a segment in sentences.
  ///
  /// - Throws: `StoreError`.
  package func writtenText(of segment: Int, in session: String) throws -> String {
    try writtenSegments(of: session, from: segment, limit: 1).first?.written.text
      ?? self.segment(segment, in: session).text
  }
}

extension SearchHit {
  /// The hit with the same text as it is written in sentences: capitals and marks differ.
  func written(as text: String) -> SearchHit {
    var written: [Fragment] = []
    var rest = text[...]
    for fragment in fragments {
      var part = ""
      for character in fragment.text {
        // What stands before the next character of the text is a mark, which is no part of a match.
        var mark = ""
        while let next = rest.first, next.lowercased() != character.lowercased() {
          mark.append(next)
          rest.removeFirst()
        }
        guard let next = rest.popFirst() else { return self }
        if !mark.isEmpty, part.isEmpty, let last = written.indices.last {
          if written[last].isMatch {
            written.append(Fragment(text: mark, isMatch: false))
          } else {
            written[last].text += mark
          }
          mark = ""
        }
        part += mark + String(next)
      }
      written.append(Fragment(text: part, isMatch: fragment.isMatch))
    }
    if !rest.isEmpty { written.append(Fragment(text: String(rest), isMatch: false)) }
    var hit = self
    hit.fragments = written.reduce(into: []) { joined, fragment in
      if let last = joined.indices.last, joined[last].isMatch == fragment.isMatch, !fragment.isMatch {
        joined[last].text += fragment.text
      } else {
        joined.append(fragment)
      }
    }
    return hit
  }
}
