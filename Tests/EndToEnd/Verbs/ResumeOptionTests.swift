import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct ResumeOptionTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The digest of what the output depends on beside its audio.
  private func options(_ arguments: [String]) throws -> String {
    let audio = try folder.write("audio", to: "a.wav")
    let parsed = try TranscribeCommand.description.parser.parse(
      [audio, "--resume", folder.url.path] + arguments)
    let input = AudioInput(operand: audio)
    let resume = try #require(try ResumeOption(parsed, inputs: [input]))
    return try resume.entry(for: input, TranscriptionOptions()).options
  }

  /// The next option that is added to the verb counts without a change here.
  @Test func everyOptionIsRelevantExceptThoseThatChangeNoOutput() throws {
    let irrelevant: [LonghandCommand.Option] = [
      .force, .recursive, .filesFrom, .raw, .join, .listTracks, .log, .jobs, .progress, .quiet,
    ]
    let plain = try options([])
    for option in TranscribeCommand.description.options
    where ![.output, .outputFolder, .resume].contains(option) {
      let given = try options([option.value == nil ? option.name : "\(option.name)=1"])
      #expect((given == plain) == irrelevant.contains(option), "\(option.name)")
    }
    #expect(try options(["--tracks", "1"]) != options(["--tracks", "2"]))
  }

  @Test(arguments: ["Kimura", "Müller", "山田太郎"]) func namesInAFileAreRelevant(_ name: String) throws {
    let file = try folder.write("\(name)\n", to: "names.txt")
    let first = try options(["--entities", file])
    #expect(try options(["--entities", file]) == first)
    try folder.write("\(name)\nWinawer\n", to: "names.txt")
    #expect(try options(["--entities", file]) != first)
  }
}
