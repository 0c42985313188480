import Testing

@testable import SentenceFormatting

/// The marks of a punctuation model are taken over; everything else of its text is refused.
struct WordMarksTests {
  private static let words = ["yes", "start", "i'm", "nine"]

  private func read(_ text: String, ofLast count: Int = 4) -> [WordMarks]? {
    WordMarks.marks(ofLast: count, of: Self.words, in: text)
  }

  private func written(_ marks: [WordMarks?], names: [String: String] = [:]) -> String {
    var formatter = SentenceFormatter(language: "en", names: names)
    let words = zip(Self.words, marks).enumerated().map { index, pair in
      // Without pauses, where the rules write nothing.
      SentenceFormatter.Word(
        text: pair.0, start: Double(index), end: Double(index + 1), marks: pair.1)
    }
    let outputs = words.compactMap { formatter.append($0) } + [formatter.finish()].compactMap(\.self)
    return outputs.map(\.text).joined(separator: " ")
  }

  @Test func marksAndCapitalsAreWritten() throws {
    let text = "Yes, start. I'm NINE?"
    let marks = try #require(read(text))
    #expect(marks.map(\.before) == [nil, .comma, .period, SentenceFormatter.Mark.none])
    #expect(marks.map(\.after) == [nil, nil, nil, .question])
    #expect(marks.map(\.capitals) == [.first, .none, .first, .all])
    #expect(written(marks) == text)
    #expect(written(marks, names: ["nine": "Nine"]) == "Yes, start. I'm Nine?")
  }

  @Test func wordsThatWereWrittenBeforeGetNoMarks() throws {
    let marks = try #require(read("yes start, I'm nine", ofLast: 2))
    #expect(marks.map(\.before) == [.comma, SentenceFormatter.Mark.none])
  }

  /// A word of a segment without marks is written by the rules, and so is the end of a text without one.
  @Test func rulesWriteWhatTheModelDoesNot() {
    let comma = WordMarks(capitals: .none, before: .comma, after: nil)
    #expect(written([nil, comma, nil, nil]) == "Yes, start I'm nine.")
  }

  @Test(arguments: [
    "", "yes start i'm", "yes start i'm nine ten", "yes start i'm ten", "start yes i'm nine",
    "yes start im nine", "yes  start i'm nine", "yes\nstart i'm nine", "yes start i'm nine ",
    "yes.. start i'm nine", "yes! start i'm nine", "yes start i\u{2019}m nine", "yes start i'm n\u{131}ne",
    "yes start i'm nine\u{200B}",
    "yes start i'm \u{FF4E}ine", "yesstart i'm nine .", ", yes start i'm nine",
  ]) func otherWordsAreRefused(text: String) {
    #expect(read(text) == nil)
  }

  @Test func marksAreKeptAsNumbers() {
    for code in 1...75 { #expect(WordMarks(code: code)?.code == code) }
    for code in [-1, 0, 76, 300] { #expect(WordMarks(code: code) == nil) }
  }
}
