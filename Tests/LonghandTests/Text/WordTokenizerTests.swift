import Testing

@testable import LonghandTranscripts

@Suite struct WordTokenizerTests {
  /// Letters are words, `-` is left out, everything else separates.
  private enum Rules: WordRules {
    static func role(
      of scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> WordRole {
      if scalar == "-" { return .ignored }
      if scalar == "X" { return .first(scalar) }
      return scalar.properties.isAlphabetic ? .part(scalar) : .separator
    }
  }

  private func words(_ text: String) -> [WordTokenizer<Rules>.Word] {
    var words: [WordTokenizer<Rules>.Word] = []
    WordTokenizer<Rules>.forEachWord(in: text) { words.append($0) }
    return words
  }

  @Test func byteRangesSpanIgnoredScalars() {
    #expect(words("é a-b- c").map(\.bytes) == [0..<2, 3..<6, 8..<9])
  }

  @Test func ignoredScalarsAreNotInTheWord() {
    #expect(words("a-b- c").map { String(String.UnicodeScalarView($0.scalars)) } == ["ab", "c"])
  }

  @Test func onlyTheFirstWordAfterALineEndStartsALine() {
    #expect(words("a\n b c\u{2029}d").map(\.startsLine) == [false, true, false, true])
  }

  @Test func wordMayBeginDirectlyAfterAnother() {
    #expect(words("aXbX X").map(\.bytes) == [0..<1, 1..<3, 3..<4, 5..<6])
  }

  @Test func wordAfterAMarkSaysSo() {
    #expect(words("a b, c (d)·e").map(\.followsMark) == [false, false, true, true, true])
    #expect(words("a・b").map(\.followsMark) == [false, false])
  }

  @Test func firstWordFollowsNoSeparator() {
    #expect(words("-a b").map(\.followsSeparator) == [false, true])
    #expect(words(" a").map(\.followsSeparator) == [true])
  }
}
