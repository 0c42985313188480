import Foundation

extension TranscriptStore {
  /// Search results whose texts are written in sentences, exactly as in the whole transcripts.
  ///
  /// - Throws: `StoreError`.
  package func written(_ hits: [SearchHit]) throws -> [SearchHit] {
    let maxDistance = 6
    var hits = hits
    var first = 0
    while first < hits.count {
      // Hits near each other are written at once.
      var last = first
      while last + 1 < hits.count, hits[last + 1].session == hits[first].session,
        0...maxDistance ~= hits[last + 1].segment - hits[last].segment
      {
        last += 1
      }
      let ids = hits[first].segment...hits[last].segment
      let texts = Dictionary(
        uniqueKeysWithValues: try writtenSegments(
          of: hits[first].session, from: ids.lowerBound, limit: ids.count
        ).map { ($0.segment.id, $0.written.text) })
      for index in first...last {
        if let text = texts[hits[index].segment] { hits[index] = hits[index].written(as: text) }
      }
      first = last + 1
    }
    return hits
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
        while let next = rest.first, next != character, next.lowercased() != character.lowercased() {
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
