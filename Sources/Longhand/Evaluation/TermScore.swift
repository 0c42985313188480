import Foundation

/// How many of the terms that matter were heard, and how many of those written down were said.
///
/// A term is a word or a phrase. An occurrence in the hypothesis counts as correct when the reference has the same term
/// at that place; the place is told by the alignment of both texts, give or take five words, so that a mistake beside a
/// term does not count against the term. Each occurrence is counted once.
public struct TermScore: Sendable, Hashable {
  /// Occurrences of terms in the reference.
  public var expected: Int
  /// Occurrences of terms in the hypothesis.
  public var found: Int
  /// Occurrences in the hypothesis that the reference has too.
  public var correct: Int

  /// How far apart, in words, the same occurrence may be in the two texts.
  private static let tolerance = 5

  /// Each field by its name.
  public init(expected: Int = 0, found: Int = 0, correct: Int = 0) {
    self.expected = expected
    self.found = found
    self.correct = correct
  }

  /// Looks for `terms` in two texts.
  ///
  /// - Parameters:
  ///   - terms: the terms as they are written; they are normalized, and those that are then the same count once.
  ///   - reference: the normalized words of what was said.
  ///   - hypothesis: the normalized words of what was written down.
  ///   - normalizer: what the words were normalized by.
  public init(
    terms: [String], reference: [String], hypothesis: [String], normalizer: TextNormalizer = TextNormalizer()
  ) {
    self.init()
    let phrases = Set(terms.map(normalizer.words(in:))).filter { !$0.isEmpty }
    guard !phrases.isEmpty else { return }
    let places = Self.places(WordAlignment(reference: reference, hypothesis: hypothesis))
    for phrase in phrases {
      let said = Self.occurrences(of: phrase, in: reference).map { places[$0] }
      let written = Self.occurrences(of: phrase, in: hypothesis)
      expected += said.count
      found += written.count
      var next = 0
      for place in said {
        while next < written.count, written[next] < place - Self.tolerance { next += 1 }
        guard next < written.count, written[next] <= place + Self.tolerance else { continue }
        correct += 1
        next += 1
      }
    }
  }

  /// `correct / expected`; nil where no term was said.
  public var recall: Double? { expected == 0 ? nil : Double(correct) / Double(expected) }

  /// `correct / found`; nil where no term was written down.
  public var precision: Double? { found == 0 ? nil : Double(correct) / Double(found) }

  /// Both texts as one.
  public static func + (left: Self, right: Self) -> Self {
    Self(
      expected: left.expected + right.expected, found: left.found + right.found,
      correct: left.correct + right.correct)
  }

  /// Reads a list of terms: UTF-8, a term a line; blank lines and those that begin with `#` are skipped.
  ///
  /// - Throws: `EvaluationInputError`.
  public static func readTerms(contentsOf url: URL) throws -> [String] {
    try InputLines.lines(of: try InputLines.data(of: url), file: url.path)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// For each word of the reference, where the hypothesis stands.
  private static func places(_ alignment: WordAlignment) -> [Int] {
    var places: [Int] = []
    var position = 0
    for operation in alignment.operations {
      if operation != .insertion { places.append(position) }
      if operation != .deletion { position += 1 }
    }
    return places
  }

  /// Where `phrase` begins in `words`, from left to right, without overlaps.
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
