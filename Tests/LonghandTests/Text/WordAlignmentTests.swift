import Longhand
import TestSupport
import Testing

@Suite struct WordAlignmentTests {
  /// Walks through both lists and checks each step.
  private func expectValid(_ alignment: WordAlignment, _ reference: [String], _ hypothesis: [String]) {
    var place = (row: 0, column: 0)
    var isValid = true
    for operation in alignment.operations {
      switch operation {
      case .match, .substitution:
        guard place.row < reference.count, place.column < hypothesis.count else {
          isValid = false
          break
        }
        isValid = isValid && (reference[place.row] == hypothesis[place.column]) == (operation == .match)
        place = (place.row + 1, place.column + 1)
      case .deletion: place.row += 1
      case .insertion: place.column += 1
      }
    }
    #expect(isValid)
    #expect(place == (reference.count, hypothesis.count))
  }

  @Test(arguments: 0..<300 as Range<UInt64>) func alignmentHasTheFewestErrors(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let reference = RandomWords.list(Int.random(in: 0...30, using: &random), of: 5, &random)
    let hypothesis =
      seed % 2 == 0
      ? RandomWords.damaged(reference, share: 0.4, of: 5, &random)
      : RandomWords.list(Int.random(in: 0...30, using: &random), of: 5, &random)
    let alignment = WordAlignment(reference: reference, hypothesis: hypothesis)
    expectValid(alignment, reference, hypothesis)
    #expect(alignment.errorRate.errors == RandomWords.distance(reference, hypothesis))
    #expect(alignment.errorRate.referenceWords == reference.count)
    #expect(WordLattice(segments: [[hypothesis]]).wordErrorRate(reference: reference) == alignment.errorRate)
  }

  /// Lists that are too long for one table.
  @Test(arguments: [(700, 0.3), (900, 1.0)]) func longListsHaveTheFewestErrors(count: Int, share: Double) {
    var random = SeededGenerator(seed: UInt64(count))
    let reference = RandomWords.list(count, of: 40, &random)
    let hypothesis = RandomWords.damaged(reference, share: share, of: 40, &random)
    let alignment = WordAlignment(reference: reference, hypothesis: hypothesis)
    expectValid(alignment, reference, hypothesis)
    #expect(alignment.errorRate.errors == RandomWords.distance(reference, hypothesis))
    #expect(WordLattice(segments: [[hypothesis]]).wordErrorRate(reference: reference) == alignment.errorRate)
    #expect(WordAlignment(reference: reference, hypothesis: hypothesis) == alignment)
  }

  @Test func listsOfVeryDifferentLengthAlign() {
    let words = (0..<300_000).map { "w\($0)" }
    let alignment = WordAlignment(reference: ["w7", "x"], hypothesis: words)
    #expect(alignment.errorRate == WordErrorRate(substitutions: 1, insertions: 299_998, referenceWords: 2))
    #expect(WordAlignment(reference: words, hypothesis: ["w299999"]).errorRate.deletions == 299_999)
  }

  private struct Pair: Encodable {
    var reference: String
    var hypothesis: String
  }

  @Test(.tagged(.childProcess)) func errorRateEqualsJiwer() throws {
    var random = SeededGenerator(seed: 1)
    let pairs = (0..<200).map { index in
      let reference = RandomWords.list(Int.random(in: 1...60, using: &random), of: 12, &random)
      let share = Double(index % 5) / 4
      return (reference, RandomWords.damaged(reference, share: share, of: 12, &random))
    }
    let script = """
      import json, sys
      import jiwer
      print(json.dumps([jiwer.wer(pair["reference"], pair["hypothesis"]) for pair in json.load(open(sys.argv[1]))]))
      """
    let rates: [Double] = try TestPython.answer(
      script,
      to: pairs.map { Pair(reference: $0.joined(separator: " "), hypothesis: $1.joined(separator: " ")) })
    #expect(rates.count == pairs.count)
    for (rate, pair) in zip(rates, pairs) {
      let own = WordErrorRate(reference: pair.0, hypothesis: pair.1)
      #expect(abs(own.rate - rate) < 1e-12)
    }
  }
}
