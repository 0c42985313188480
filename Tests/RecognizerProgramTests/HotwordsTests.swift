import RecognitionProtocol
import Testing

@testable import SherpaService

@Suite struct HotwordsTests {
  @Test func phrasesThatTheNetworkCannotWriteAreLeftOut() throws {
    let tokens = ["▁ni", "ne", "ner", "▁se", "ven", "<unk>", "<blk>"]
    let hotwords = try #require(Hotwords(tokens: tokens, list: nil))
    #expect(hotwords.line(["niner", "Seven nine", "eleven", "", "niner\u{7}"]) == "niner/seven nine")
    #expect(hotwords.line(["seven/nine"]) == "seven nine")
    #expect(hotwords.line([":3 nine", "zebra"]) == nil)
    #expect(Hotwords(tokens: ["你", "好", "<blk>"], list: nil) == nil)
  }

  /// This is the limit that the command states in its error.
  @Test func asManyPhrasesArePreferredAsAServiceTakes() throws {
    let hotwords = try #require(Hotwords(tokens: ["▁ni", "ner"], list: nil))
    let limit = ServiceConfiguration.maxPhrases
    let line = hotwords.line(Array(repeating: "niner", count: limit + 1))
    #expect(line?.split(separator: "/").count == limit)
  }

  @Test func ranksOfPiecesComeFromTheListOrFromTheirOrder() throws {
    let tokens = ["▁ni", "ne", "<blk>"]
    let own = try #require(Hotwords(tokens: tokens, list: nil))
    #expect(String(decoding: own.vocabulary, as: UTF8.self) == "▁ni\t500000\nne\t199999\n")
    let listed = try #require(Hotwords(tokens: tokens, list: "ne\t-3\n▁ni\t-7\nnone\t-8\nbroken\n"))
    #expect(String(decoding: listed.vocabulary, as: UTF8.self) == "ne\t199997\n▁ni\t499993\n")
  }
}
