import Foundation
import Testing

@testable import RecognitionProtocol

/// What a client accepts as the words of an utterance.
@Suite struct ServiceHypothesisTests {
  /// The words of a hypothesis of an utterance of two seconds, as JSON.
  struct Words: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var json: String

    init(_ name: String, _ json: String) { (testDescription, self.json) = (name, json) }
  }

  private static func word(_ text: String, _ start: String, _ end: String, _ confidence: String = "0.5")
    -> String
  {
    #"{"text":"\#(text)","start":\#(start),"end":\#(end),"confidence":\#(confidence)}"#
  }

  private static let impossible = [
    Words("backward", word("a", "1", "0.5")), Words("negative", word("a", "-0.01", "0.5")),
    Words("beyond the end", word("a", "1", "2.06")), Words("wholly beyond the end", word("a", "900", "901")),
    Words("infinite", word("a", "0", "1e999")), Words("not a number", word("a", "NaN", "1")),
    Words("huge", word("a", "0", "1e308")),
    Words("unordered", word("a", "1", "1.5") + "," + word("b", "0", "0.5")),
    Words("overlapping", word("a", "0", "1") + "," + word("b", "0.9", "1.5")),
    Words("empty", word("", "0", "1")), Words("blank", word(" ", "0", "1")),
    Words("invisible", word(#"\u200b\ufeff"#, "0", "1")), Words("two words", word("a b", "0", "1")),
    Words("control character", word(#"a\u001b[2J"#, "0", "1")), Words("line end", word(#"a\nb"#, "0", "1")),
    Words("NUL", word(#"\u0000"#, "0", "1")), Words("line separator", word(#"a\u2028"#, "0", "1")),
    Words("reversed text", word(#"\u202ea"#, "0", "1")),
    Words("long word", word(String(repeating: "a", count: 1001), "0", "1")),
    Words("confidence below 0", word("a", "0", "1", "-0.1")),
    Words("confidence above 1", word("a", "0", "1", "1.1")),
    Words("infinite confidence", word("a", "0", "1", "1e999")),
    Words("time as text", word("a", #""0""#, "1")),
    Words("no time", #"{"text":"a","confidence":1}"#),
    Words("20,000 words", Array(repeating: word("a", "0", "0"), count: 20_000).joined(separator: ",")),
  ]

  /// What a client that asked for an utterance of two seconds gets.
  private func hypotheses(_ json: String) throws -> [ServiceHypothesis] {
    let payload = #"{"utterance":1,"hypotheses":[\#(json)]}"#
    let reply = try ServiceReply(ServiceFrame(kind: 132, payload: Data(payload.utf8)))
    guard case .final(let result) = reply else { return [] }
    return try ServiceHypothesis.checked(result.hypotheses, duration: 2)
  }

  private func hypothesis(_ words: String, confidence: String = "1") -> String {
    #"{"words":[\#(words)],"confidence":\#(confidence)}"#
  }

  @Test(arguments: impossible) func impossibleWordsAreRefused(_ words: Words) {
    #expect(throws: ServiceChannelError.self) { try hypotheses(hypothesis(words.json)) }
  }

  /// An alternative is shown and can be chosen too.
  @Test(arguments: impossible) func impossibleAlternativesAreRefused(_ words: Words) {
    let good = hypothesis(Self.word("a", "0", "1"))
    #expect(throws: ServiceChannelError.self) { try hypotheses(good + "," + hypothesis(words.json)) }
  }

  @Test(arguments: ["-0.1", "1.01", "1e999", #""1""#])
  func impossibleConfidencesAreRefused(_ confidence: String) {
    #expect(throws: ServiceChannelError.self) { try hypotheses(hypothesis("", confidence: confidence)) }
  }

  @Test func absentConfidenceStaysAbsent() throws {
    let word = #"{"text":"a","start":0,"end":1}"#
    for text in [hypothesis(word, confidence: "null"), #"{"words":[\#(word)]}"#] {
      let found = try #require(try hypotheses(text).first)
      #expect(found.confidence == nil)
      #expect(found.words.map(\.confidence) == [nil])
    }
  }

  @Test func aThousandHypothesesAreRefused() {
    let many = Array(repeating: hypothesis(Self.word("a", "0", "1")), count: 1000).joined(separator: ",")
    #expect(throws: ServiceChannelError.self) { try hypotheses(many) }
  }

  @Test func possibleWordsStayAsTheyAre() throws {
    let words = [
      Self.word("it's", "0", "1"), Self.word("日本", "1", "1"), Self.word("z\u{308}en", "1.2", "1.5"),
      Self.word("می\u{200C}خواهم", "1.5", "2"),
    ]
    let found = try #require(try hypotheses(hypothesis(words.joined(separator: ","))).first)
    #expect(found.words.map(\.text) == ["it's", "日本", "z\u{308}en", "می\u{200C}خواهم"])
    #expect(found.words.map(\.start) == [0, 1, 1.2, 1.5])
    #expect(found.words.map(\.end) == [1, 1, 1.5, 2])
  }

  /// Invisible text could carry a message to a language model that reads the transcript.
  @Test(arguments: [
    "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{200D}", "\u{200C}", "\u{E0041}\u{E007F}", "\u{200E}",
  ])
  func invisibleCharactersAreRemoved(_ hidden: String) throws {
    let words =
      Self.word("\(hidden)pa\(hidden)y\(hidden)", "0", "1") + "," + Self.word("日\(hidden)", "1", "2")
    let found = try #require(try hypotheses(hypothesis(words)).first)
    #expect(found.words.map(\.text) == ["pay", "日"])
  }

  @Test func theLastFrameIsCutAtTheEndOfTheAudio() throws {
    let words = Self.word("a", "1", "2.01") + "," + Self.word("b", "2.01", "2.02")
    let found = try #require(try hypotheses(hypothesis(words)).first)
    #expect(found.words.map(\.start) == [1, 2])
    #expect(found.words.map(\.end) == [2, 2])
  }

  @Test func confidenceAboveOneByRoundingIsLimited() throws {
    let words = Self.word("a", "1", "2", "1.0000001")
    let found = try #require(try hypotheses(hypothesis(words, confidence: "1.0000001")).first)
    #expect(found.confidence == 1)
    #expect(found.words[0].confidence == 1)
  }

  @Test(arguments: [
    ("", 0.5), ("EN", 0.5), ("engl", 0.5), ("e\n", 0.5), ("en", 1.1), ("en", -0.1), ("en", .nan),
  ])
  func impossibleLanguageIsRefused(_ code: String, _ probability: Double) {
    var hypothesis = ServiceHypothesis(words: [], confidence: nil)
    hypothesis.language = .init(code: code, probability: probability)
    #expect(throws: ServiceChannelError.self) { try ServiceHypothesis.checked([hypothesis], duration: 1) }
  }

  @Test func possibleLanguageStaysAsItIs() throws {
    var hypothesis = ServiceHypothesis(words: [], confidence: nil)
    hypothesis.language = .init(code: "haw", probability: 0.75)
    #expect(try ServiceHypothesis.checked([hypothesis], duration: 1) == [hypothesis])
    let reply = ServiceReply.final(.init(utterance: 1, hypotheses: [hypothesis]))
    #expect(try ServiceReply(reply.frame()) == reply)
  }

  @Test func reasonsHaveNoControlCharacters() throws {
    let payload = #"{"utterance":1,"reason":"a\u001b[2J\nb"}"#
    let failed = try ServiceReply(ServiceFrame(kind: 133, payload: Data(payload.utf8)))
    #expect(failed == .failed(.init(utterance: 1, reason: "a [2J b")))
    let unavailable = try ServiceReply(ServiceFrame(kind: 130, payload: Data(#""a\u0000b""#.utf8)))
    #expect(unavailable == .unavailable("a b"))
  }
}
