import Longhand
import Testing

@Suite struct WordLatticeTests {
  @Test(arguments: 0..<200 as Range<UInt64>) func latticeFindsTheFewestErrors(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let reference = RandomWords.list(Int.random(in: 0...12, using: &random), of: 4, &random)
    let segments = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in
        RandomWords.list(Int.random(in: 0...5, using: &random), of: 4, &random)
      }
    }
    // Every choice, one after the other.
    let texts = segments.filter { !$0.isEmpty }.reduce([[]]) { texts, alternatives in
      texts.flatMap { text in alternatives.map { text + $0 } }
    }
    let fewest = texts.map { RandomWords.distance(reference, $0) }.min()
    let rate = WordLattice(segments: segments).wordErrorRate(reference: reference)
    #expect(rate.errors == fewest)
    #expect(rate.referenceWords == reference.count)
    #expect(texts.contains { WordErrorRate(reference: reference, hypothesis: $0) == rate })
  }

  /// What is best for each segment alone is not always best for all.
  @Test func bestTextMayUseOtherThanBestSegments() {
    let lattice = WordLattice(segments: [[["a"], ["a", "b"]], [["b", "c"], ["c"]]])
    #expect(lattice.wordErrorRate(reference: ["a", "b", "c"]).errors == 0)
  }

  @Test func emptyLatticeGivesDeletions() {
    #expect(
      WordLattice(segments: []).wordErrorRate(reference: ["a"])
        == WordErrorRate(deletions: 1, referenceWords: 1))
  }
}
