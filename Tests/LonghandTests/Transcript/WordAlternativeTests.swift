import Foundation
import Longhand
import StoreAuditing
import Testing

@testable import LonghandTranscription
@testable import LonghandTranscripts

/// Alternatives to single words: they are in a candidate at the same time, and a choice of one names its evidence.
@Suite struct WordAlternativeTests {
  /// A candidate of words such as `take 0 0.5 0.8`: the text, the start, the end and the confidence.
  private func candidate(_ words: String...) -> Candidate {
    let words = words.map { line in
      let fields = line.split(separator: " ").map(String.init)
      return Word(
        text: fields[0], start: Double(fields[1]) ?? 0, end: Double(fields[2]) ?? 0,
        confidence: fields.count > 3 ? Double(fields[3]) : nil)
    }
    return Candidate(text: words.map(\.text).joined(separator: " "), words: words)
  }

  private func segment(_ candidates: Candidate...) -> Segment {
    Segment(id: 0, start: 0, end: 10, candidates: candidates)
  }

  @Test func wordAtTheSameTimeIsAnAlternative() {
    let segment = segment(
      candidate("take 0 0.5 0.9", "the 0.5 0.7 0.6", "pawn 0.7 1.2 0.5"),
      candidate("take 0 0.5 0.9", "the 0.5 0.7 0.6", "porn 0.72 1.2 0.3"),
      candidate("take 0 0.5 0.9", "a 0.5 0.7 0.2", "pawn 0.7 1.2 0.5"))
    let texts = segment.wordAlternatives.map { $0.map(\.text) }
    #expect(texts == [[], ["a"], ["porn"]])
    #expect(segment.wordAlternatives[2][0].confidence == 0.3)
    #expect(segment.wordAlternatives[2][0].candidate == 1)
    #expect(segment.wordAlternatives[2][0].words == 2..<3)
  }

  @Test func likeliestIsFirstAndEachTextIsThereOnce() {
    let segment = segment(
      candidate("pawn 0 1 0.5"), candidate("porn 0 1 0.1"), candidate("pond 0 1 0.3"),
      candidate("porn 0.1 1 0.2"))
    #expect(segment.wordAlternatives[0].map(\.text) == ["pond", "porn"])
    #expect(segment.wordAlternatives[0][1].confidence == 0.2)
  }

  @Test func alternativeIsNoSurerThanTheWordLeavesRoom() {
    let segment = segment(candidate("pawn 0 1 0.9"), candidate("porn 0 1 0.3"))
    #expect(abs((segment.wordAlternatives[0][0].confidence ?? 1) - 0.1) < 1e-9)
  }

  @Test func severalWordsForOneAndOneForSeveral() {
    let segment = segment(
      candidate("ice 0 0.3", "cream 0.3 1", "now 1 1.4"), candidate("i 0 0.1", "scream 0.1 1", "now 1 1.4"),
      candidate("icecream 0 1", "know 1 1.4"))
    let first = segment.wordAlternatives[0]
    #expect(first.map(\.text) == ["i scream", "icecream"])
    #expect(first.map(\.replaced) == [0..<2, 0..<2])
    #expect(segment.wordAlternatives[1] == first)
    #expect(segment.wordAlternatives[2].map(\.text) == ["know"])
  }

  @Test func wordThatOnlyOneCandidateHas() {
    let segment = segment(
      candidate("the 0 0.2", "old 0.2 0.5", "man 0.5 1"), candidate("the 0 0.2", "man 0.4 1"),
      candidate("the 0 0.2", "old 0.2 0.5", "a 0.5 0.55", "man 0.56 1"))
    #expect(segment.wordAlternatives[1].map(\.text) == [""])
    #expect(segment.wordAlternatives[2].map(\.text) == ["a man"])
    let longer = self.segment(candidate("stop 0 0.5"), candidate("stop 0 0.5", "else 0.5 1"))
    #expect(longer.wordAlternatives[0].map(\.text) == ["stop else"])
    #expect(segment.composed(with: segment.wordAlternatives[1][0]).text == "the man")
  }

  @Test func composedCandidateNamesItsParts() throws {
    let segment = segment(
      candidate("take 0 0.5", "the 0.5 0.7", "pawn 0.7 1.2"),
      candidate("bake 0 0.5", "a 0.5 0.7", "porn 0.7 1.2"))
    let composed = segment.composed(with: segment.wordAlternatives[1][0])
    #expect(composed.text == "take a pawn")
    #expect(composed.source == "composed 0:0-1 1:1-2 0:2-3")
    #expect(composed.confidence == nil)
    var next = segment
    next.candidates.append(composed)
    next.selection = .init(index: 2, rule: "user")
    // Alternatives are the recognizer's; a composition of a composition names the recognizer's words too.
    #expect(next.wordAlternatives.map { $0.map(\.text) } == [["bake"], ["the"], ["porn"]])
    let again = next.composed(with: next.wordAlternatives[2][0])
    #expect(again.source == "composed 0:0-1 1:1-3")
    let composition = try #require(again.composition)
    #expect(composition.words(of: next.candidates)?.map(\.text) == ["take", "a", "porn"])
  }

  @Test func textWithoutSpacesStaysWithoutSpaces() {
    let first = Candidate(text: "今日は。", words: candidate("今日 0 1", "は。 1 2").words)
    let second = Candidate(text: "京は。", words: candidate("京 0 1", "は。 1 2").words)
    let segment = segment(first, second)
    #expect(segment.composed(with: segment.wordAlternatives[0][0]).text == "京は。")
  }

  /// The texts of two candidates, whose words are between the bars, and what a choice of the second's first word makes.
  @Test(arguments: [
    ("扎|自己|的|脚| |1,234,567", "炸|自己|的|脚| |1,234,567", "炸自己的脚 1,234,567"),
    ("วันนี้|อากาศ|ดี| |เรา|ไป", "วันนั้น|อากาศ|ดี| |เรา|ไป", "วันนั้นอากาศดี เราไป"),
    ("Take| |the| – |pawn|.", "Bake| |the| – |pawn|.", "Bake the – pawn."),
  ]) func choiceKeepsWhatIsBetweenTheWords(_ first: String, _ second: String, _ expected: String) throws {
    let candidates = [first, second].map { line in
      let parts = line.split(separator: "|").map(String.init)
      let words = parts.filter { $0.contains(where: { $0.isLetter || $0.isNumber }) }.enumerated().map {
        Word(text: $1, start: Double($0), end: Double($0) + 1, confidence: nil)
      }
      return Candidate(text: parts.joined(), words: words, confidence: nil)
    }
    let segment = segment(candidates[0], candidates[1])
    let composed = segment.composed(with: try #require(segment.wordAlternatives[0].first))
    #expect(composed.text == expected)
    #expect(composed.words.count == segment.words.count)
  }

  /// Of random candidates: every alternative is in its candidate, and every composition consists of candidates' words.
  @Test func alternativesAlwaysStandInCandidates() throws {
    var random = SeededGenerator(seed: 18)
    for _ in 0..<300 {
      let candidates = (0..<4).map { _ in
        var time = 0.0
        return Candidate(
          text: "",
          words: (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let start = time + Double.random(in: 0...0.2, using: &random)
            time = start + Double.random(in: 0.02...0.6, using: &random)
            let text = ["a", "b", "c"].randomElement(using: &random) ?? ""
            return Word(text: text, start: start, end: time, confidence: nil)
          })
      }.map { Candidate(text: $0.words.map(\.text).joined(separator: " "), words: $0.words) }
      let segment = Segment(id: 0, start: 0, end: 10, candidates: candidates)
      for alternative in segment.wordAlternatives.flatMap(\.self) {
        let own = candidates[alternative.candidate].words[alternative.words].map(\.text)
        #expect(own.joined(separator: " ") == alternative.text)
        #expect(!alternative.replaced.isEmpty)
        let composed = segment.composed(with: alternative)
        let composition = try #require(composed.composition)
        let evidence = try #require(composition.words(of: candidates))
        #expect(composed.text == evidence.map(\.text).joined(separator: " "))
        #expect(composed.defect == nil)
      }
    }
  }
}

/// Which candidates readers need not see.
@Suite struct CandidateFoldingTests {
  @Test func whatWasOutvotedIsShown() {
    let candidates = [("a hare", "elected 1.25"), ("the hare", "outvoted"), ("hare", nil)].map {
      Candidate(text: $0, words: [], confidence: nil, source: $1)
    }
    #expect(Segment(id: 0, start: 0, end: 1, candidates: candidates).foldedCandidates == [nil, nil, 0])
  }

  private func folded(_ texts: String..., selected: Int = 0) -> [Int?] {
    Segment(
      id: 0, start: 0, end: 1, candidates: texts.map { Candidate(text: $0, words: [], confidence: nil) },
      selection: .init(index: selected, rule: "user")
    ).foldedCandidates
  }

  @Test func oneFunctionWordIsFolded() {
    #expect(folded("take the pawn", "take a pawn", "take pawn", "take the porn") == [nil, 0, 0, nil])
  }

  @Test func contentWordsAndTwoDifferencesAreNot() {
    #expect(folded("take the pawn to it", "take a pawn at it", "take the man to it") == [nil, nil, nil])
  }

  @Test func selectedCandidateIsShown() {
    #expect(folded("take the pawn", "take a pawn", "take this pawn", selected: 1) == [nil, nil, 0])
  }

  @Test func nothingIsFoldedIntoAFoldedOne() {
    #expect(folded("the pawn", "a pawn", "a porn", "the porn") == [nil, 0, nil, 2])
  }
}
