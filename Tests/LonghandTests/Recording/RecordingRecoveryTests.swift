import Foundation
import Longhand
import LonghandTesting
import TestSupport
import Testing

@Suite struct RecordingRecoveryTests {
  private let parent: URL
  private let folder: RecordingFolder

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("recovery-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  /// Every file of the recording, byte by byte.
  private func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
      })
  }

  /// Starts the recording program, kills it some microseconds after it had a number of durable frames, and returns the last
  /// number that it printed.
  private func recordAndKill(from frames: Int64, after microseconds: UInt32) async throws -> Int64 {
    let process = Process()
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.executableURL = bundle.deletingLastPathComponent().appendingPathComponent("RecordingProcess")
    process.arguments = [folder.url.path]
    let log = parent.appendingPathComponent("log")
    try Data().write(to: log)
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    func durable() -> Int64 {
      let text = (try? Data(contentsOf: log)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.split(separator: "\n").last.flatMap { Int64($0) } ?? 0
    }
    try process.run()
    #expect(await eventually { durable() >= frames })
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return durable()
  }

  /// 200 kills in `make soak`, 20 in every run of the tests.
  @Test(.tagged(.childProcess)) func killedRecordingKeepsAllDurableAudio() async throws {
    defer { clean() }
    var generator = SystemRandomNumberGenerator()
    for round in 0..<(isSoak ? 200 : 20) {
      try? FileManager.default.removeItem(at: folder.url)
      // Some are killed while they start.
      let frames: Int64 = round % 4 == 0 ? 0 : .random(in: 1...100_000, using: &generator)
      let durable = try await recordAndKill(
        from: frames, after: .random(in: 0..<40_000, using: &generator))
      guard FileManager.default.fileExists(atPath: folder.manifest.path) else {
        // It was killed before it created a recording.
        #expect(durable == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.audio.path))
        continue
      }
      let outcome = try RecordingRecovery().recover(folder)
      guard case .recovered(let manifest) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(manifest.state == .interrupted)
      #expect(try NumberedRecording.problem(folder, leastFrames: durable) == nil)
      let once = try contents()
      #expect(try RecordingRecovery().recover(folder) == .untouched(manifest))
      #expect(try contents() == once, "a second time changes nothing")
    }
  }

  /// A recording with a number of frames that was not ended.
  private func abandoned(_ frames: Int) throws -> Int64 {
    let writer = try RecordingWriter(folder, NumberedRecording.manifest())
    writer.append(NumberedRecording.samples(0..<frames))
    try writer.flush()
    return writer.frames
  }

  private func cut(to length: Int) throws {
    let file = try FileHandle(forUpdating: folder.audio)
    try file.truncate(atOffset: UInt64(length))
    try file.close()
  }

  /// The negative control: the check finds missing durable audio.
  @Test func missingSecondIsFoundByTheCheck() throws {
    defer { clean() }
    let durable = try abandoned(48_000)
    try cut(to: WaveHeader.length + 32_000 * 2)
    _ = try RecordingRecovery().recover(folder)
    #expect(try NumberedRecording.problem(folder, leastFrames: durable) != nil)
    #expect(try NumberedRecording.problem(folder, leastFrames: 32_000) == nil)
  }

  @Test func audioAfterTheLastFlushIsRecovered() throws {
    defer { clean() }
    _ = try abandoned(16_000)
    let file = try FileHandle(forUpdating: folder.audio)
    try file.seekToEnd()
    // With half a frame at the end.
    try file.write(contentsOf: NumberedRecording.samples(16_000..<24_000) + Data([1]))
    try file.close()
    let outcome = try RecordingRecovery().recover(folder)
    #expect(outcome.manifest.frames == 24_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 24_000) == nil)
    #expect(try Data(contentsOf: folder.audio).count == WaveHeader.length + 48_001, "nothing is deleted")
  }

  @Test(arguments: [0, 10, 80]) func emptyRecordingIsRecoveredWithLengthZero(_ length: Int) throws {
    defer { clean() }
    _ = try abandoned(0)
    try cut(to: length)
    #expect(try RecordingRecovery().recover(folder).manifest.frames == 0)
    #expect(try NumberedRecording.problem(folder, leastFrames: 0) == nil)
  }

  @Test func recordingWithoutAudioFileIsRecovered() throws {
    defer { clean() }
    _ = try abandoned(0)
    try FileManager.default.removeItem(at: folder.audio)
    #expect(try RecordingRecovery().recover(folder).manifest.frames == 0)
    #expect(try NumberedRecording.problem(folder, leastFrames: 0) == nil)
  }

  @Test func activeRecordingIsNotRecovered() throws {
    defer { clean() }
    let writer = try RecordingWriter(folder, NumberedRecording.manifest())
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.flush()
    let before = try contents()
    #expect(throws: RecordingError.inUse(path: folder.audio.path)) { try RecordingRecovery().recover(folder) }
    #expect(try contents() == before)
    try writer.finish()
    #expect(try RecordingRecovery().recover(folder) == .untouched(writer.manifest))
  }

  @Test func recoveredGapsEndWithTheFile() throws {
    defer { clean() }
    func record() throws {
      let writer = try RecordingWriter(folder, NumberedRecording.manifest())
      writer.append(NumberedRecording.samples(0..<1600))
      writer.skip(1600, .device)
      writer.append(NumberedRecording.samples(3200..<3300))
      writer.skip(100, .overrun)
      try writer.flush()
    }
    try record()
    // As after a power failure.
    try cut(to: WaveHeader.length + 2000 * 2)
    let manifest = try RecordingRecovery().recover(folder).manifest
    #expect(manifest.gaps == [.init(start: 1600, frames: 400, reason: .device)])
    #expect(try NumberedRecording.problem(folder, leastFrames: 2000) == nil)
  }

  @Test(
    arguments: [
      ("", "not the manifest"), ("{}", "not the manifest"), ("[1, 2", "not the manifest"),
      ("\u{0}\u{1}", "not the manifest"),
    ])
  func invalidManifestIsAnErrorAndIsKept(_ text: String, _ expected: String) throws {
    defer { clean() }
    _ = try abandoned(1600)
    try text.write(to: folder.manifest, atomically: true, encoding: .utf8)
    let before = try contents()
    do {
      _ = try RecordingRecovery().recover(folder)
      Issue.record("an invalid manifest was accepted")
    } catch let error as RecordingError {
      #expect("\(error)".contains(expected))
    }
    #expect(try contents() == before)
  }

  @Test func newerManifestVersionIsAnError() throws {
    defer { clean() }
    _ = try abandoned(1600)
    let text = try String(contentsOf: folder.manifest, encoding: .utf8)
    try text.replacing("\"version\" : 1", with: "\"version\" : 2").write(
      to: folder.manifest, atomically: true, encoding: .utf8)
    #expect(throws: RecordingError.self) { try RecordingRecovery().recover(folder) }
  }

  @Test func recoveryCanBeRepeatedAfterADiskError() throws {
    defer { clean() }
    let durable = try abandoned(16_000)
    let disk = FaultyDisk()
    for fault in [FaultyDisk.Fault.shortWrite, .failingSynchronization, .full(afterBytes: 0)] {
      disk.fault = fault
      #expect(throws: RecordingError.self) { try RecordingRecovery(disk: disk).recover(folder) }
    }
    _ = try RecordingRecovery().recover(folder)
    #expect(try NumberedRecording.problem(folder, leastFrames: durable) == nil)
  }
}
