import Foundation
import ScriptedSpeech
import TestSupport
import Testing

/// What a signal leaves of `transcribe`. The recognizer is scripted: it recognizes the first utterances and then hangs.
@Suite(.tagged(.childProcess), .serialized) struct TranscribeInterruptionTests {
  private static let utterances = 10
  /// The utterance that is never answered, from 0.
  private static let hanging = 5

  private let folder: TemporaryFolder
  private let environment: [String: String]
  /// The text of each utterance.
  private let texts: [String]

  init() throws {
    folder = try TemporaryFolder()
    var script = SpeechScript(faults: [Self.hanging: [.hang]])
    script.isHopeless = true
    environment = try script.environment(in: folder.url).merging([
      // Two would begin utterances in any order, and the one that hangs is counted.
      "SPEECH_SERVICE_COUNT": "1", "SPEECH_SERVICE_PATIENCE": "200",
    ]) { $1 }
    var samples: [Int16] = []
    let words = (0..<Self.utterances).map { [$0, $0 + 8, $0 + 16] }
    for utterance in words {
      samples += SpokenTones.sound(of: utterance) + [Int16](repeating: 0, count: 24_000)
    }
    texts = words.map(SpokenTones.text)
    try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path("talk.wav"))
  }

  /// Sends a signal when the program has everything before the hanging utterance.
  ///
  /// Which finals it has is in its log of elections. It is not in the results that this returns.
  private func interrupted(_ signal: Int32, _ arguments: String...) async throws -> LonghandProcess.Result {
    let log = folder.path("log.txt")
    let line =
      "exec longhand transcribe talk.wav --log elections \(arguments.joined(separator: " ")) 2>'\(log)'"
    let process = try LonghandProcess([line], environment: environment, in: folder.url, shell: true)
    func logged() -> [String] { (try? String(contentsOfFile: log, encoding: .utf8)).map(lines) ?? [] }
    #expect(await eventually { logged().filter(Self.isElection).count == Self.hanging }, "\(logged())")
    process.send(signal)
    var result = try await process.result(within: .seconds(60))
    result.errors = logged().filter { !Self.isElection($0) }.joined(separator: "\n")
    return result
  }

  private static func isElection(_ line: String) -> Bool { line.contains("election at ") }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test func textThatCannotBePrintedIsReportedAfterASignal() async throws {
    let result = try await interrupted(SIGINT, "-q", ">/dev/full")
    #expect(result.status == 1)
    #expect(result.errors.contains("Cannot write to standard output: No space left on device."))
  }

  @Test(arguments: [SIGINT, SIGTERM]) func textThatIsFinalIsKeptBesideEachOutput(_ signal: Int32) async throws
  {
    try folder.write("whole", to: "out/talk.txt")
    try folder.write("earlier", to: "out/talk.txt.partial")
    let result = try await interrupted(
      signal, "--format", "txt,json,jsonl", "--output-dir", "out", "--force", "-q", "--style", "words")
    #expect(result.status == 128 + signal)
    #expect(result.output.isEmpty)
    #expect(try folder.read("out/talk.txt") == "whole")
    let kept = lines(try folder.read("out/talk.txt.partial"))
    #expect(kept == Array(texts.prefix(Self.hanging)))
    let document =
      try JSONSerialization.jsonObject(
        with: Data(try folder.read("out/talk.json.partial").utf8)) as? [String: Any]
    let duration = try #require(document?["duration"] as? Double)
    let coverage = try #require(document?["coverage"] as? [String: Double])
    #expect(try #require(coverage["pending"]) > 1)
    #expect(abs(coverage.values.reduce(0, +) - duration) < 0.01)
    let types = lines(try folder.read("out/talk.jsonl.partial")).map { $0.contains("\"type\": \"final\"") }
    #expect(types == Array(repeating: true, count: Self.hanging))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted() == [
        "talk.json.partial", "talk.jsonl.partial", "talk.txt", "talk.txt.partial",
      ])
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains("talk.wav: Interrupted: "))
    #expect(result.errors.contains(String(format: " of %.1f seconds", duration)))
    #expect(result.errors.contains("out/talk.txt.partial, out/talk.json.partial, out/talk.jsonl.partial"))
  }

  @Test(arguments: ["txt", "jsonl"]) func textThatIsFinalIsPrinted(_ format: String) async throws {
    let result = try await interrupted(SIGINT, "--format", format, "--style", "words")
    #expect(result.status == 130)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains("Interrupted: "))
    guard format == "jsonl" else {
      #expect(result.outputLines == Array(texts.prefix(Self.hanging)))
      return
    }
    let objects = try result.outputLines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["text"] as? String } == texts.prefix(Self.hanging).map { $0 })
    #expect(objects.map { $0["sequence"] as? Int } == Array(0..<Self.hanging))
  }

  @Test func interruptedImportSaysWhatStandsAndHowToGoOn() async throws {
    var samples = SpokenTones.sound(of: [1, 2]) + [Int16](repeating: 0, count: 24_000)
    for name in ["first.wav", "next.wav", "last.wav"] {
      samples.append(0)
      try Recordings.write(samples.withUnsafeBytes { Data($0) }, to: folder.path(name))
    }
    let process = try LonghandProcess(
      ["import", "--jobs", "1", "first.wav", "talk.wav", "next.wav", "last.wav"],
      environment: environment.merging(["LONGHAND_LIBRARY": folder.path("library")]) { $1 }, in: folder.url)
    let recordings = folder.path("library/recordings")
    let begun = { (try? FileManager.default.contentsOfDirectory(atPath: recordings))?.count == 2 }
    #expect(await eventually { begun() })
    process.send(SIGINT)
    let result = try await process.result(within: .seconds(60))
    #expect(result.status == 130)
    #expect(result.outputLines.count == 1)
    let line = try #require(result.errorLines.last)
    #expect(line.contains("Interrupted after 1 of 4 files. Run 'longhand recover' to finish "), "\(line)")
    #expect(line.contains(" (talk.wav). Not begun, so import again: next.wav and 1 more."), "\(line)")
  }
}
