import Foundation
import LonghandTranscripts
import Synchronization

extension TranscriptStore {
  /// Search results whose texts are written in sentences, exactly as in the whole transcripts. While they are read, those
  /// that were read before are written on another processor.
  ///
  /// - Throws: `StoreError`.
  package func written(_ hits: [SearchHit]) throws -> [SearchHit] {
    let writing = DispatchQueue(label: "sentences")
    let written = Mutex<[SearchHit]>([])
    for group in Self.neighbors(in: hits).map({ hits[$0] }) {
      guard let first = group.first, let last = group.last else { continue }
      let part = try segmentsInContext(
        of: first.session, from: first.segment, limit: last.segment - first.segment + 1)
      writing.async {
        let texts = Dictionary(uniqueKeysWithValues: part.written.map { ($0.segment.id, $0.written.text) })
        let hits = group.map { hit in texts[hit.segment].map(hit.written) ?? hit }
        written.withLock { $0 += hits }
      }
    }
    return writing.sync { written.withLock(\.self) }
  }

  /// Where results follow each other that are in one session and near each other.
  private static func neighbors(in hits: [SearchHit]) -> [Range<Int>] {
    let maxDistance = 6
    return hits.indices.reduce(into: []) { groups, index in
      if let last = groups.last, hits[index].session == hits[index - 1].session,
        0...maxDistance ~= hits[index].segment - hits[index - 1].segment
      {
        groups[groups.count - 1] = last.lowerBound..<index + 1
      } else {
        groups.append(index..<index + 1)
      }
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
        // The text before the next character is a mark, which is no part of a match.
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
