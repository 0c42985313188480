import Foundation
import SentenceFormatting

extension Segment {
  /// Whether a person wrote or confirmed the text. It is then no candidate of the recognizer.
  public var isCorrected: Bool { chosen.source == Candidate.person }

  /// The rule of a text that a person writes in the place of this one. What was written with its marks keeps them.
  var personsRule: RerankingRule {
    selection.rule == RerankingRule.paragraph.rawValue ? .paragraph : .correction
  }

  /// The candidates that the recognizer produced.
  public var recognizedCandidates: [Candidate] { candidates.filter { $0.source != Candidate.person } }

  /// The indices of the words that a person wrote: those in which the text differs from the most similar candidate of the
  /// recognizer. Empty if the text is the recognizer's.
  public var correctedWords: Set<Int> {
    guard isCorrected else { return [] }
    // A mark makes no other word.
    let own = words.map(\.bareText)
    let differences = recognizedCandidates.map { Self.differences(of: own, from: $0.words.map(\.bareText)) }
    return differences.min { $0.count < $1.count } ?? Set(own.indices)
  }

  /// The indices of the words outside of the longest common subsequence.
  private static func differences(of own: [String], from other: [String]) -> Set<Int> {
    var lengths = Array(repeating: Array(repeating: 0, count: other.count + 1), count: own.count + 1)
    for row in own.indices.reversed() {
      for column in other.indices.reversed() {
        lengths[row][column] =
          own[row] == other[column]
          ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
      }
    }
    var (row, column): (Int, Int) = (0, 0)
    var differing = Set(own.indices)
    while row < own.count, column < other.count {
      if own[row] == other[column] {
        differing.remove(row)
        (row, column) = (row + 1, column + 1)
      } else if lengths[row + 1][column] >= lengths[row][column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return differing
  }

  /// The segment with other words in the place of some of its own; nil if nothing would be left. The new words share the
  /// time of the old ones, and have no confidence.
  func replacing(_ range: Range<Int>, with words: [String]) -> Candidate? {
    let old = self.words[range]
    guard let first = old.first, let last = old.last else { return nil }
    let lengths = words.map { Double($0.count + 1) }
    let scale = (last.end - first.start) / max(1, lengths.reduce(0, +))
    var position = first.start
    var new: [Word] = []
    for (word, length) in zip(words, lengths) {
      let end = min(last.end, position + length * scale)
      new.append(Word(text: word, start: position, end: end, confidence: nil))
      position = end
    }
    let all = Array(self.words[..<range.lowerBound]) + new + Array(self.words[range.upperBound...])
    guard !all.isEmpty else { return nil }
    return Candidate(
      text: text(replacing: range, with: words.joinedWords()), words: all, confidence: nil,
      source: Candidate.person)
  }

  /// The text with others in the place of some of its words; what is between the words stays.
  private func text(replacing range: Range<Int>, with replacement: String) -> String {
    var position = text.startIndex
    var places: [Range<String.Index>] = []
    for word in words {
      guard let place = text.range(of: word.text, range: position..<text.endIndex) else { break }
      places.append(place)
      position = place.upperBound
    }
    guard places.count == words.count else {
      let all =
        words[..<range.lowerBound].map(\.text) + [replacement] + words[range.upperBound...].map(\.text)
      return all.filter { !$0.isEmpty }.joinedWords()
    }
    let before = text[..<places[range.lowerBound].lowerBound]
    let after = text[places[range.upperBound - 1].upperBound...]
    guard replacement.isEmpty else { return before + replacement + after }
    return (before + after.drop { $0.isWhitespace }).trimmingCharacters(in: .whitespaces)
  }
}

extension Word {
  /// The text in lower case without the marks around it.
  fileprivate var bareText: String { text.lowercased().trimmingCharacters(in: .punctuationCharacters) }
}
