import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct OutputPlanTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func plan(_ arguments: String...) throws -> OutputPlan { try Self.plan(arguments) }

  private static func plan(_ arguments: [String]) throws -> OutputPlan {
    let parsed = try TranscribeCommand.description.parser.parse(arguments)
    return try OutputPlan(parsed, inputs: parsed.operands.map(AudioInput.init))
  }

  @Test func textIsPrintedByDefault() throws {
    for arguments in [["a.wav"], ["a.wav", "-o", "-"], ["a.wav", "--txt"]] {
      let plan = try Self.plan(arguments)
      #expect(plan.destination == .standardOutput)
      #expect(plan.formats == [.txt])
      #expect(plan.files(for: AudioInput(operand: "a.wav")).isEmpty)
    }
  }

  @Test func repeatedFormatsAreWrittenOnce() throws {
    let plan = try plan("--vtt", "--format", "srt,JSON", "--format=vtt,txt", "--output-dir", "out", "a.wav")
    #expect(plan.formats == [.vtt, .srt, .json, .txt])
  }

  @Test func extensionSelectsTheFormatUnlessAnOptionDoes() throws {
    #expect(try plan("a.wav", "-o", "b.SRT").formats == [.srt])
    #expect(try plan("a.wav", "-o", "b.TextGrid").formats == [.textgrid])
    #expect(try plan("a.wav", "-o", "b.notes", "--txt").formats == [.txt])
    #expect(try plan("a.wav", "-o", "/dev/stdout").formats == [.txt])
    #expect(try plan("a.wav", "-o", "srt").formats == [.txt])
    #expect(try plan("a.wav", "-o", "b.srt", "--vtt").formats == [.vtt])
  }

  @Test func outputFolderHoldsOneFilePerInputAndFormat() throws {
    let plan = try plan("x/talk.2.wav", "-", "--srt", "--json", "--output-dir", "out/")
    #expect(
      plan.files(for: AudioInput(operand: "x/talk.2.wav")).map(\.path) == [
        "out/talk.2.srt", "out/talk.2.json",
      ])
    #expect(plan.files(for: AudioInput(operand: "-")).map(\.path) == ["out/stdin.srt", "out/stdin.json"])
  }

  @Test(arguments: [
    ["a.wav", "--format", "srx"], ["a.wav", "--format="], ["a.wav", "--format", ","],
    ["a.wav", "-o", "b", "--output-dir", "c"], ["a.wav", "-o", ""], ["a.wav", "-o="],
    ["a.wav", "--output-dir="],
    ["a.wav", "--srt", "--vtt"], ["a.wav", "b.wav", "-o", "c.txt"], ["a.wav", "--srt", "--vtt", "-o", "c"],
    ["a.wav", "b.wav", "--srt"], ["a.wav", "b.wav", "--vtt"], ["a.wav", "b.wav", "--format", "tsv"],
    ["a.wav", "b.wav", "--format", "md"], ["a.wav", "b.wav", "--format", "textgrid"],
    ["a.wav", "-o", "b.notes"], ["a.wav", "b.wav", "--format", "edl"],
  ])
  func conflictingOptionsAreBadUsage(_ arguments: [String]) {
    let failure = #expect(throws: Failure.self) { try Self.plan(arguments) }
    #expect(failure?.status == 2)
    #expect(failure?.hint != nil)
  }

  @Test func unknownExtensionNamesTheFormats() throws {
    let failure = #expect(throws: Failure.self) { try plan("a.wav", "-o", "x.pdf") }
    #expect(try #require(failure?.message).contains("'pdf'"))
    #expect(try #require(failure?.hint).contains("txt srt vtt json jsonl tsv ctm textgrid md"))
    #expect(try plan("a.wav", "-o", "x.docx").formats == [.docx])
  }

  /// Also under another name, and whatever kind of input it is.
  @Test(arguments: ["--entities", "--vocabulary", "--files-from"])
  func otherInputsAreNotReplacedEither(_ option: String) throws {
    let names = try folder.write("Müller\n山田\n", to: "names.txt")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.txt"), withDestinationPath: names)
    for output in [names, folder.path("link.txt")] {
      let failure = #expect(throws: Failure.self) {
        try plan("a.wav", option, names, "-o", output, "--force")
      }
      #expect(failure?.status == 2)
    }
  }

  @Test func textIsNotReplacedByItsAlignment() throws {
    let text = try folder.write("Guten Morgen", to: "talk.txt")
    for output in [["-o", text], ["--output-dir", folder.url.path, "--txt"]] {
      let parsed = try AlignCommand.description.parser.parse(
        [folder.path("talk.wav"), text, "--force"] + output)
      let failure = #expect(throws: Failure.self) { try AlignCommand(parsed) }
      #expect(failure?.status == 2)
      #expect(failure?.message.contains("is the input") == true)
    }
  }

  @Test func auditedFilesAreNotReplaced() throws {
    let (text, audio) = (
      try folder.write("Привет", to: "talk.txt"), try folder.write("audio", to: "talk.wav")
    )
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.txt"), withDestinationPath: text)
    func audit(_ arguments: [String]) throws {
      _ = try AuditCommand(AuditCommand.description.parser.parse(arguments + ["--force"]))
    }
    for option in ["--html", "--apply"] {
      for output in [text, audio, folder.path("link.txt")] {
        #expect(throws: Failure.self) { try audit([text, audio, option, output]) }
      }
      #expect(throws: Failure.self) { try audit(["last", "--against", text, option, text]) }
      try audit([text, audio, option, folder.path("new.txt")])
    }
    let new = folder.path("new.html")
    #expect(throws: Failure.self) { try audit([text, audio, "--html", new, "--apply", new]) }
    let other = folder.url.path + "/./new.html"
    #expect(throws: Failure.self) { try audit([text, audio, "--html", new, "--apply", other]) }
    try audit([text, audio, "--html", new, "--apply", folder.path("new.txt")])
  }

  @Test func inputDoesNotLoseItsNameToInterruptedWork() throws {
    let folder = try TemporaryFolder()
    let recording = try folder.write("sound", to: "talk.txt.partial")
    #expect(throws: Failure.self) { try plan(recording, "-o", folder.path("talk.txt")) }
  }

  @Test(arguments: ["txt", "ctm", "json", "jsonl"]) func severalInputsMayShareStandardOutput(_ format: String)
    throws
  {
    #expect(try plan("a.wav", "b.wav", "--format", format).destination == .standardOutput)
  }

  @Test func severalSubtitlesOnStandardOutputPointToOutputDir() throws {
    let failure = #expect(throws: Failure.self) { try plan("a.wav", "b.wav", "--srt") }
    #expect(try #require(failure?.hint).contains("--output-dir"))
  }

  @Test func forceDoesNotReplaceAnInput() throws {
    let folder = try TemporaryFolder()
    let recording = try folder.write("sound", to: "talk.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.txt"), withDestinationPath: recording)
    for output in [recording, folder.path("link.txt"), folder.path("./talk.txt")] {
      #expect(throws: Failure.self) { try plan(recording, "-o", output, "--force") }
    }
    #expect(throws: Failure.self) { try plan(recording, "--output-dir", folder.url.path, "--force") }
  }
}
