import Foundation
import TestSupport
import Testing

/// What `evaluate` finds out before it recognizes anything.
@Suite(.tagged(.childProcess)) struct EvaluateInputTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("a b c\n", [], "m.tsv:1: "), ("# nothing\n", [], "m.tsv: The manifest lists no recording."),
    ("a.wav\tnone.txt\n", [], "m.tsv:1: "), ("a.wav\tx\n", ["--terms", "none"], "none: "),
    ("a.wav\tx\n", ["--baseline", "m.tsv"], "m.tsv: The file is not an evaluation report."),
    ("a.wav\tx\n", ["--baseline", "none.json"], "none.json: Cannot read the file."),
  ])
  func mistakesHaveTheirLine(_ manifest: String, _ arguments: [String], _ place: String) async throws {
    try folder.write(manifest, to: "m.tsv")
    let result = try await LonghandProcess(["evaluate", "m.tsv"] + arguments, in: folder.url).result()
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains(place))
  }

  @Test func missingRecordingsAreNoPerfectResult() async throws {
    try folder.write("a.wav\tx\n", to: "m.tsv")
    let result = try await LonghandProcess.run("evaluate", "m.tsv", in: folder.url)
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("a.wav: No such file."))
    #expect(result.errors.contains("1 of 1 recordings failed"))
  }
}
