import Foundation
import Longhand
import Testing

@Suite struct EntityMatcherTests {
  private static let names = [
    "Winawer Variation", "Albin Counter Gambit", "Grünfeld", "Benoni", "Berimbolo", "Furosemide",
    "King's Indian",
    "Hyponatremia", "Ono", "Armbar",
  ]
  private static let matcher = EntityMatcher(names)

  /// The names that are found, each with the words that stand for it.
  private func found(_ text: String, _ matcher: EntityMatcher = matcher) -> [String] {
    let bytes = Array(text.utf8)
    return matcher.matches(in: text).map { match in
      "\(matcher.names[match.entity]) = \(String(decoding: bytes[match.range], as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("he played the WINAWER variation", ["Winawer Variation = WINAWER variation"]),
    ("winawer-variation", ["Winawer Variation = winawer-variation"]),
    ("the grunfeld's centre", ["Grünfeld = grunfeld"]),
    ("the Grunfeld’s centre", ["Grünfeld = Grunfeld"]),
    ("kings indian or king's indian", ["King's Indian = kings indian", "King's Indian = king's indian"]),
    ("ono", ["Ono = ono"]),
  ])
  func correctlySpelledNamesAreExactMatches(_ text: String, _ wanted: [String]) {
    #expect(found(text) == wanted)
    let matches = Self.matcher.matches(in: text)
    #expect(matches.allSatisfy { $0.isExact })
    #expect(matches.allSatisfy { $0.score == 1 })
  }

  /// The sounds of letters are those of English.
  @Test func namesOfOtherLanguagesMustMatchExactly() {
    let matcher = EntityMatcher(Self.names, comparesSounds: false)
    #expect(found("the ground felt and the grünfeld", matcher) == ["Grünfeld = grünfeld"])
    #expect(found("the grunfeld", matcher).isEmpty)
    let vocabulary = TranscriptNormalizer(entities: ["Benoni"], locale: Locale(identifier: "de-DE"))
    #expect(vocabulary.normalizeLocally("er spielte ban on e").text == "er spielte ban on e")
  }

  @Test(arguments: [
    ("the ground felt defense gives up the center", ["Grünfeld = ground felt"]),
    ("he played the ban on e against me", ["Benoni = ban on e"]),
    ("stop the brim paulo with your knees", ["Berimbolo = brim paulo"]),
    ("we reduce the fuel semite", ["Furosemide = fuel semite"]),
    ("her hype an entry me it has resolved", ["Hyponatremia = hype an entry me"]),
    ("an arm bar is the first lesson", ["Armbar = arm bar"]),
    ("the albin countered gambit", ["Albin Counter Gambit = albin countered gambit"]),
  ])
  func misrecognizedNamesAreFound(_ text: String, _ wanted: [String]) { #expect(found(text) == wanted) }

  @Test(arguments: [
    "that was when our boat came in", "on a", "oh no", "a winner", "the band on the run", "ground floor",
    "albert counted a bit", "the king", "fewer people decide", "high pressure",
    "in a tree", "been on it", "variation", "counter gambit", "",
  ])
  func ordinaryWordsAreNotNames(_ text: String) { #expect(found(text).isEmpty) }

  /// The names, a text in small letters and with marks, and the names in it. An accent makes another word; only in English, a name
  /// may be written without its accents, if what is left is no common word.
  @Test(
    arguments: [
      (["mạ"], "ma má mà mả mã mạ", false, ["mạ = mạ"]),
      (
        ["pécheur", "Côté"], "une côte sur la cote, le pêcheur est un pécheur. Côté, CÔTÉ!", false,
        ["pécheur = pécheur", "Côté = Côté", "Côté = CÔTÉ"]
      ),
      (["Schön", "Mütter"], "schon sehr schade, meine Mutter und Schön", false, ["Schön = Schön"]),
      (["Мой"], "мои книги и мой стол", false, ["Мой = мой"]),
      (
        ["Grünfeld"], "the grunfeld, the Gru\u{308}nfeld", true,
        ["Grünfeld = grunfeld", "Grünfeld = Gru\u{308}nfeld"]
      ),
      (["Chargé", "Rosé"], "no charge for the rose or a Chargé", true, ["Chargé = Chargé"]),
      (["Côté", "Cote"], "cote and côté", true, ["Cote = cote", "Côté = côté"]),
    ] as [([String], String, Bool, [String])])
  func accentsMakeOtherWords(_ names: [String], _ text: String, _ isEnglish: Bool, _ wanted: [String]) {
    #expect(found(text, EntityMatcher(names, comparesSounds: isEnglish)) == wanted)
  }

  /// In writing without spaces, names are found within other letters by their spelling, and never by their sounds.
  @Test(
    arguments: [
      (["安娜"], "我认识安娜小姐", ["安娜 = 安娜"]), (["東京"], "東京に行く。", ["東京 = 東京"]), (["安娜"], "公安，娜娜", []),
      (["แอนนา"], "ฉันชื่อแอนนาค่ะ", ["แอนนา = แอนนา"]), (["ก"], "กำลังกิน", []),
      (["東方不敗和王五"], "我认识安娜小姐很久", []), (["Grünfeld"], "我 ground felt 你", ["Grünfeld = ground felt"]),
      (["Anna Karenina"], "我认识Anna Karenina小姐", ["Anna Karenina = Anna Karenina"]),
      (["東京 Station"], "a stationary bike", []), (["علی"], "علی\u{200C}رغم", []),
      (["п'ять"], "пʼять", ["п'ять = пʼять"]),
    ] as [([String], String, [String])])
  func namesAreFoundWithinOtherLetters(_ names: [String], _ text: String, _ wanted: [String]) {
    #expect(found(text, EntityMatcher(names)) == wanted)
  }

  @Test func shortNamesMustMatchExactly() {
    let matcher = EntityMatcher(["Caro", "Ono", "Roy"])
    #expect(found("carol and car owe a row to roi", matcher).isEmpty)
    #expect(found("caro", matcher) == ["Caro = caro"])
  }

  @Test func ambiguousNamesAreNotTaken() {
    let one = EntityMatcher(["Furosemide"])
    let two = EntityMatcher(["Furosemide", "Furosemite"])
    #expect(found("the furosemid", one) == ["Furosemide = furosemid"])
    #expect(found("the furosemid", two) == [])
    // Unless one of them was said.
    #expect(found("the furosemite", two) == ["Furosemite = furosemite"])
  }

  @Test func longestExactNameWins() {
    let matcher = EntityMatcher(["Winawer", "Winawer Variation", "Variation"])
    #expect(found("the winawer variation", matcher) == ["Winawer Variation = winawer variation"])
    #expect(found("the winawer", matcher) == ["Winawer = winawer"])
  }

  @Test func namesDoNotCrossLines() {
    #expect(found("the winawer\nvariation").isEmpty)
    #expect(found("the ground\nfelt").isEmpty)
  }

  @Test func callersMayAddCommonWords() {
    let strict = EntityMatcher(["Grünfeld"], isCommonWord: { ["ground", "felt"].contains($0) })
    #expect(found("the ground felt cold", strict).isEmpty)
  }

  @Test func emptyAndUnusualNamesAreAccepted() {
    #expect(found("a b", EntityMatcher(["", " ", "-", "a"])) == ["a = a"])
    #expect(found("b", EntityMatcher([])) == [])
    #expect(found("日本語 です", EntityMatcher(["日本語"])) == ["日本語 = 日本語"])
    #expect(found("x y", EntityMatcher([String(repeating: "long ", count: 300)])) == [])
  }

  @Test(arguments: 0..<100) func matchesAreInOrderWithoutOverlaps(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = MisheardSentences.all.flatMap { $0.heard.split(separator: " ").map(String.init) }
    let text = (0..<60).map { _ in
      Bool.random(using: &random)
        ? words.randomElement(using: &random) ?? "" : RandomTranscripts.word(&random)
    }.joined(separator: " ")
    let names = MisheardSentences.terms.values.flatMap { $0 }.sorted() + Self.names
    let matcher = EntityMatcher(names)
    let matches = matcher.matches(in: text)
    #expect(matches == matcher.matches(in: text))
    #expect(zip(matches, matches.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
    let bytes = Array(text.utf8)
    #expect(matches.allSatisfy { String(validating: bytes[$0.range], as: UTF8.self) != nil })
    #expect(matches.allSatisfy { names.indices.contains($0.entity) })
    #expect(matches.allSatisfy { $0.score > 0.6 })
    #expect(matches.allSatisfy { $0.score <= 1 })
  }
}
