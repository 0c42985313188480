import Foundation
import NeuralRecognition
import Testing

/// What a second network is asked about the words of a first one, which has other tokens.
struct SecondOpinionTests {
  /// "a door-mouse, he", whose second word is in doubt in its last token.
  private let opinion = SecondOpinion(
    Self.tokens([
      (" a", 0.99), (" door", 0.99), ("-", 1), ("mo", 0.99), ("use", 0.5), (",", 1), (" he", 0.97),
      (" is", 0.985),
    ]))

  private static func tokens(_ text: [(String, Double)]) -> [(bytes: [UInt8], logProbability: Double)] {
    text.map { (Array($0.utf8), log($1)) }
  }

  @Test func onlyTextsWithADoubtfulWordAreAskedAbout() {
    #expect(opinion.isWanted)
    #expect(!SecondOpinion(Self.tokens([(" a", 0.61), (" b", 0.7)])).isWanted)
    #expect(!SecondOpinion([]).isWanted)
  }

  /// A doubt about one token is a doubt about its word.
  @Test func onlyWordsThatAreNotSureAreAskedAbout() {
    // The first bytes of the tokens, and the byte after the last one.
    let asked = [0, 2, 7, 8, 10, 13, 14, 17, 20].map { opinion.isAsked(at: $0) }
    #expect(asked == [false, true, true, true, true, true, true, false, false])
    #expect(!SecondOpinion([]).isAsked(at: 0))
  }

  /// The second network writes "door-" and "mouse" as one token each, and "he" as two.
  @Test func theLeastLikelyTokenThatBeginsInATokenCounts() {
    let found = opinion.logProbabilities([(2, -0.5), (8, -2), (13, -7), (14, -0.1), (15, -3)])
    #expect(found == [nil, -0.5, nil, -2, nil, -7, -3, nil])
  }

  @Test func nonsenseSaysNothing() {
    let found = opinion.logProbabilities([(2, .nan), (8, .infinity), (20, -1), (99, -1)])
    #expect(found == [nil, nil, nil, 0, nil, nil, nil, nil])
    #expect(SecondOpinion([]).logProbabilities([(0, -1)]).isEmpty)
  }
}
