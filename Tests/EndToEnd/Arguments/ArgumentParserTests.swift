import Testing

@testable import LonghandCommand

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(verb: "transcribe", options: TranscribeCommand.description.allOptions)

  private func failure(_ arguments: String...) -> Failure? {
    #expect(throws: Failure.self) { try parser.parse(arguments) }
  }

  @Test func valuesAreReadInEveryForm() throws {
    for arguments in [
      ["-o", "a.srt"], ["-oa.srt"], ["-o=a.srt"], ["--output", "a.srt"], ["--output=a.srt"],
      ["-qo", "a.srt"], ["-qoa.srt"],
    ] {
      #expect(try parser.parse(arguments).value(.output) == "a.srt", "\(arguments)")
    }
  }

  @Test func valuesMayHoldEqualSignsAndBeEmptyOrDashed() throws {
    #expect(try parser.parse(["--output=a=b"]).value(.output) == "a=b")
    #expect(try parser.parse(["--output="]).value(.output) == "")
    #expect(try parser.parse(["--output=--odd"]).value(.output) == "--odd")
    #expect(try parser.parse(["-o", "-"]).value(.output) == "-")
  }

  @Test func operandsMayStandAnywhere() throws {
    let parsed = try parser.parse(["a.wav", "--srt", "-", "-q", "--", "--force", "-o"])
    #expect(parsed.operands == ["a.wav", "-", "--force", "-o"])
    #expect(parsed.has(.srt))
    #expect(parsed.has(.quiet))
    #expect(!parsed.has(.force))
    #expect(!parsed.has(.output))
  }

  @Test func theLastOfSeveralCounts() throws {
    let parsed = try parser.parse(["--jobs", "2", "--jobs", "4"])
    #expect(try parsed.integer(.jobs, in: 1...8) == 4)
  }

  @Test func theOrderOfDifferentOptionsIsKept() throws {
    let parsed = try parser.parse(["--vtt", "--format", "txt", "--srt"])
    #expect(parsed.given([.format, .srt, .vtt]).map(\.option) == ["--vtt", "--format", "--srt"])
  }

  @Test func whatIsUnknownIsRefusedWithASuggestion() {
    #expect(failure("--formt", "srt")?.hint == "did you mean --format?")
    #expect(failure("--formt=srt")?.message == "transcribe has no option --formt")
    #expect(failure("-format", "srt")?.hint == "did you mean --format?")
    #expect(failure("--word-timestmaps")?.hint == "did you mean --word-timestamps?")
    #expect(failure("--output-d")?.hint == "did you mean --output-dir?")
    #expect(failure("-x")?.message == "transcribe has no option -x")
    #expect(failure("--zebra", "chess.json5")?.hint == "'longhand help transcribe' lists the options")
  }

  @Test func aForgottenValueDoesNotSwallowTheNextOption() {
    #expect(failure("-o")?.message == "-o needs a value (FILE)")
    #expect(failure("-o", "--srt")?.message == "-o needs a value (FILE), but --srt follows")
    #expect(failure("--srt=yes")?.message == "--srt takes no value")
  }

  @Test(arguments: ["0", "-1", "1.5", "many", "", "9", " 4"]) func numbersAreWholeAndInRange(_ text: String)
    throws
  {
    let parsed = try parser.parse(["--jobs=\(text)"])
    #expect(throws: Failure.self) { try parsed.integer(.jobs, in: 1...8) }
  }
}
