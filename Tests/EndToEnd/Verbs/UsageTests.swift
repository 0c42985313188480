import Foundation
import TestSupport
import Testing

@testable import LonghandCommand

/// What the program says before it does anything.
@Suite(.tagged(.childProcess)) struct UsageTests {
  @Test func theVersionIsOneLine() async throws {
    let result = try await LonghandProcess.run("--version")
    #expect(result.status == 0)
    #expect(result.output == "longhand 0.1.0\n")
    #expect(result.errors.isEmpty)
  }

  @Test func helpGoesToStandardOutput() async throws {
    for arguments in [["--help"], ["-h"], ["help"]] {
      let result = try await LonghandProcess(arguments).result()
      #expect(result.status == 0)
      #expect(result.output == HelpPage.overview)
      #expect(result.errors.isEmpty)
    }
    for verb in Verbs.all.map({ $0.description }) {
      for arguments in [["help", verb.name], [verb.name, "--help"], [verb.name, "-h"]] {
        let result = try await LonghandProcess(arguments).result()
        #expect(result.status == 0)
        #expect(result.output == HelpPage.page(for: verb))
      }
    }
  }

  @Test(arguments: [
    [], ["serve", "x"], ["serve", "--port", "99999"], ["recrod"], ["vocabulary"], ["transcrbe"],
    ["--verbose"], ["help", "nothing"], ["transcribe"],
    ["transcribe", "--engine", "fast", "a.wav"], ["transcribe", "--normalise", "a.wav"],
    ["transcribe", "--library", "l", "a.wav"], ["transcribe", "--jobs", "0", "a.wav"], ["transcribe", ""],
    ["transcribe", "--raw", "s16le:16000:1", "a.wav"], ["transcribe", "-", "-"],
    ["transcribe", "--progress", "x", "a"],
    ["transcribe", "--locale", "", "a.wav"], ["transcribe", "--alternatives", "x", "a.wav"],
    ["score", "a.txt"], ["score", "--reference", "a.txt"],
    ["score", "--reference", "a.txt", "b.txt", "c.txt"],
    ["evaluate"], ["evaluate", "a.tsv", "b.tsv"], ["doctor", "me"],
  ])
  func badUsageIsOneLineAndStatusTwo(_ arguments: [String]) async throws {
    let result = try await LonghandProcess(arguments).result()
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.hasPrefix("longhand: "))
    #expect(result.errors.contains(". "), "A second sentence says what to do: \(result.errors)")
  }

  @Test func errorsAreObjectsForPrograms() async throws {
    let result = try await LonghandProcess.run("transcribe", "--json-errors", "--formt", "srt", "a.wav")
    #expect(result.status == 2)
    let object = try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: [String: Any]]
    #expect(object?["error"]?["code"] as? String == "usage")
    #expect(object?["error"]?["hint"] as? String == "Did you mean --format?")
  }

  @Test func aClosedReaderIsNoCrash() async throws {
    let result = try await LonghandProcess.shell(
      "(sleep 0.3; longhand help transcribe) | true; exit ${PIPESTATUS[0]}")
    #expect(result.status == 1)
    #expect(result.errors.isEmpty)
  }

  @Test func outputThatCannotBeWrittenIsAFailure() async throws {
    for redirection in ["> /dev/full", ">&-"] {
      let result = try await LonghandProcess.shell("longhand --help \(redirection)")
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("longhand: Cannot write to standard output"))
    }
  }
}
