import Foundation
import Longhand
import Testing

@testable import LonghandTranscripts
@testable import LonghandVocabulary

/// The rules about words, on words as recognizers write them: with marks and capitals or without, with confidence or without,
/// in several writings.
@Suite struct WordRulesTests {
  private static func candidate(_ text: String, _ range: ClosedRange<Double>, _ confidence: Double?)
    -> Candidate
  {
    let words = text.split(separator: " ")
    let length = (range.upperBound - range.lowerBound) / Double(max(1, words.count))
    return Candidate(
      text: text,
      words: words.enumerated().map { index, word in
        let start = range.lowerBound + Double(index) * length
        return Word(text: String(word), start: start, end: start + length, confidence: confidence)
      }, confidence: confidence)
  }

  /// The same words for the same audio are one segment; other words are two.
  @Test(
    arguments: [
      ("so it goes on", "so it goes on", 1), ("So it goes on.", "so it goes on", 1),
      ("so it goes on", "So, it goes on?", 1), ("So it goes on.", "So it goes in.", 2),
      ("Так и есть.", "так и есть", 1), ("Так и есть.", "Так и было.", 2), ("そうです。", "そうです", 1),
      ("그래요.", "그래요", 1),
    ], [nil, 0.5])
  func repetitionIsKnownByItsWords(_ row: (first: String, second: String, count: Int), _ confidence: Double?)
  {
    var accumulator = TranscriptAccumulator()
    let first = accumulator.receive(
      .final(start: 0, end: 2, candidates: [Self.candidate(row.first, 0...2, confidence)]))
    let second = accumulator.receive(
      .final(start: 0.4, end: 3, candidates: [Self.candidate(row.second, 0.4...3, confidence)]))
    #expect([first, second].compactMap(\.self).count == row.count)
  }

  /// The rows have what the recognizer wrote, and the text with the corrections.
  @Test(arguments: [
    ("he played the when our", "he played the Winawer"), ("When our, he said.", "Winawer, he said."),
    ("Was it the \"when our\"?", "Was it the \"Winawer\"?"), ("when our's", "when our's"),
    ("whenever our", "whenever our"), ("Это каро кан.", "Это Каро-Канн."),
    ("der grosse preis!", "der Große Preis!"),
  ])
  func correctionsKeepTheMarksAround(_ said: String, _ text: String) {
    let table = CorrectionTable([
      .init(recognized: "when our", text: "Winawer"), .init(recognized: "Каро кан", text: "Каро-Канн"),
      .init(recognized: "Grosse Preis", text: "Große Preis"),
    ])
    var edits = TextEdits(said)
    table.correct(&edits)
    #expect(edits.applied().text == text)
  }

  /// In writing without spaces, a correction is made within other letters, but not within one with its marks, nor across the end of
  /// a phrase. Elsewhere it is made in whole words only, whatever is between their letters.
  @Test(arguments: [
    ("安娜", "安那", "我认识安娜小姐", "我认识安那小姐"), ("安娜", "安那", "公安，娜娜", "公安，娜娜"),
    ("安", "按", "公安。", "公按。"), ("Anna", "安娜", "我认识Anna小姐", "我认识安娜小姐"),
    ("学校", "がっこう", "私は学校に行く。", "私はがっこうに行く。"),
    ("アンナ・カレーニナ", "Anna", "彼女がアンナ・カレーニナです", "彼女がAnnaです"),
    ("แอนนา", "Anna", "ฉันชื่อแอนนาค่ะ", "ฉันชื่อAnnaค่ะ"), ("น", "X", "นี่ นา เน น้ำ น", "นี่ นา เน น้ำ X"),
    ("علی", "Ali", "علی\u{200C}رغم این … علی", "علی\u{200C}رغم این … Ali"),
    ("col", "Kohl", "el col·legi i el col", "el col·legi i el Kohl"), ("צה", "Tsa", "צה״ל וצה", "צה״ל וצה"),
    ("राम", "Ram", "राम\u{200D}पुर राम", "राम\u{200D}पुर Ram"), ("п'ять", "5", "пʼять", "5"),
  ])
  func correctionIsMadeInWholeWords(_ heard: String, _ text: String, _ said: String, _ written: String) {
    var edits = TextEdits(said)
    CorrectionTable([.init(recognized: heard, text: text)]).correct(&edits)
    #expect(edits.applied().text == written)
  }

  /// Where a longer one does not fit, a shorter one does.
  @Test func longestCorrectionThatFitsIsMade() {
    var edits = TextEdits("安娜和安娜小姐")
    CorrectionTable([
      .init(recognized: "安娜小姐", text: "安那女士"), .init(recognized: "安娜", text: "安那"),
    ]).correct(&edits)
    #expect(edits.applied().text == "安那和安那女士")
  }

  /// The names are what `longhand terms` lists.
  @Test(arguments: ["zh-CN", "en-US"]) func namesInWritingWithoutSpacesAreFound(_ locale: String) {
    let normalizer = TranscriptNormalizer(
      corrections: [.init(recognized: "安那", text: "安娜")], entities: ["安娜"], terms: ["东京"],
      locale: Locale(identifier: locale))
    let text = "我认识安那小姐，她在东京。安娜？"
    let normalized = normalizer.normalizeLocally(text)
    #expect(normalized.text == "我认识安娜小姐，她在东京。安娜？")
    #expect(normalized.occurrences.map(\.term) == ["安娜", "安娜"])
  }

  /// It refuses the letters that the model changes, and no others.
  @Test func modelMayPunctuateWritingWithoutSpaces() async {
    let normalizer = TranscriptNormalizer(
      entities: ["安娜"], locale: Locale(identifier: "zh-CN"), model: TestModel("我认识安娜小姐，她在北京很久了。"),
      clock: TestClock())
    let text = "我认识安娜小姐她在东京很久了"
    let normalized = await normalizer.normalize(text)
    #expect(normalized.text == "我认识安娜小姐，她在东京很久了。")
  }

  /// The rows have what the recognizer wrote, and the names in it as they stand there.
  @Test(arguments: [
    ("we met hagenau in york", ["hagenau"]), ("Hagenau, we met.", ["Hagenau"]),
    ("(HAGENAU!) and Hagenau's", ["HAGENAU", "Hagenau"]), ("the hagenaus", []),
    ("Мы были в москве.", ["москве"]), ("京都、です", ["京都"]),
  ])
  func namesAreFoundWithMarksAndWithout(_ text: String, _ expected: [String]) {
    let matcher = EntityMatcher(["Hagenau", "Москве", "京都"], comparesSounds: false)
    let bytes = Array(text.utf8)
    let found = matcher.matches(in: text).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    #expect(found == expected)
  }
}
