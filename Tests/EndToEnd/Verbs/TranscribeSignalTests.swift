import Foundation
import Testing

extension RecognizerTests {
  /// `transcribe` and the signals that end it, with the real recognizer.
  @Suite struct TranscribeSignalTests {
    private let folder: TemporaryFolder
    init() throws {
      folder = try TemporaryFolder()
      try Recordings.repeated(seconds: 1800, to: folder.path("long.wav"))
    }

    @Test(arguments: [SIGINT, SIGTERM]) func noUnfinishedFileIsLeft(_ signal: Int32) async throws {
      let process = try LonghandProcess(
        ["transcribe", "long.wav", "-o", "long.txt"], environment: ["TMPDIR": folder.url.path], in: folder.url
      )
      try await Task.sleep(for: .seconds(1))
      process.send(signal)
      let result = try await process.result()
      #expect(result.status == 128 + signal)
      #expect(result.output.isEmpty)
      // If nothing was final yet, nothing is kept and nothing is said.
      let kept = result.errors.isEmpty ? [] : ["long.txt.partial"]
      #expect(folder.names == ["long.wav"] + kept)
    }

    /// A segment is printed while the rest of the file is still processed, and each printed line is complete.
    @Test func segmentsArePrintedWhenFinal() async throws {
      let result = try await LonghandProcess.shell(
        """
        mkfifo lines; longhand transcribe --format jsonl long.wav >lines & process=$!
        exec 3<lines; read -r first <&3; kill -INT $process
        echo "$first"; cat <&3; wait $process; echo "status $?"
        """, in: folder.url)
      var lines = result.outputLines
      #expect(lines.popLast() == "status 130")
      let objects = try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["sequence"] as? Int } == Array(0..<objects.count))
      #expect(!objects.isEmpty)
      #expect(objects.allSatisfy { $0["type"] as? String == "final" })
    }

    @Test func finishedFilesAreKept() async throws {
      let process = try LonghandProcess(
        ["transcribe", Recordings.short, "long.wav", "--output-dir", "out", "--jobs", "1"], in: folder.url)
      let end = ContinuousClock.now + .seconds(300)
      let finished = "out/" + (Recordings.short.split(separator: "/").last?.dropLast(4) ?? "") + ".txt"
      while !folder.has(finished), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
      process.send(SIGINT)
      let result = try await process.result()
      #expect(result.status == 130)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).map { "out/" + $0 }
          .filter { !$0.hasSuffix(".partial") } == [finished])
      #expect(
        try folder.read(finished) == (try await Recordings.transcribed(Recordings.short).output))
    }

    @Test func theSecondSignalStopsAtOnce() async throws {
      let process = try LonghandProcess(["transcribe", "long.wav", "-o", "long.txt"], in: folder.url)
      try await Task.sleep(for: .seconds(1))
      process.send(SIGINT)
      process.send(SIGINT)
      // Signals within a moment of the first one count as the same one.
      try await Task.sleep(for: .milliseconds(60))
      process.send(SIGINT)
      let result = try await process.result(within: .seconds(3))
      #expect(result.status == 130)
      #expect(folder.names.filter { !$0.hasSuffix(".partial") } == ["long.wav"])
    }
  }
}
