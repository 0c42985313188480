import Foundation
import Longhand
import Synchronization
import TestSupport
import Testing

/// When files can be read while the device is locked. The system's part is on Apple's platforms only; here a disk notes what
/// it is asked for.
@Suite struct FileProtectionTests {
  /// The disk of this machine, with the last protection of each file and folder by its name.
  private final class NotingDisk: RecordingDisk {
    private let disk = SystemDisk()
    private let protections = Mutex<[String: FileProtection]>([:])

    var noted: [String: FileProtection] { protections.withLock(\.self) }

    func makeFolder(_ url: URL) throws { try disk.makeFolder(url) }
    func open(_ url: URL, isNew: Bool) throws -> any RecordingFile { try disk.open(url, isNew: isNew) }
    func read(_ url: URL) throws -> Data { try disk.read(url) }
    func replace(_ url: URL, with data: Data) throws { try disk.replace(url, with: data) }
    func freeBytes(_ folder: URL) -> Int64? { disk.freeBytes(folder) }
    func protect(_ url: URL, _ protection: FileProtection) {
      protections.withLock { $0[url.lastPathComponent] = protection }
    }
  }

  private let disk = NotingDisk()
  private let parent: URL
  private let folder: RecordingFolder
  private let ended: [String: FileProtection] = [
    "session": .complete, "audio.wav": .complete, "manifest.json": .complete,
  ]

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("protection-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent.appendingPathComponent("session"))
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  private func writer() throws -> RecordingWriter {
    let writer = try RecordingWriter(folder, NumberedRecording.manifest(), disk: disk)
    writer.append(NumberedRecording.samples(0..<1600))
    try writer.flush()
    return writer
  }

  @Test func recordingIsClosedToALockedDeviceWhenItHasEnded() throws {
    defer { clean() }
    let writer = try writer()
    #expect(disk.noted == ["session": .completeUnlessOpen])
    try writer.finish()
    #expect(disk.noted == ended)
  }

  @Test func recoveredRecordingIsClosedToALockedDevice() throws {
    defer { clean() }
    do { _ = try writer() }
    #expect(disk.noted == ["session": .completeUnlessOpen])
    _ = try RecordingRecovery(disk: disk).recover(folder)
    #expect(disk.noted == ended)
  }
}
