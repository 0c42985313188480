import Foundation
import Longhand
import Testing

@testable import LonghandCommand

@Suite struct SpoolTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A read that ends within a frame loses nothing; an incomplete last frame is dropped.
  @Test func rawSamplesAreCompleteWhateverTheReadSizes() throws {
    let pipe = Pipe()
    let samples = (0..<2001).map { UInt8(truncatingIfNeeded: $0) }
    let writing = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for start in stride(from: 0, to: samples.count, by: 7) {
        try? writing.write(contentsOf: Data(samples[start..<min(start + 7, samples.count)]))
        if start % 70 == 0 { usleep(1000) }
      }
      try? writing.close()
    }
    let path = folder.path("stdin.wav")
    let target = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(target) }
    let copied = try SpoolCopy(
      name: "standard input", source: pipe.fileHandleForReading.fileDescriptor, target: target,
      raw: RawAudioFormat("s16be:16000:1"), flag: CancellationFlag()
    ).run()
    #expect(copied == 2000)
    let written = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(written.count == WaveHeader.length + 2000)
    #expect(Array(written[WaveHeader.length...].prefix(4)) == [1, 0, 3, 2])
  }

  @Test func copyOfAnEndlessStreamIsBounded() throws {
    for (bytes, reserve, reason) in [
      (100_000, UInt64(0), "does not end"), (Int.max, UInt64.max, "has no more room"),
    ] {
      let pipe = Pipe()
      let writing = pipe.fileHandleForWriting
      signal(SIGPIPE, SIG_IGN)
      Thread.detachNewThread { while (try? writing.write(contentsOf: Data(count: 4096))) != nil {} }
      let target = open(folder.path("copy"), O_WRONLY | O_CREAT, 0o600)
      defer { close(target) }
      var copy = SpoolCopy(
        name: "standard input", source: pipe.fileHandleForReading.fileDescriptor, target: target,
        raw: try RawAudioFormat("s16le:16000:1"), flag: CancellationFlag())
      (copy.maxBytes, copy.reserve) = (bytes, reserve)
      let failure = #expect(throws: Failure.self) { try copy.run() }
      let message = try #require(failure?.message)
      #expect(message.contains(reason) && !message.contains(" 0 MB"), "\(message)")
      try pipe.fileHandleForReading.close()
    }
  }

  /// Abandoned copies are removed by the next one, and nothing else is.
  @Test func copyIsPrivateAndIsRemoved() async throws {
    let other = FileManager.default.temporaryDirectory.appendingPathComponent("longhand-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: other) }
    let fifo = folder.path("fifo")
    mkfifo(fifo, 0o600)
    Thread.detachNewThread { try? Data("sound".utf8).write(to: URL(fileURLWithPath: fifo)) }
    // The writer must be there first: a pipe without a writer is at its end.
    let keepOpen = open(fifo, O_RDWR | O_NONBLOCK)
    try await Task.sleep(for: .milliseconds(200))
    let copying = Task { try await Spool.copy(AudioInput(operand: fifo), raw: nil) }
    try await Task.sleep(for: .milliseconds(200))
    close(keepOpen)
    let spool = try await copying.value
    #expect(try Data(contentsOf: spool.file) == Data("sound".utf8))
    let parent = spool.file.deletingLastPathComponent().path
    for (path, permissions) in [(spool.file.path, 0o600), (parent, 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == permissions)
    }
    spool.remove()
    #expect(!FileManager.default.fileExists(atPath: parent))
    #expect(FileManager.default.fileExists(atPath: other.path))
  }
}
