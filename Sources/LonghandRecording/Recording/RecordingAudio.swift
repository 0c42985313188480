import AudioStreams
import Foundation
import LonghandTranscripts
import Synchronization

/// The audio of a recording, which may still grow: readers wait for more until the recording has ended.
///
/// ```swift
/// let audio = RecordingAudio(folder, format: manifest.format)
/// for await event in recorder.events {
///   if case .durable(let frames) = event { audio.grow(to: frames) }
/// }
/// audio.end()
/// ```
package final class RecordingAudio: ChannelAudio {
  private struct State {
    var durable: Int64
    var gaps: [RecordingGap] = []
    var isEnded: Bool
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  /// The format of the recording.
  package let format: RecordingFormat
  let file: URL
  private let state: Mutex<State>

  /// A recording that has just begun and has no audio yet.
  package init(_ folder: RecordingFolder, format: RecordingFormat) {
    self.format = format
    file = folder.audio
    state = Mutex(State(durable: 0, isEnded: false))
  }

  /// A recording that has ended.
  package init(_ folder: RecordingFolder, _ manifest: RecordingManifest) {
    format = manifest.format
    file = folder.audio
    let end = manifest.frames ?? 0
    state = Mutex(State(durable: end, gaps: manifest.gaps.ending(by: end), isEnded: true))
  }

  /// Frames per second (Hz).
  package var sampleRate: Int { format.sampleRate }

  /// The number of channels.
  package var channels: Int { format.channels }

  /// The gaps in what can be read.
  package var gaps: [RecordingGap] { state.withLock(\.gaps) }

  /// Frames that can be read.
  package var durable: Int64 { state.withLock(\.durable) }

  /// Seconds that can be read.
  package var duration: TimeInterval { format.seconds(durable) }

  /// Reports that `frames` can be read now. The number never shrinks.
  /// - Parameter gaps: all gaps so far, of which those beyond these frames do not count yet; nil if there are no new ones.
  package func grow(to frames: Int64, gaps: [RecordingGap]? = nil) {
    change {
      guard frames >= $0.durable else { return }
      ($0.durable, $0.gaps) = (frames, gaps?.ending(by: frames) ?? $0.gaps)
    }
  }

  /// Reports that the recording has ended.
  package func end() { change { $0.isEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until `frames` can be read, or the recording has ended.
  /// - Returns: the number of frames that can be read.
  /// - Throws: `CancellationError`.
  package func wait(for frames: Int64) async throws -> Int64 {
    while true {
      try Task.checkCancellation()
      let id = state.withLock { state -> Int? in
        guard state.durable < frames, !state.isEnded else { return nil }
        state.lastWaiter += 1
        return state.lastWaiter
      }
      guard let id else { return durable }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isNeeded = state.withLock { state in
            guard state.durable < frames, !state.isEnded, !Task.isCancelled else { return false }
            state.waiters[id] = continuation
            return true
          }
          if !isNeeded { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
      }
    }
  }

  /// The audio from a frame on. Reading waits while the recording still grows.
  package func chunks(from frame: Int64) -> AudioChunks {
    chunks(from: frame) {
      let layout = self.format.bufferFormat
      let phase = layout.flatMap(PhaseCorrection.init)
      return { samples, start in
        guard let layout, let phase else { return try self.chunk(self.format.mono(samples), start: start) }
        let corrected = self.format.corrected(samples, by: phase, layout)
        var chunk = try self.chunk(self.format.mono(corrected), start: start)
        chunk.isPhaseCorrected = phase.channel != nil
        return chunk
      }
    }
  }

  /// One channel of the recording.
  package func source(ofChannel channel: Int) -> any AudioSource {
    SingleChannel(audio: self, channel: 0) { frame in
      self.chunks(from: frame) {
        { samples, start in try self.chunk(self.format.samples(samples, ofChannel: channel), start: start) }
      }
    }
  }

  /// - Parameter conversion: makes what converts the samples of each chunk; called once for each iteration.
  private func chunks(
    from frame: Int64, _ conversion: @escaping @Sendable () -> (Data, Int64) throws -> AudioChunk
  ) -> AudioChunks {
    AudioChunks {
      var next = frame
      var handle: FileHandle?
      let convert = conversion()
      return {
        let end = AudioChunks.end(after: next, sampleRate: self.sampleRate)
        let limit = min(end, try await self.wait(for: end))
        guard limit > next else { return nil }
        defer { next = limit }
        return try convert(try self.samples(next..<limit, &handle), next)
      }
    }
  }

  private func chunk(_ samples: [Float], start: Int64) throws -> AudioChunk {
    try AudioChunk(samples, start: start, sampleRate: sampleRate)
  }

  private func samples(_ frames: Range<Int64>, _ handle: inout FileHandle?) throws -> Data {
    let byteCount = frames.count * format.frameBytes
    let samples: Data?
    do {
      let open = try handle ?? FileHandle(forReadingFrom: file)
      handle = open
      try open.seek(toOffset: format.offset(of: frames.lowerBound))
      samples = try open.read(upToCount: byteCount)
    } catch {
      throw TranscriptionError.unreadable("the recording cannot be read: \(error.localizedDescription)")
    }
    guard let samples, samples.count == byteCount else {
      throw TranscriptionError.unreadable("the recording is shorter than it was")
    }
    return samples
  }
}

extension [RecordingGap] {
  /// Those that end by a frame.
  fileprivate func ending(by frame: Int64) -> Self { filter { $0.start + $0.frames <= frame } }
}
