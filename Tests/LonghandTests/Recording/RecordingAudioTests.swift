import Foundation
import Longhand
import Testing

@testable import LonghandRecording

@Suite struct RecordingAudioTests {
  private let parent: URL
  private let folder: RecordingFolder
  private let audio: RecordingAudio

  init() throws {
    parent = FileManager.default.temporaryDirectory.appendingPathComponent("audio-\(UUID())")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    folder = RecordingFolder(parent)
    audio = RecordingAudio(folder, format: NumberedRecording.format)
  }

  private func clean() { try? FileManager.default.removeItem(at: parent) }

  private func write(_ frames: Int) throws {
    let header = NumberedRecording.format.header(frames: Int64(frames))
    try (header + NumberedRecording.samples(0..<frames)).write(to: folder.audio)
  }

  private static func chunks(_ audio: RecordingAudio, from start: Int64) async throws -> [AudioChunk] {
    try await audio.chunks(from: start).reduce(into: []) { $0.append($1) }
  }

  /// A problem of the chunks from a frame to the end; nil if there is none.
  private static func problem(_ chunks: [AudioChunk], from start: Int64, to end: Int64) -> String? {
    var next = start
    for chunk in chunks {
      if chunk.start != next { return "a chunk begins at \(chunk.start), not \(next)" }
      let frames = chunk.end - chunk.start
      next += frames
      if next % 1600 != 0, next != end { return "a chunk ends at \(next)" }
      if !(1...1600).contains(frames) { return "a chunk of \(frames) frames" }
      if chunk.buffer.samples != NumberedRecording.samples(Int(chunk.start)..<Int(next)) {
        return "other samples at \(chunk.start)"
      }
    }
    return next == end ? nil : "it ends at \(next), not \(end)"
  }

  @Test(arguments: [0, 1, 1599, 1600, 1601, 7990, 8000])
  func chunksStartAtMultiplesOfATenthFromAnyFrame(_ start: Int64) async throws {
    defer { clean() }
    try write(8000)
    audio.grow(to: 8000)
    audio.end()
    #expect(Self.problem(try await Self.chunks(audio, from: start), from: start, to: 8000) == nil)
  }

  @Test func endedRecordingIsReadWithoutWaiting() async throws {
    defer { clean() }
    try write(4321)
    var manifest = NumberedRecording.manifest()
    manifest.frames = 4321
    let ended = RecordingAudio(folder, manifest)
    #expect(ended.duration == 4321.0 / 16_000)
    #expect(Self.problem(try await Self.chunks(ended, from: 100), from: 100, to: 4321) == nil)
    #expect(try await Self.chunks(ended, from: 5000).isEmpty)
  }

  @Test func readerWaitsForDurableAudioAndGetsWholeChunks() async throws {
    defer { clean() }
    try write(8000)
    var reader = audio.chunks(from: 0).makeAsyncIterator()
    audio.grow(to: 1600)
    #expect(try await reader.next().map { $0.end - $0.start } == 1600)
    audio.grow(to: 2400)
    // The number of durable frames never decreases.
    audio.grow(to: 100)
    #expect(audio.durable == 2400)
    let audio = audio
    let next = Task { [reader] in
      var reader = reader
      return try await reader.next()
    }
    // The task waits all the time; small additions wake it without a result.
    for frames in stride(from: Int64(2500), to: 3200, by: 100) {
      audio.grow(to: frames)
      await Task.yield()
    }
    audio.grow(to: 3200)
    let chunk = try #require(try await next.value)
    #expect(chunk.start == 1600)
    #expect((chunk.end - chunk.start) == 1600)
  }

  @Test func endOfRecordingEndsAWait() async throws {
    defer { clean() }
    try write(1000)
    let audio = audio
    let reading = Task { try await Self.chunks(audio, from: 0) }
    for _ in 0..<100 { await Task.yield() }
    audio.grow(to: 1000)
    for _ in 0..<100 { await Task.yield() }
    audio.end()
    #expect(Self.problem(try await reading.value, from: 0, to: 1000) == nil)
    // An empty rest is not an error.
    let empty = RecordingAudio(folder, format: NumberedRecording.format)
    empty.end()
    #expect(try await Self.chunks(empty, from: 0).isEmpty)
  }

  @Test func cancellationEndsAWait() async throws {
    defer { clean() }
    let audio = audio
    for round in 0..<50 {
      let reading = Task { try await audio.wait(for: 1) }
      for _ in 0..<round { await Task.yield() }
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
    }
    // Other readers continue to wait.
    let other = Task { try await audio.wait(for: 1) }
    for _ in 0..<100 { await Task.yield() }
    audio.grow(to: 1)
    #expect(try await other.value == 1)
  }

  @Test func truncatedFileIsAnError() async throws {
    defer { clean() }
    try write(2000)
    audio.grow(to: 3200)
    audio.end()
    var reader = audio.chunks(from: 0).makeAsyncIterator()
    #expect(try await reader.next().map { $0.end - $0.start } == 1600)
    await #expect(throws: TranscriptionError.unreadable("the recording is shorter than it was")) {
      try await reader.next()
    }
  }

  @Test func missingFileIsAnError() async throws {
    defer { clean() }
    audio.grow(to: 1600)
    audio.end()
    await #expect {
      try await Self.chunks(audio, from: 0)
    } throws: {
      if case .unreadable? = $0 as? TranscriptionError { true } else { false }
    }
  }

  @Test func concurrentReadersOfAGrowingRecordingReadEverything() async throws {
    defer { clean() }
    try write(48_000)
    let audio = audio
    let readers = [Int64(0), 0, 700, 20_000].map { start in
      Task { (start, try await Self.chunks(audio, from: start)) }
    }
    var frames: Int64 = 0
    while frames < 48_000 {
      frames = min(48_000, frames + 777)
      audio.grow(to: frames)
      await Task.yield()
    }
    audio.end()
    for reader in readers {
      let (start, chunks) = try await reader.value
      #expect(Self.problem(chunks, from: start, to: 48_000) == nil)
    }
  }
}
