import Foundation
import Longhand
import Testing

@Suite struct ScoredTextTests {
  private func read(_ text: String, _ format: ScoredText.Format) throws -> ScoredText {
    try ScoredText.read(Data(text.utf8), format: format, file: "file")
  }

  private func expectError(
    _ text: String, _ format: ScoredText.Format, line: Int, _ reason: EvaluationInputError.Reason
  ) {
    #expect(throws: EvaluationInputError(file: "file", line: line, reason: reason)) { try read(text, format) }
  }

  @Test func plainTextIsRead() throws {
    let text = try read("\u{FEFF}one\r\ntwo\n", .txt)
    #expect(text.text == "one\ntwo")
    #expect(text.files == [""])
    #expect(try read("", .txt).text == "")
  }

  @Test func stmIsRead() throws {
    let text = try read(
      """
      ;; a comment
      b 1 anna 2.0 3.0 <o,f0,female> later words
      b 1 anna 0.5 1.5 first  words
      b 1 anna 4 5 IGNORE_TIME_SEGMENT_IN_SCORING

      a A bert 0 1
      """, .stm)
    #expect(text.utterances.map(\.text) == ["", "first words", "later words"])
    #expect(text.files == ["a", "b"])
    #expect(text.ignored.map(\.start) == [4])
  }

  @Test func ctmIsSorted() throws {
    let text = try read(
      ";; comment\nb 1 0.2 0.1 three 0.9\na 1 1.0 0.1 two NA\na 1 0.0 0.1 one\n", .ctm)
    #expect(text.text == "one two three")
    #expect(text.utterances[0].end == 0.1)
  }

  @Test func errorsHaveTheirLine() {
    expectError(
      "a 1 x 0\n", .stm, line: 1,
      .columns(found: 4, expected: "file channel speaker begin end [<label>] text"))
    expectError("a 1 x 0 1 b\na 1 x zero 1 b", .stm, line: 2, .time("zero"))
    expectError("a 1 x 2 1 b", .stm, line: 1, .endBeforeStart)
    expectError("a 1 x 0 1 { b / c }", .stm, line: 1, .alternation)
    expectError(
      "\n\na 1 0.0 0.1", .ctm, line: 3,
      .columns(found: 4, expected: "file channel begin duration word [confidence]"))
    expectError(
      "a 1 0 0.1 b 1 2", .ctm, line: 1,
      .columns(found: 7, expected: "file channel begin duration word [confidence]"))
    expectError("a 1 0 -1 b", .ctm, line: 1, .time("-1"))
    expectError("a 1 nan 1 b", .ctm, line: 1, .time("nan"))
    expectError("a 1 0 1 b high", .ctm, line: 1, .confidence("high"))
    expectError("a 1 * * <ALT_BEGIN>", .ctm, line: 1, .alternation)
  }

  @Test(arguments: ScoredText.Format.allCases) func invalidUTF8IsAnError(format: ScoredText.Format) {
    let data = Data("a 1 x 0 1 b\n".utf8) + [0xFF, 0x0A]
    #expect(throws: EvaluationInputError(file: "file", line: 2, reason: .invalidUTF8)) {
      try ScoredText.read(data, format: format, file: "file")
    }
  }

  @Test func formatFollowsFileExtension() throws {
    try Folder.temporary { folder in
      let file = folder.appendingPathComponent("words.CTM")
      try Data("a 1 0 1 hello".utf8).write(to: file)
      #expect(try ScoredText.read(contentsOf: file).text == "hello")
      let other = folder.appendingPathComponent("words.doc")
      #expect(throws: EvaluationInputError(file: other.path, reason: .unknownFormat("doc"))) {
        try ScoredText.read(contentsOf: other)
      }
      let missing = folder.appendingPathComponent("missing.txt")
      #expect { try ScoredText.read(contentsOf: missing) } throws: { error in
        "\(error)".hasPrefix("\(missing.path): cannot be read: ")
      }
    }
  }

  @Test func errorMessageSaysWhatToDo() {
    let error = EvaluationInputError(file: "a.stm", line: 3, reason: .time("zero"))
    #expect(
      error.description
        == "a.stm:3: 'zero' is not a time in seconds; write a number of 0 or more, such as 12.5")
  }

  /// What is exported can be scored.
  @Test func exportedWordsCanBeScored() throws {
    let text = try read(TranscriptFormatter(format: .ctm).string(for: .sample), .ctm)
    #expect(text.text == "Play the \"Kimura\" now R&B <3")
    #expect(text.files == ["my_talk.wav"])
  }
}
