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
    for (numbers, group) in try neighbors(in: hits) {
      let part = try read { database in
        try self.segmentsInContext(
          of: self.number(of: group[0].session, in: database), numbers, in: database)
      }
      writing.async {
        let texts = Dictionary(uniqueKeysWithValues: part.written.map { ($0.segment.id, $0.written.text) })
        let hits = group.map { hit in texts[hit.segment].map(hit.written) ?? hit }
        written.withLock { $0 += hits }
      }
    }
    return writing.sync { written.withLock(\.self) }
  }

  /// Results that follow each other and are in one session and near each other, with the numbers of their segments.
  private func neighbors(in hits: [SearchHit]) throws -> [(numbers: Range<Int>, hits: [SearchHit])] {
    let maxDistance = 6
    let known = try Dictionary(grouping: hits, by: \.session).map { session, hits in
      try read { database in
        let number = try self.number(of: session, in: database)
        return (session, try self.numbers(ofSegments: hits.map(\.segment), number, in: database))
      }
    }
    let numbers = Dictionary(uniqueKeysWithValues: known)
    var groups: [(numbers: Range<Int>, hits: [SearchHit])] = []
    for hit in hits {
      let last = groups.last?.hits.last
      guard let number = numbers[hit.session]?[hit.segment] else { throw error(.noSegment(hit.segment)) }
      if let numbers = groups.last?.numbers, hit.session == last?.session,
        (numbers.upperBound - 1...numbers.upperBound - 1 + maxDistance).contains(number)
      {
        groups[groups.count - 1].hits.append(hit)
        groups[groups.count - 1].numbers = numbers.lowerBound..<number + 1
      } else {
        groups.append((number..<number + 1, [hit]))
      }
    }
    return groups
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
