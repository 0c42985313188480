import Foundation
import Longhand
import LonghandTesting
import Synchronization
import TestSupport
import Testing

@testable import LonghandCommand

@Suite(.timeLimit(.minutes(5))) struct StreamCaptureTests {
  private let pipe = Pipe()
  private let received = ReceivedAudio()

  private func capture(_ raw: String?) throws -> StreamCapture {
    try StreamCapture(pipe.fileHandleForReading.fileDescriptor, raw: raw.map { try RawAudioFormat($0) })
  }

  /// Writes on a thread, `size` bytes at a time, then closes the pipe.
  private func write(_ bytes: [UInt8], size: Int = 4096, pause: UInt32 = 0, closes: Bool = true) {
    let writing = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for start in stride(from: 0, to: bytes.count, by: size) {
        try? writing.write(contentsOf: Data(bytes[start..<min(start + size, bytes.count)]))
        if pause > 0 { usleep(pause) }
      }
      if closes { try? writing.close() }
    }
  }

  /// A WAVE header with another chunk before the samples.
  private func head(code: UInt16 = 1, bits: UInt16 = 16, channels: UInt16 = 1, length: UInt32) -> [UInt8] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let frame = channels * bits / 8
    return Array("RIFF".utf8) + bytes(UInt32.max) + Array("WAVE".utf8)
      + Array("LIST".utf8) + bytes(UInt32(3)) + [1, 2, 3, 0]
      + Array("fmt ".utf8) + bytes(UInt32(16)) + bytes(code) + bytes(channels) + bytes(UInt32(16_000))
      + bytes(UInt32(16_000) * UInt32(frame)) + bytes(frame) + bytes(bits)
      + Array("data".utf8) + bytes(length)
  }

  private let samples = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test(arguments: [1, 7, 4096]) func rawSamplesAreCompleteWhateverTheReadSizes(_ size: Int) async throws {
    let capture = try capture("s16be:16000:2")
    #expect(try capture.format() == RecordingFormat(sampleRate: 16_000, channels: 2))
    let bytes = Array(samples.prefix(size == 1 ? 502 : 20_000))
    write(bytes + [9], size: size, pause: size < 100 ? 50 : 0)
    try capture.start(received.take)
    #expect(await received.hasEnded())
    let whole = bytes.prefix(bytes.count / 4 * 4)
    let expected = stride(from: 0, to: whole.count, by: 2).flatMap { [whole[$0 + 1], whole[$0]] }
    #expect(received.bytes == expected)
    #expect(received.sizes.allSatisfy { $0 % 4 == 0 })
  }

  @Test(arguments: [UInt32.max, 0, 0x7FFF_F024, 0x8000_0000])
  func waveStreamOfUnknownLengthIsReadToItsEnd(_ length: UInt32) async throws {
    write(head(channels: 2, length: length) + samples, size: 11)
    let capture = try capture(nil)
    #expect(try capture.format() == RecordingFormat(sampleRate: 16_000, channels: 2))
    try capture.start(received.take)
    #expect(await received.hasEnded())
    #expect(received.bytes == samples)
  }

  @Test func chunkAfterTheSamplesIsNotAudio() async throws {
    write(head(length: 20_000) + samples + Array("LIST0000".utf8))
    let capture = try capture(nil)
    try capture.start(received.take)
    #expect(await received.hasEnded())
    #expect(received.bytes == samples)
  }

  @Test(.tagged(.childProcess)) func pipeFromFFmpegIsRead() async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi"]
    process.arguments? += ["-i", "sine=sample_rate=8000:duration=2", "-f", "wav", "-"]
    process.standardOutput = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
    let capture = try capture(nil)
    #expect(try capture.format() == RecordingFormat(sampleRate: 8000, channels: 1))
    try capture.start(received.take)
    #expect(await received.hasEnded())
    #expect(received.bytes.count == 32_000)
  }

  @Test func invalidStreamSaysWhatToDo() throws {
    let streams: [[UInt8]] = [
      Array("ID3 and no sound at all".utf8), Array("RIFF".utf8), Array(head(length: 100).prefix(50)),
    ]
    for stream in streams {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(stream))
      try pipe.fileHandleForWriting.close()
      let capture = StreamCapture(pipe.fileHandleForReading.fileDescriptor, raw: nil)
      let failure = #expect(throws: Failure.self) { try capture.format() }
      #expect(failure?.code == .undecodable)
      #expect(failure?.input == "standard input")
      let hint = try #require(failure?.hint)
      #expect(hint.contains("--raw s16le:16000:1"))
      #expect(hint.contains("ffmpeg"))
      #expect(throws: Failure.self) { try capture.start { _ in } }
    }
    try pipe.fileHandleForWriting.close()
    #expect(#expect(throws: Failure.self) { try capture(nil).format() }?.code == .empty)
  }

  /// The same tone in formats that can be decoded as they come, and in formats that cannot.
  @Test(.tagged(.childProcess), arguments: ["mp3", "flac", "ogg", "m4a", "adpcm.wav", "webm"])
  func everyFormatIsRecorded(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("tone.\(name)")
    let codec = name == "adpcm.wav" ? ["-c:a", "adpcm_ms"] : []
    let tone = ["-f", "lavfi", "-i", "sine=sample_rate=16000:duration=2"]
    try await Program.output(of: ["ffmpeg", "-nostdin", "-v", "error"] + tone + codec + [path])
    write(Array(try Data(contentsOf: URL(fileURLWithPath: path))), size: 1000)
    let capture = try capture(nil)
    let format = try capture.format()
    #expect(capture.isReceived)
    try capture.start(received.take)
    #expect(await received.hasEnded())
    let seconds = Double(received.bytes.count) / Double(format.frameBytes * format.sampleRate)
    #expect(abs(seconds - 2) < 0.15, "\(seconds)")
    #expect(received.bytes.contains { $0 > 1 && $0 < 255 })
  }

  /// The first Ctrl-C ends an endless stream; what came is recorded.
  @Test(.tagged(.childProcess)) func stopIsTheEndOfAnEncodedStream() async throws {
    let folder = try TemporaryFolder()
    let flac = folder.path("talk.flac")
    try await Program.output(of: ["ffmpeg", "-nostdin", "-v", "error", "-i", Recordings.short, flac])
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: flac)))
    write(bytes, closes: false)
    let hasBegun = Mutex(false)
    let capture = StreamCapture(pipe.fileHandleForReading.fileDescriptor, raw: nil) {
      hasBegun.withLock { $0 = true }
    }
    let length = Mutex<RecordingFormat?>(nil)
    Thread.detachNewThread {
      let format = try? capture.format()
      length.withLock { $0 = format }
    }
    #expect(await eventually(within: 30) { hasBegun.withLock { $0 } })
    // The pipe is empty when everything was received.
    var waiting: Int32 = 1
    #expect(
      await eventually(within: 30) {
        _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &waiting); return waiting == 0
      })
    capture.stop()
    #expect(await eventually(within: 30) { length.withLock { $0 != nil } })
    try capture.start(received.take)
    #expect(await received.hasEnded())
    let samples = try Recordings.samples(of: Recordings.short)
    #expect(received.bytes == Array(samples))
  }

  @Test func stopDoesNotWaitForSamples() async throws {
    let raw = try capture("s16le:16000:1")
    write(Array(samples.prefix(1001)), closes: false)
    try raw.start(received.take)
    #expect(await eventually { received.bytes.count == 1000 })
    raw.stop()
    raw.stop()

    // Audio that was read but not delivered comes with the next start.
    write([1, 2, 3])
    try raw.start(received.take)
    #expect(await received.hasEnded())
    #expect(received.bytes == samples.prefix(1001) + [1, 2, 3])

    // After the end of the stream, a new start reports the end again.
    try raw.start(received.take)
    #expect(await eventually { received.ends == 2 })
    raw.stop()
  }

  @Test func stopDoesNotWaitForAHeader() async throws {
    write(Array(head(length: 0).prefix(20)), closes: false)
    let capture = try capture(nil)
    let waits = Mutex(true)
    Thread.detachNewThread {
      #expect(throws: CancellationError.self) { try capture.format() }
      waits.withLock { $0 = false }
    }
    #expect(
      await eventually {
        capture.stop(); return !waits.withLock { $0 }
      })
  }

  /// The pipe has pauses and the disk is full for a while. The pipe is read no faster than audio is written, and all audio
  /// is in the recording.
  @Test func recordingOfAPipeIsCompleteAndWaitsForTheDisk() async throws {
    let folder = try TemporaryFolder()
    let recording = RecordingFolder(folder.url.appendingPathComponent("session"))
    let disk = FaultyDisk()
    let written = Mutex(0)
    let bytes = (0..<20 * 32_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) }
    let writing = pipe.fileHandleForWriting
    let clock = ManualClock()
    let recorder = try AudioRecorder(recording, from: capture("s16le:16000:1"), disk: disk) { clock.now }
    disk.fault = .full(afterBytes: 0)
    Thread.detachNewThread {
      for start in stride(from: 0, to: bytes.count, by: 8000) {
        try? writing.write(contentsOf: Data(bytes[start..<start + 8000]))
        written.withLock { $0 = start + 8000 }
      }
      try? writing.close()
    }
    #expect(await eventually { written.withLock { $0 } > 10 * 32_000 })
    try await Task.sleep(for: .seconds(1))
    // Ten seconds, and the pipe's own buffer.
    #expect(written.withLock { $0 } < 14 * 32_000)
    // A long pause on the pipe is not a gap.
    clock.advance(by: 600)
    recorder.flush()
    disk.fault = .none
    var hasEnded = false
    for await event in recorder.events {
      if event == .sourceEnded {
        hasEnded = true
        break
      }
    }
    clock.advance(by: 600)
    recorder.flush()
    let manifest = try recorder.stop()
    #expect(hasEnded)
    #expect(manifest.gaps.isEmpty)
    let frames = try #require(manifest.frames)
    #expect(frames == 20 * 16_000)
    let sound = try Data(contentsOf: recording.audio).dropFirst(WaveHeader.length)
    #expect(sound.elementsEqual(bytes))
  }
}
