import TestSupport
import Testing

@testable import LonghandArchive

@Suite struct SegmentRankTests {
  @Test(
    arguments: [
      ("00000000", "00000001", "000000008"), ("00000000", "000000008", "000000004"),
      ("00000000", "000000002", "000000001"), ("00000000", "000000001", "0000000008"),
      ("00000001", "00000002", "000000018"), ("000000018", "00000002", "00000001c"),
      ("00000001e", "00000002", "00000001f"), ("00000001f", "00000002", "00000001f8"),
      ("0000000f", "00000010", "0000000f8"), ("0000000ff", "00000010", "0000000ff8"),
      ("000000018", "00000001c", "00000001a"), ("000000018", "000000019", "0000000188"),
      ("0000000188", "000000019", "000000018c"), ("00000001", "0000000108", "0000000104"),
    ])
  func betweenTwoRanksIsAnother(first: String, second: String, expected: String) {
    #expect(
      SegmentRank(between: SegmentRank(text: first), and: SegmentRank(text: second)).text == expected)
  }

  @Test(
    arguments: [
      ("00000000", "00000001"), ("00000001", "00000002"), ("000000018", "00000002"),
      ("0000000fff", "00000010"), ("7fffffff", "80000000"),
    ])
  func lastRankIsFollowedByAWholeNumber(last: String, expected: String) {
    #expect(SegmentRank(after: SegmentRank(text: last)).text == expected)
  }

  /// At random places, and always at the same one.
  @Test(arguments: 0..<3) func insertionsKeepTheOrder(kind: Int) {
    var random = SeededGenerator(seed: 4)
    var ranks = [SegmentRank(after: .start)]
    for count in 0..<(isSoak ? 10_000 : 2000) {
      let place = [Int.random(in: 0...ranks.count, using: &random), ranks.count / 2, min(1, count)][kind]
      let before = place > 0 ? ranks[place - 1] : .start
      let new =
        place < ranks.count ? SegmentRank(between: before, and: ranks[place]) : SegmentRank(after: before)
      if place < ranks.count, count % 100 == 0 || kind == 0 { #expect(before < new && new < ranks[place]) }
      ranks.insert(new, at: place)
    }
    #expect(zip(ranks, ranks.dropFirst()).allSatisfy { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    #expect(ranks.allSatisfy { $0.text.count == 8 || $0.text.last != "0" })
    if kind == 0 { #expect(ranks.map(\.text.count).max() ?? 0 < 40) }
  }
}
