import Foundation
import LonghandTesting
import TestSupport
import Testing

@testable import LonghandRecording

@Suite struct RecordingWriterTests {
  private let parent: URL
  private let folder: RecordingFolder

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func writer(_ disk: any RecordingDisk = SystemDisk()) throws -> RecordingWriter {
    try RecordingWriter(folder, NumberedRecording.manifest(), disk: disk)
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  @Test func appendedSamplesAreInTheFile() throws {
    defer { clean() }
    let writer = try writer()
    for start in stride(from: 0, to: 160_000, by: 1600) {
      writer.append(NumberedRecording.samples(start..<start + 1600))
      if start % 8000 == 0 { try writer.flush() }
    }
    try writer.finish()
    #expect(writer.frames == 160_000)
    #expect(try NumberedRecording.problem(folder, leastFrames: 160_000) == nil)
    #expect(writer.manifest.state == .complete)
  }

  @Test func damagedPartsOfAFileAreGaps() throws {
    defer { clean() }
    let writer = try writer()
    let gap = RecordingGap(start: 1000, frames: 1500, reason: .damaged)
    for start in [0, 1600] {
      let samples = (start..<start + 1600).map { Float(Int16(truncatingIfNeeded: $0 &* 31)) / 32_768 }
      writer.append(try AudioChunk(samples, start: Int64(start), sampleRate: 16_000), without: [gap])
    }
    try writer.finish()
    #expect(writer.manifest.gaps == [gap])
    #expect(try NumberedRecording.problem(folder, leastFrames: 3200) == nil)
  }

  /// The negative control of the comparison that the other tests use.
  @Test func missingSamplesAreFoundByTheCheck() throws {
    defer { clean() }
    let writer = try writer()
    writer.append(NumberedRecording.samples(0..<8000))
    writer.append(NumberedRecording.samples(8480..<16_000))
    try writer.finish()
    #expect(try NumberedRecording.problem(folder, leastFrames: 15_520) != nil)
    #expect(try NumberedRecording.problem(folder, leastFrames: 16_000) != nil)
  }

  @Test func manifestExistsBeforeTheFirstSample() throws {
    defer { clean() }
    let writer = try writer()
    let manifest = try RecordingManifest(try Data(contentsOf: folder.manifest))
    #expect(manifest.state == .recording)
    #expect(manifest.frames == nil)
    #expect(manifest.id == writer.manifest.id)
    let length = try Data(contentsOf: folder.audio).count
    #expect(length == WaveHeader.length)
    writer.append(NumberedRecording.samples(0..<1600))
    #expect(try Data(contentsOf: folder.audio).count == length, "nothing is written before a flush")
  }

  @Test func onlyTheOwnerCanReadTheRecording() throws {
    defer { clean() }
    let writer = try writer()
    try writer.flush()
    for (file, mode) in [(folder.url, 0o700), (folder.audio, 0o600), (folder.manifest, 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
  }

  @Test func existingFolderIsNotOverwritten() throws {
    defer { clean() }
    let writer = try writer()
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.finish()
    #expect(throws: RecordingError.self) { try self.writer() }
    #expect(try NumberedRecording.problem(folder, leastFrames: 1600) == nil)
  }

  @Test func gapsAreSilenceWithAReasonInTheManifest() throws {
    defer { clean() }
    let writer = try writer()
    writer.append(NumberedRecording.samples(0..<1600))
    writer.skip(800, .device)
    writer.skip(800, .device)
    writer.append(NumberedRecording.samples(3200..<4800))
    writer.skip(0, .paused)
    try writer.flush()
    writer.skip(1600, .overrun)
    try writer.finish()
    let wanted: [RecordingGap] = [
      .init(start: 1600, frames: 1600, reason: .device), .init(start: 4800, frames: 0, reason: .paused),
      .init(start: 4800, frames: 1600, reason: .overrun),
    ]
    #expect(writer.manifest.gaps == wanted)
    #expect(try NumberedRecording.problem(folder, leastFrames: 6400) == nil)
  }

  @Test(
    arguments: [
      FaultyDisk.Fault.full(afterBytes: 10_001), .full(afterBytes: 0), .shortWrite, .failingSynchronization,
      .slow(0.01),
    ])
  func samplesWaitUntilTheDiskWorksAgain(_ fault: FaultyDisk.Fault) throws {
    defer { clean() }
    let disk = FaultyDisk()
    let writer = try writer(disk)
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.flush()
    disk.fault = fault
    var failures = 0
    for start in stride(from: 1600, to: 32_000, by: 1600) {
      writer.append(NumberedRecording.samples(start..<start + 1600))
      do { try writer.flush() } catch { failures += 1 }
    }
    if case .slow = fault {} else { #expect(failures > 0) }
    // Durable audio stays durable.
    #expect(writer.frames >= 1600)
    disk.fault = .none
    try writer.finish()
    #expect(try NumberedRecording.problem(folder, leastFrames: 32_000) == nil)
    #expect(writer.waitingSeconds == 0)
  }

  /// The negative control of the test above: a lying disk is found.
  @Test func lyingDiskIsFoundByTheCheck() throws {
    defer { clean() }
    let disk = FaultyDisk()
    let writer = try writer(disk)
    disk.fault = .lying
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.flush()
    disk.fault = .none
    writer.append(NumberedRecording.samples(1600..<3200))
    try writer.finish()
    #expect(try NumberedRecording.problem(folder, leastFrames: 3200) != nil)
  }

  @Test func longDiskFailureTurnsTheOldestAudioIntoAGap() throws {
    defer { clean() }
    let disk = FaultyDisk()
    let writer = try writer(disk)
    disk.fault = .full(afterBytes: 0)
    let second = 16_000
    let seconds = Int(RecordingWriter.maxWaiting) + 3
    for start in 0..<seconds {
      writer.append(NumberedRecording.samples(start * second..<(start + 1) * second))
      #expect(throws: RecordingError.self) { try writer.flush() }
    }
    #expect(writer.waitingSeconds == RecordingWriter.maxWaiting)
    disk.fault = .none
    try writer.finish()
    #expect(writer.manifest.gaps == [.init(start: 0, frames: Int64(3 * second), reason: .disk)])
    #expect(try NumberedRecording.problem(folder, leastFrames: Int64(seconds * second)) == nil)
  }

  @Test func fullDiskErrorHasARemedy() throws {
    defer { clean() }
    let disk = FaultyDisk()
    let writer = try writer(disk)
    disk.fault = .full(afterBytes: 100)
    writer.append(NumberedRecording.samples(0..<1600))
    do {
      try writer.flush()
      Issue.record("the disk is full")
    } catch let error as RecordingError {
      #expect(error.isFullDisk)
      #expect("\(error)".contains("audio.wav"))
      #expect("\(error)".contains("free some space"))
    }
  }

  /// A sparse file: the gap takes no space.
  @Test(.tagged(.childProcess)) func fileBeyond4GiBIsReadable() throws {
    defer { clean() }
    let writer = try writer()
    writer.append(NumberedRecording.samples(0..<1600))
    let long: Int64 = 2_200_000_000
    writer.skip(long, .device)
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.finish()
    let program = ["ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0"]
    let frames = try Program.output(of: program + [folder.audio.path])
    #expect(frames.trimmingCharacters(in: .whitespacesAndNewlines) == "\(long + 3200)")
  }
}
