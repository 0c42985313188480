import Foundation
import NeuralRecognition
import Testing

/// What two networks elect together.
struct TextElectionTests {
  @Test func textsThatAreNearEachOtherAreElectedByBoth() {
    let election = TextElection([
      ("the hair and", -2), ("the hare and", -2.5), ("the hair an", -3.4), ("a hair and", -4),
    ])
    #expect(election.candidates == ["the hair and", "the hare and", "the hair an"])
    #expect(election.elected([0, 1, 0]).place == 1)
    #expect(election.elected([0, 0.4, 0]).place == 0)
    #expect(election.elected([0, -3, 2.5]).place == 2)
    #expect(abs(election.elected([0, -3, 2.5]).lead - 1.1) < 1e-5)
    #expect(election.elected([0, 0.4, 0]).lead == 0)
  }

  @Test func sharesAreThoseOfTheTextsThatWereCompared() throws {
    let election = TextElection([("the hair and", -2), ("the hare and", -2.5), ("a hair and", -4)])
    let shares = election.shares([0, 0.5 + log(3)])
    #expect(shares.map { $0.map { ($0 * 1e6).rounded() / 1e6 } } == [0.25, 0.75, nil])
    // A witness that says nothing, or nonsense.
    #expect(election.shares([]) == [nil, nil, nil])
    #expect(election.shares([0, .nan])[0] == 1)
    #expect(election.shares([0, .infinity]) == [nil, nil, nil])
  }

  @Test func aSureTextIsNotInDoubt() {
    #expect(TextElection([("one", -1), ("two", -2.2)]).candidates.isEmpty)
    #expect(TextElection([("one", -1)]).candidates.isEmpty)
    #expect(TextElection([]).candidates.isEmpty)
  }

  /// A text that leaves out words is likely, whatever was said.
  @Test func aTextThatLeavesOutWordsIsNeverElected() {
    let election = TextElection([
      ("is it not as reasonable", -2), ("is it", -2.1), ("is it as reasonable", -2.2),
    ])
    #expect(election.candidates == ["is it not as reasonable", "is it as reasonable"])
    #expect(election.elected([0, 9]).place == 2)
    #expect(TextElection([("I could not say", -2), ("I", -2.1)]).candidates.isEmpty)
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity]) func aWitnessThatAnswersNonsenseElectsNothing(
    _ evidence: Double
  ) {
    let election = TextElection([("one", -1), ("two", -1.1)])
    #expect(election.elected([0, evidence]).place == 0)
    #expect(election.elected([]).place == 0)
  }
}

/// Text as tokens.
struct TokenEncoderTests {
  private let encoder = TokenEncoder(
    [
      "l", "o", "w", "e", "r", " ", "'", "s", "1", "9", ".", "er", " l", "ow", " low", "low", "'s", "19",
      "se",
    ].map {
      Array($0.utf8)
    })

  private func pieces(_ text: String) -> [Int]? { encoder.tokens(of: text) }

  @Test func thePairThatMakesTheSmallestNumberIsJoinedFirst() {
    #expect(pieces("lower") == [15, 11])
    #expect(pieces(" lower") == [14, 11])
    #expect(pieces("ser") == [7, 11])
    #expect(pieces("") == [])
  }

  /// No token goes across words, numbers and marks.
  @Test func wordsNumbersAndMarksAreDividedByThemselves() {
    #expect(pieces("low's") == [15, 16])
    #expect(pieces("low19.") == [15, 17, 10])
    #expect(pieces("low  low") == [15, 5, 14])
  }

  @Test func bytesWithoutATokenAreNoText() { #expect(pieces("löw") == nil) }
}
