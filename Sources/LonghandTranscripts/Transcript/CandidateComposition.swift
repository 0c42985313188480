import Foundation
import SentenceFormatting

/// Which words of the recognizer's candidates a composed candidate consists of: the evidence for a choice of single words.
///
/// It is stored as the candidate's source, such as `composed 0:0-3 2:3-4 0:4-9`: the words 0 to 2 of candidate 0, word 3 of
/// candidate 2, and the words 4 to 8 of candidate 0.
package struct CandidateComposition: Sendable, Hashable {
  /// Words of one candidate.
  package struct Part: Sendable, Hashable {
    /// The index in the segment's candidates.
    package var candidate: Int
    /// The words in that candidate.
    package var words: Range<Int>
  }

  /// The parts in the order of the text.
  package var parts: [Part]

  static let name = "composed"
  /// No segment has as many candidates or words.
  private static let limit = 1_000_000

  package init(parts: [Part]) {
    self.parts = parts.reduce(into: []) { parts, part in
      guard !part.words.isEmpty else { return }
      if let last = parts.last, last.candidate == part.candidate,
        last.words.upperBound == part.words.lowerBound
      {
        parts[parts.count - 1].words = last.words.lowerBound..<part.words.upperBound
      } else {
        parts.append(part)
      }
    }
  }

  /// Reads a candidate's source; nil if the recognizer made the candidate, or if the source cannot be read.
  package init?(source: String) {
    let fields = source.split(separator: " ")
    guard fields.first == Self.name[...] else { return nil }
    var parts: [Part] = []
    for field in fields.dropFirst() {
      let numbers = field.split { $0 == ":" || $0 == "-" }.compactMap { Int($0) }
      guard numbers.count == 3, numbers.allSatisfy({ 0..<Self.limit ~= $0 }), numbers[1] < numbers[2] else {
        return nil
      }
      parts.append(Part(candidate: numbers[0], words: numbers[1]..<numbers[2]))
    }
    self.parts = parts
  }

  /// The source of the candidate.
  package var source: String {
    ([Self.name]
      + parts.map { "\($0.candidate):\($0.words.lowerBound)-\($0.words.upperBound)" })
      .joined(separator: " ")
  }
}

extension Candidate {
  /// Which words of other candidates this one consists of; nil if the recognizer made it.
  package var composition: CandidateComposition? { source.flatMap(CandidateComposition.init(source:)) }
}

extension Segment {
  /// The selected candidate with a word alternative in place of the words that it replaces: what a person composes of the
  /// recognizer's words. With words that a person wrote it is a person's.
  package func composed(with alternative: WordAlternative) -> Candidate {
    let other = candidates[alternative.candidate]
    let (before, after) = (0..<alternative.replaced.lowerBound, alternative.replaced.upperBound..<words.count)
    let new = Array(other.words[alternative.words])
    let composition = CandidateComposition(
      parts: parts(before) + [.init(candidate: alternative.candidate, words: alternative.words)]
        + parts(after))
    let isPersons = composition.parts.contains {
      candidates.indices.contains($0.candidate) && candidates[$0.candidate].source == Candidate.person
    }
    return Candidate(
      text: text(replacing: alternative.replaced, with: other.text(of: alternative.words)),
      words: (words[before] + new + words[after]).inOrder, confidence: nil,
      source: isPersons ? Candidate.person : composition.source, language: language)
  }

  /// Where words of the selected candidate come from.
  private func parts(_ range: Range<Int>) -> [CandidateComposition.Part] {
    guard let own = chosen.composition else {
      return [.init(candidate: selection.index, words: range)]
    }
    // Each word of a composed candidate is one of the recognizer's.
    let each = own.parts.flatMap { part in
      part.words.map { CandidateComposition.Part(candidate: part.candidate, words: $0..<$0 + 1) }
    }
    return Array(each[range.clamped(to: 0..<each.count)])
  }
}

extension Candidate {
  /// The part of the text from the first to the last of these words; the words themselves if it does not contain them.
  fileprivate func text(of range: Range<Int>) -> String {
    guard !range.isEmpty else { return "" }
    var position = text.startIndex
    var ranges: [Range<String.Index>] = []
    for word in words {
      guard let place = text.range(of: word.text, range: position..<text.endIndex) else {
        return words[range].map(\.text).joinedWords()
      }
      position = place.upperBound
      ranges.append(place)
    }
    return String(text[ranges[range.lowerBound].lowerBound..<ranges[range.upperBound - 1].upperBound])
  }
}

extension [Word] {
  /// Words of different candidates may overlap a little: each begins no earlier than the one before it.
  fileprivate var inOrder: [Word] {
    var words = self
    for index in words.indices.dropFirst() {
      words[index].start = Swift.max(words[index].start, words[index - 1].start)
      words[index].end = Swift.max(words[index].end, words[index].start)
    }
    return words
  }
}
