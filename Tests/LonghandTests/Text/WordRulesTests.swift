import Foundation
import Testing

@testable import Longhand

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
