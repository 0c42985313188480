import Foundation
import ScriptedSpeech
import TestSupport
import Testing

/// What `record` says when it is ended by signals. The recognizer is scripted and hangs, so that the rest takes long.
@Suite(.tagged(.childProcess)) struct RecordInterruptionTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    var script = SpeechScript(faults: [0: [.hang]])
    script.isHopeless = true
    environment = try script.environment(in: folder.url).merging([
      "SPEECH_SERVICE_PATIENCE": "200", "LONGHAND_LIBRARY": folder.path("library"),
    ]) { $1 }
  }

  private func errors() -> [String] {
    ((try? folder.read("errors")) ?? "").split(separator: "\n").map(String.init)
  }

  /// A signal is how most recordings end, and must not hide what went wrong before it.
  @Test func outputThatCannotBeWrittenIsReportedBeforeTheSignal() async throws {
    let environment = environment.merging(try SpeechScript(faults: [:]).environment(in: folder.url)) { $1 }
    let pipe = Pipe()
    let process = try LonghandProcess(
      ["exec longhand record --from - --raw s16le:16000:1 --format jsonl >/dev/full 2>errors"],
      input: .handle(pipe.fileHandleForReading), environment: environment, in: folder.url, shell: true)
    let samples = SpokenTones.sound(of: [1, 2, 3, 4]) + [Int16](repeating: 0, count: 32_000)
    try pipe.fileHandleForWriting.write(contentsOf: samples.withUnsafeBytes { Data($0) })
    #expect(await eventually(within: 30) { !errors().isEmpty })
    #expect(
      try #require(errors().first).contains("Cannot write to standard output: No space left on device."))
    process.send(SIGINT)
    #expect(try await process.result(within: .seconds(60)).status == 1)
    #expect(errors().filter { $0.contains("standard output") }.count == 1)
    try pipe.fileHandleForWriting.close()
  }

  @Test func eachSignalSaysWhatFollows() async throws {
    let pipe = Pipe()
    let process = try LonghandProcess(
      ["exec longhand record --from - --raw s16le:16000:1 2>errors"],
      input: .handle(pipe.fileHandleForReading), environment: environment, in: folder.url, shell: true)
    let samples = SpokenTones.sound(of: [1, 2, 3, 4, 5, 6, 7, 8]) + [Int16](repeating: 0, count: 32_000)
    try pipe.fileHandleForWriting.write(contentsOf: samples.withUnsafeBytes { Data($0) })
    #expect(await eventually { folder.recordedSamples.count == samples.count * 2 })
    process.send(SIGINT)
    #expect(await eventually(within: 30) { !errors().isEmpty })
    let first = try #require(errors().first)
    let parts = try #require(
      first.firstMatch(of: /^longhand: Finishing(?:, ([0-9]+) s left)?; press again to stop now$/), "\(first)"
    )
    // Silence at the end is processed while it is recorded or afterwards; the speech is not. Without a number the end of
    // the recording was not reported yet.
    if let seconds = parts.1 { #expect((1...5).contains(try #require(Int(seconds)))) }
    #expect(process.isRunning)
    // Signals within a moment of the first one count as the same one.
    #expect(
      await eventually(within: 10) {
        process.send(SIGINT)
        return !process.isRunning
      })
    let result = try await process.result(within: .seconds(10))
    #expect(result.status == 130)
    #expect(errors().count == 2)
    #expect(try #require(errors().last).hasSuffix("Run 'longhand recover' to transcribe the rest."))
    try pipe.fileHandleForWriting.close()
  }
}
