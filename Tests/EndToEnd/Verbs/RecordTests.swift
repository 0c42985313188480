import Foundation
import Longhand
import LonghandTesting
import TestSupport
import Testing

extension RecordingTests {
  /// Recording from the command line: `record`, and what the other verbs see of it meanwhile and afterwards.
  @Suite struct RecordTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["LONGHAND_LIBRARY": folder.path("library")] }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., input: LonghandProcess.Input = .empty) async throws
      -> LonghandProcess.Result
    {
      try await LonghandProcess(arguments, input: input, environment: environment).result()
    }

    /// Records what a test writes into a pipe: raw samples, 16 kHz, mono.
    private func recorder(_ arguments: String...) throws -> (LonghandProcess, FileHandle) {
      let pipe = Pipe()
      let process = try LonghandProcess(
        ["record", "--from", "-", "--raw", "s16le:16000:1", "--format", "jsonl"] + arguments,
        input: .handle(pipe.fileHandleForReading), environment: environment)
      try pipe.fileHandleForReading.close()
      return (process, pipe.fileHandleForWriting)
    }

    /// Waits until `show last` prints something.
    private func firstWords() async throws -> LonghandProcess.Result {
      for _ in 0..<3000 {
        let shown = try await run("show", "last")
        if shown.status == 0, !shown.output.isEmpty { return shown }
        try await Task.sleep(for: .milliseconds(100))
      }
      throw LonghandProcess.DeadlineExceeded(errors: "nothing was shown")
    }

    private static let silence = Data(count: 32_000)

    /// The texts of the finals among JSON lines.
    private static func finals(_ result: LonghandProcess.Result) throws -> [String] {
      try result.outputLines.compactMap { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["type"] as? String == "final" ? object?["text"] as? String : nil
      }
    }

    @Test func languageModelWritesTheSecondTextLive() async throws {
      let wave = try Data(contentsOf: URL(fileURLWithPath: Recordings.short))
      let text = try await Recordings.transcribed(Recordings.short, "--style", "words").outputLines[0]
      let written = text.prefix(1).uppercased() + text.dropFirst() + "."
      let answer = try JSONEncoder().encode(["normalizedText": written])
      let server = try await ModelServer(
        try ModelServer.text(
          String(decoding: answer, as: UTF8.self).replacing("}", with: ", \"extractedTerms\": []}")))
      let live = try await LonghandProcess(
        ["record", "--from", "-", "--normalize", "--reranking", "disabled", "--format", "jsonl"],
        input: .bytes(wave), environment: environment.merging(server.environment) { $1 }
      ).result()
      #expect(live.status == 0, "\(live.errors)")
      let lines = live.outputLines.filter { $0.contains("\"type\": \"normalized\"") }
      #expect(lines.count == 1, "\(live.output)")
      #expect(lines.first?.contains(written) == true)
      #expect(try Self.finals(live).first == text)
      let shown = try await run("show", "last", "--normalize", "--style", "words")
      #expect(shown.output.contains(written), "\(shown.output)")
    }

    @Test func liveTextIsTheTextOfTheFile() async throws {
      let recording = isSoak ? Recordings.long : Recordings.short
      let wave = try Data(contentsOf: URL(fileURLWithPath: recording))
      let plain = try await Recordings.transcribed(recording)
      let live = try await run("record", "--from", "-", input: .bytes(wave))
      #expect(live.status == 0)
      #expect(
        live.output.split(whereSeparator: \.isWhitespace)
          == plain.output.split(whereSeparator: \.isWhitespace))
      // A segment a line, as `show` has them after the time.
      #expect(
        live.outputLines == (try await run("show", "last")).outputLines.map { String($0.dropFirst(11)) })
      #expect(live.errorLines.count == 1)
      #expect(live.errors.contains("longhand show"))
      #expect(try await run("sessions").output.contains("complete"))
      // Again, with another engine: other words, but not none.
      let rolling = try await run("record", "--engine", "rolling", "-q", "--from", "-", input: .bytes(wave))
      #expect(rolling.status == 0)
      #expect(rolling.errors.isEmpty)
      #expect(try Recordings.errorRate(rolling.output, of: recording) < (isSoak ? 0.5 : 0.7))
      // Heard again by the analyzer it says what the file says; a third time nothing changes.
      let changed = try await run("retranscribe", "last", "--engine", "analyzer")
      #expect(changed.status == 0)
      #expect(!changed.output.isEmpty)
      let words = { (text: String) in text.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("[") }
      }
      let shown = try await run("show", "last").output
      #expect(words(shown) == words(plain.output))
      let third = try await run("retranscribe", "last", "--engine", "analyzer")
      #expect(third.status == 0)
      #expect(third.output.isEmpty)
    }

    @Test func linesOfJSONAreNumberedAndEndWithWhatBecameOfEverySecond() async throws {
      // The second half comes after partial text of the first, which a recognizer that is quick enough need not give.
      let half = try Data(contentsOf: URL(fileURLWithPath: Recordings.short)).count / 2
      let live = try await LonghandProcess.shell(
        """
        (head -c \(half) "$RECORDING"; for _ in {1..4000}; do grep -qs '"partial"' lines && break; sleep 0.05; done
        tail -c +\(half + 1) "$RECORDING") | longhand record --format jsonl --from - | tee lines
        """,
        environment: environment.merging(["RECORDING": Recordings.short]) { $1 }, in: folder.url)
      let objects = try live.outputLines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["sequence"] as? Int } == Array(0..<objects.count))
      let types = objects.compactMap { $0["type"] as? String }
      #expect(types.contains("partial"))
      #expect(types.contains("final"))
      #expect(types.last == "end")
      let coverage = try #require(objects.last?["coverage"] as? [String: Double])
      let seconds = try Recordings.seconds(of: Recordings.short)
      #expect(abs(coverage.values.reduce(0, +) - seconds) < 0.01)
      #expect(coverage["pending"] == 0)
      // A partial never comes after its final.
      let last = objects.lastIndex { $0["type"] as? String == "partial" } ?? 0
      #expect(last < (objects.lastIndex { $0["type"] as? String == "final" } ?? 0))
    }

    @Test func othersReadWhileARecordingIsMade() async throws {
      let (process, pipe) = try recorder()
      try pipe.write(contentsOf: try Recordings.samples(of: Recordings.long) + Self.silence)
      let shown = try await firstWords()
      #expect(process.isRunning)
      #expect(try await run("sessions").output.contains("recording"))
      let word = try #require(
        shown.output.split(whereSeparator: \.isWhitespace).dropFirst().max { $0.count < $1.count })
      #expect(try await run("search", String(word)).output.lowercased().contains(String(word).lowercased()))
      let exported = try await run("export", "last", "--json")
      #expect(exported.status == 0)
      #expect(exported.output.contains(word))
      // What lies on the disk and was not listened to is pending.
      struct Report: Decodable {
        var duration: Double
        var spans: [CoverageSpan]
      }
      let coverage = try JSONDecoder().decode(
        Report.self, from: Data(try await run("coverage", "last", "--json").output.utf8))
      #expect(coverage.duration > 0)
      #expect(coverage.spans.last?.end == coverage.duration)
      #expect(coverage.spans.first?.start == 0)
      #expect(coverage.spans.last?.kind == .pending)
      #expect(zip(coverage.spans, coverage.spans.dropFirst()).allSatisfy { $0.end == $1.start })
      let document = try JSONDecoder().decode(TranscriptDocument.self, from: Data(exported.output.utf8))
      #expect(document.duration > 0)
      #expect(abs(document.coverage.sum - document.duration) < 0.01)
      #expect(try await run("recover").output.isEmpty, "it is being recorded, not lost")
      #expect(try await run("retranscribe", "last").status == 1)
      let deleted = try await run("delete", "last")
      #expect(deleted.status == 1)
      #expect(deleted.errors.contains("a process is recording it"))
      try pipe.close()
      let result = try await process.result()
      #expect(result.status == 0)
      #expect(try Self.finals(result).joined(separator: " ").contains(word))
    }

    /// Who has read enough of what is said takes nothing from the recording.
    @Test func aReaderThatLeavesIsNoFailure() async throws {
      let result = try await LonghandProcess.shell(
        "longhand record -q --from - < '\(Recordings.long)' 2> errors | head -c 1",
        environment: ["LONGHAND_LIBRARY": folder.path("library")], in: folder.url)
      #expect(result.output.count == 1)
      #expect(try folder.read("errors").isEmpty)
      #expect(try await run("sessions").output.contains("complete"))
    }

    @Test func firstSignalEndsTheRecordingAndAllAudioIsTranscribed() async throws {
      let (process, pipe) = try recorder()
      let samples = try Recordings.samples(of: Recordings.long)
      try pipe.write(contentsOf: samples)
      // It has been read when something was recognized.
      for _ in 0..<6000 where folder.recordedSamples.count < samples.count {
        try await Task.sleep(for: .milliseconds(20))
      }
      process.send(SIGINT)
      let result = try await process.result()
      #expect(result.status == 130)
      let plain = try await Recordings.transcribed(Recordings.long, "--style", "words").outputLines
      #expect(try Self.finals(result) == plain)
      #expect(try await run("sessions").output.contains("complete"))
      try pipe.close()
    }

    @Test func theSecondSignalLeavesWhatRecoverTakesUp() async throws {
      let (process, pipe) = try recorder()
      let samples = try Recordings.samples(of: Recordings.long)
      try pipe.write(contentsOf: samples)
      for _ in 0..<6000 where folder.recordedSamples.count < samples.count {
        try await Task.sleep(for: .milliseconds(20))
      }
      process.send(SIGTERM)
      try await Task.sleep(for: .milliseconds(50))
      process.send(SIGTERM)
      #expect(try await process.result().status == 143)
      try pipe.close()
      _ = try await run("recover")
      let plain = try await Recordings.transcribed(Recordings.long).output
      let shown = try await run("show", "last").output
      #expect(
        shown.split(whereSeparator: \.isWhitespace).dropFirst()
          == plain.split(whereSeparator: \.isWhitespace)[...])
      #expect(try await run("recover").output.isEmpty)
    }

    @Test func itEndsByItself() async throws {
      let wave = try Data(contentsOf: URL(fileURLWithPath: Recordings.long))
      let result = try await run("record", "--for", "2.5", "-q", "--from", "-", input: .bytes(wave))
      #expect(result.status == 0)
      #expect(!result.output.isEmpty)
      #expect(folder.recordedSamples.count == Int(2.5 * 32_000))
      #expect(try await run("coverage", "last").output.contains("total             2.50"))
    }

    @Test(
      arguments: [
        (["--for", "soon"], 2, "--for takes a number of seconds"), (["--format", "srt"], 2, "txt or jsonl"),
        (["--raw", "s16le:16000:1"], 2, "--from -"), (["--from", ""], 2, "empty"),
        (["talk.wav"], 2, "Unexpected argument 'talk.wav'."),
        (["--from", "-", "--library", "/dev/null/library"], 1, "/dev/null/library"),
        (["--from", "-", "--locale", "xx-YY"], 1, "xx-YY"), (["--from", "-"], 1, "standard input"),
      ] as [([String], Int32, String)])
    func mistakesAreNamed(_ arguments: [String], _ status: Int32, _ expected: String) async throws {
      let result = try await LonghandProcess(["record"] + arguments, environment: environment).result()
      #expect(result.status == status, "\(result.errors)")
      #expect(result.errorLines.count == 1, "\(result.errors)")
      #expect(result.errors.contains(expected), "\(result.errors)")
      #expect(result.output.isEmpty, "\(result.errors)")
    }
  }
}
