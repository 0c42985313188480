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
    ["serve", "x"], ["serve", "--port", "99999"], ["recrod"], ["vocabulary"], ["transcrbe"],
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

  @Test func programAloneShowsWhatItDoesWithThreeExamples() async throws {
    let result = try await LonghandProcess.run()
    #expect(result.status == 0)
    #expect(result.output.hasPrefix(HelpPage.overview))
    #expect(result.outputLines.count { $0.hasPrefix("  longhand ") } == 3)
  }

  /// What is missing, and the words that say what to do.
  @Test(
    .recognizer(.pocketSphinx),
    arguments: [
      (["talk.wav"], 2, "longhand transcribe talk.wav"),
      (["my talk.mp3"], 2, "longhand transcribe 'my talk.mp3'"),
      (["recrod"], 2, "Did you mean 'record'?"), (["sessions"], 0, "'longhand import FILE'"),
      (["transcribe", "--locale", "tlh", "a.wav"], 1, "Available: English (en-US)"),
      (["transcribe", "--locale", "de-DE", "a.wav"], 1, "Models that do: parakeet-tdt-0.6b-v3"),
      (["doctor"], 0, ""),
    ] as [([String], Int32, String)])
  func hintsSayWhatToDo(_ arguments: [String], _ status: Int32, _ hint: String) async throws {
    let folder = try TemporaryFolder()
    let environment = [
      "LONGHAND_LIBRARY": folder.path("library"),
      "SPEECH_SYSTEM_MODEL_PATH": folder.path("none"),
    ]
    guard arguments != ["doctor"] else {
      // A file of recognizers that is not there.
      let result = try await LonghandProcess.run(
        "doctor", environment: environment.merging(["SPEECH_RECOGNIZERS": "/nonexistent.json"]) { $1 })
      #expect(result.output.contains("The file /nonexistent.json of SPEECH_RECOGNIZERS cannot be read"))
      #expect(result.outputLines.allSatisfy { $0.count < 250 }, "\(result.output)")
      return
    }
    let result = try await LonghandProcess(arguments, environment: environment, in: folder.url).result()
    #expect(result.status == status)
    #expect(result.errors.contains(hint), "\(result.errors)")
  }

  /// A reader whose English is a second language must understand each message and each help text at once.
  @Test func messagesAreInCommonWords() async throws {
    let unusual = ["nobody", "somebody", "whoever", "apart", "is told", "are told", "all the same"]
    let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources").standardized
    let words = unusual.joined(separator: "|")
    let found = try await LonghandProcess.shell(
      #"grep -rniE --include=*.swift '^[^/]*"[^"]*\b(\#(words))\b' "\#(sources.path)""#)
    #expect(found.status == 1, "\(found.output)\(found.errors)")
    for text in [HelpPage.overview] + Verbs.all.map({ HelpPage.page(for: $0.description) }) {
      let used = unusual.filter { text.lowercased().contains(" \($0) ") }
      #expect(used.isEmpty, "\(text.prefix(40))")
    }
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
