import Foundation
import LonghandTranscripts

/// How many occurrences of terms were recognized (recall), and how many recognized ones are right (precision).
///
/// A term is a word or a phrase. An occurrence in the hypothesis is correct if the reference has the same term at that
/// position. Positions are compared through the alignment of both texts, with a tolerance of five words, so that an error
/// next to a term does not count against the term. Each occurrence counts once.
package struct TermScore: Sendable, Hashable {
  /// Occurrences of terms in the reference.
  package var expected: Int
  /// Occurrences of terms in the hypothesis.
  package var found: Int
  /// Occurrences in the hypothesis that are also in the reference.
  package var correct: Int

  /// The distance, in words, that the same occurrence may have in the two texts.
  private static let tolerance = 5

  package init(expected: Int = 0, found: Int = 0, correct: Int = 0) {
    self.expected = expected
    self.found = found
    self.correct = correct
  }

  /// Counts the occurrences of `terms` in two texts.
  ///
  /// - Parameters:
  ///   - terms: the terms in any spelling; they are normalized, and terms that are then equal count once.
  ///   - reference: the normalized words of the correct text.
  ///   - hypothesis: the normalized words of the text to score.
  ///   - normalizer: the normalizer that was used for both texts.
  package init(
    terms: [String], reference: [String], hypothesis: [String], normalizer: TextNormalizer = TextNormalizer()
  ) {
    self.init(phrases: terms.map(normalizer.words(in:)), reference: reference, hypothesis: hypothesis)
  }

  /// Counts the occurrences of terms that are lists of normalized words.
  package init(phrases: [[String]], reference: [String], hypothesis: [String]) {
    self.init()
    let phrases = Set(phrases).filter { !$0.isEmpty }
    guard !phrases.isEmpty else { return }
    let positions = Self.positions(WordAlignment(reference: reference, hypothesis: hypothesis))
    for phrase in phrases {
      let said = Self.occurrences(of: phrase, in: reference).map { positions[$0] }
      let written = Self.occurrences(of: phrase, in: hypothesis)
      expected += said.count
      found += written.count
      var next = 0
      for position in said {
        while next < written.count, written[next] < position - Self.tolerance { next += 1 }
        guard next < written.count, written[next] <= position + Self.tolerance else { continue }
        correct += 1
        next += 1
      }
    }
  }

  /// `correct / expected`; nil if the reference has no term.
  package var recall: Double? { expected == 0 ? nil : Double(correct) / Double(expected) }

  /// `correct / found`; nil if the hypothesis has no term.
  package var precision: Double? { found == 0 ? nil : Double(correct) / Double(found) }

  /// The sum of both scores.
  package static func + (left: Self, right: Self) -> Self {
    Self(
      expected: left.expected + right.expected, found: left.found + right.found,
      correct: left.correct + right.correct)
  }

  /// Reads a list of terms: UTF-8, one term in each line. Blank lines and lines that start with `#` are skipped.
  ///
  /// - Throws: `EvaluationInputError`.
  package static func readTerms(contentsOf url: URL) throws -> [String] {
    try InputLines.lines(of: try InputLines.data(of: url), file: url.path)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// For each word of the reference, the position in the hypothesis.
  private static func positions(_ alignment: WordAlignment) -> [Int] {
    var positions: [Int] = []
    var position = 0
    for operation in alignment.operations {
      if operation != .insertion { positions.append(position) }
      if operation != .deletion { position += 1 }
    }
    return positions
  }

  /// The indices at which `phrase` starts in `words`, from left to right, without overlaps.
  private static func occurrences(of phrase: [String], in words: [String]) -> [Int] {
    var starts: [Int] = []
    var position = 0
    while position + phrase.count <= words.count {
      if words[position...].starts(with: phrase) {
        starts.append(position)
        position += phrase.count
      } else {
        position += 1
      }
    }
    return starts
  }
}

/// The JSON also has `recall` and `precision`, which are absent if they are nil.
extension TermScore: Codable {
  private enum Derived: String, CodingKey { case recall, precision }

  /// Writes the counts, `recall` and `precision`; when they are read, these two are calculated again.
  package func encode(to encoder: any Encoder) throws {
    var counts = encoder.container(keyedBy: CodingKeys.self)
    try counts.encode(expected, forKey: .expected)
    try counts.encode(found, forKey: .found)
    try counts.encode(correct, forKey: .correct)
    var derived = encoder.container(keyedBy: Derived.self)
    try derived.encodeIfPresent(recall, forKey: .recall)
    try derived.encodeIfPresent(precision, forKey: .precision)
  }
}
