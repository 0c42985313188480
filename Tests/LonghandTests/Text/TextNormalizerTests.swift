import Longhand
import Testing

@Suite struct TextNormalizerTests {
  @Test(arguments: [
    ("Hello, World!", "hello world"),
    ("don\u{2019}t players' 'tis O'Brien's", "don't players tis o'brien's"),
    ("half-guard \u{2014} and/or snake_case wait\u{2026}what", "half guard and or snake case wait what"),
    ("U.S. costs 1.5, or 1,000 at 10:30.", "us costs 1.5 or 1,000 at 10:30"),
    ("cafe\u{301}", "caf\u{E9}"),
    ("«Straße» ÄÖÜ", "straße äöü"),
    ("  a\n\tb\u{A0}c  ", "a b c"),
    ("<b>bold</b> 👍 $5 100%", "bbold b 5 100"),
    ("- ... '", ""),
    ("שָׁלוֹם, مرحبا؟", "שָׁלוֹם مرحبا"),
  ]) func textIsNormalized(text: String, expected: String) {
    let normalizer = TextNormalizer()
    #expect(normalizer.normalize(text) == expected)
    #expect(normalizer.normalize(expected) == expected)
  }

  @Test func lettersAreComposed() {
    let words = TextNormalizer().words(in: "cafe\u{301} \u{130}")
    #expect(words[0].unicodeScalars.count == 4)
  }
}
