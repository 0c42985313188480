import Foundation
import Testing

extension RecognizerTests {
  /// `transcribe` and the signals that end it, with the real recognizer.
  @Suite struct TranscribeSignalTests {
    private let folder: TemporaryFolder
    init() throws {
      folder = try TemporaryFolder()
      try Recordings.repeated(minutes: 30, to: folder.path("long.wav"))
    }

    @Test(arguments: [SIGINT, SIGTERM]) func nothingUnfinishedIsLeft(_ signal: Int32) async throws {
      let process = try LonghandProcess(
        ["transcribe", "long.wav", "-o", "long.txt"], environment: ["TMPDIR": folder.url.path], in: folder.url
      )
      try await Task.sleep(for: .seconds(1))
      process.send(signal)
      let result = try await process.result()
      #expect(result.status == 128 + signal)
      #expect(result.output.isEmpty)
      #expect(result.errors.isEmpty)
      #expect(folder.names == ["long.wav"])
    }

    @Test func whatIsFinishedStays() async throws {
      let process = try LonghandProcess(
        ["transcribe", Recordings.short, "long.wav", "--output-dir", "out", "--jobs", "1"], in: folder.url)
      let end = ContinuousClock.now + .seconds(300)
      let finished = "out/" + (Recordings.short.split(separator: "/").last?.dropLast(4) ?? "") + ".txt"
      while !folder.has(finished), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
      process.send(SIGINT)
      let result = try await process.result()
      #expect(result.status == 130)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).map { "out/" + $0 } == [
          finished
        ])
      #expect(
        try folder.read(finished) == (try await LonghandProcess.run("transcribe", Recordings.short).output))
    }

    @Test func theSecondSignalStopsAtOnce() async throws {
      let process = try LonghandProcess(["transcribe", "long.wav", "-o", "long.txt"], in: folder.url)
      try await Task.sleep(for: .seconds(1))
      process.send(SIGINT)
      process.send(SIGINT)
      try await Task.sleep(for: .milliseconds(20))
      process.send(SIGINT)
      let result = try await process.result(within: .seconds(3))
      #expect(result.status == 130)
      #expect(folder.names == ["long.wav"])
    }
  }
}
