import Testing

@testable import LonghandCommand

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(verb: "transcribe", options: TranscribeCommand.description.allOptions)

  private func failure(_ arguments: String...) -> Failure? {
    #expect(throws: Failure.self) { try parser.parse(arguments) }
  }

  @Test func everyWayToWriteAValueIsParsed() throws {
    for arguments in [
      ["-o", "a.srt"], ["-oa.srt"], ["-o=a.srt"], ["--output", "a.srt"], ["--output=a.srt"],
      ["-qo", "a.srt"], ["-qoa.srt"],
    ] {
      #expect(try parser.parse(arguments).value(.output) == "a.srt", "\(arguments)")
    }
  }

  @Test func twoNamesOfAnOptionTakeOneValue() throws {
    let parser = AuditCommand.description.parser
    for arguments in [
      ["--apply", "-o", "b.srt"], ["--apply", "b.srt"], ["-o", "b.srt"], ["--apply=b.srt"],
    ] {
      let parsed = try parser.parse(["a.srt", "a.wav"] + arguments)
      #expect(parsed.operands == ["a.srt", "a.wav"], "\(arguments)")
      #expect(parsed.given(AuditCommand.description.options).map(\.value) == ["b.srt"], "\(arguments)")
    }
    #expect(throws: Failure.self) { try parser.parse(["a.srt", "a.wav", "--apply", "-o"]) }
    #expect(throws: Failure.self) { try parser.parse(["a.srt", "a.wav", "--apply", "--json"]) }
  }

  @Test func valuesMayContainEqualSignsOrDashesOrBeEmpty() throws {
    #expect(try parser.parse(["--output=a=b"]).value(.output) == "a=b")
    #expect(try parser.parse(["--output="]).value(.output) == "")
    #expect(try parser.parse(["--output=--odd"]).value(.output) == "--odd")
    #expect(try parser.parse(["-o", "-"]).value(.output) == "-")
  }

  @Test func operandsMayComeBeforeOrAfterOptions() throws {
    let parsed = try parser.parse(["a.wav", "--srt", "-", "-q", "--", "--force", "-o"])
    #expect(parsed.operands == ["a.wav", "-", "--force", "-o"])
    #expect(parsed.has(.srt))
    #expect(parsed.has(.quiet))
    #expect(!parsed.has(.force))
    #expect(!parsed.has(.output))
  }

  @Test func lastOfRepeatedOptionsCounts() throws {
    let parsed = try parser.parse(["--jobs", "2", "--jobs", "4"])
    #expect(try parsed.integer(.jobs, in: 1...8) == 4)
  }

  @Test func givenOptionsKeepTheirOrder() throws {
    let parsed = try parser.parse(["--vtt", "--format", "txt", "--srt"])
    #expect(parsed.given([.format, .srt, .vtt]).map(\.option) == ["--vtt", "--format", "--srt"])
  }

  /// `serve` gives its options to `transcribe`, which takes no flag with a value.
  @Test func givenOptionsCanBeGivenOn() throws {
    let given = ["--locale", "en-US", "--allow-server", "--srt"]
    let arguments = try parser.parse(given).arguments(of: Option.recognition)
    #expect(arguments == ["--locale=en-US", "--allow-server"])
    let parsed = try parser.parse(arguments)
    #expect(parsed.value(.locale) == "en-US")
    #expect(parsed.has(.allowServer))
  }

  @Test func unknownOptionIsRefusedWithASuggestion() {
    #expect(failure("--formt", "srt")?.hint == "Did you mean --format?")
    #expect(failure("--formt=srt")?.message == "The verb 'transcribe' has no option --formt.")
    #expect(failure("-format", "srt")?.hint == "Did you mean --format?")
    #expect(failure("-zoo.wav")?.hint == "Write ./-zoo.wav, or write -- before the names of files.")
    #expect(failure("--word-timestmaps")?.hint == "Did you mean --word-timestamps?")
    #expect(failure("--output-d")?.hint == "Did you mean --output-dir?")
    #expect(failure("-x")?.message == "The verb 'transcribe' has no option -x.")
    #expect(failure("--zebra", "chess.json5")?.hint == "Run 'longhand help transcribe' to see its options.")
  }

  @Test func missingValueDoesNotConsumeTheNextOption() {
    #expect(failure("-o")?.message == "The option -o needs a value (FILE).")
    #expect(failure("-o", "--srt")?.message == "The option -o needs a value (FILE), but --srt follows.")
    #expect(failure("--srt=yes")?.message == "The option --srt takes no value.")
  }

  @Test(arguments: ["0", "-1", "1.5", "many", "", "9", " 4"]) func numberOutOfRangeIsRefused(_ text: String)
    throws
  {
    let parsed = try parser.parse(["--jobs=\(text)"])
    #expect(throws: Failure.self) { try parsed.integer(.jobs, in: 1...8) }
  }
}
