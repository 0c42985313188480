import Foundation
import Longhand
import Synchronization

/// Captures audio from a pipe at the pipe's own pace: raw samples or a WAVE file.
///
/// A pause on the pipe is not a gap in the recording. A file that is piped in is read no faster than it is recorded.
/// Audio that was read but not delivered before `stop()` is delivered after the next `start(_:)`.
final class StreamCapture: AudioCapture {
  /// The maximum length of one delivery, in seconds.
  private static let maxSeconds = 0.25
  /// The maximum number of bytes per read.
  private static let maxBytes = 1 << 16

  let name: String
  var isLive: Bool { false }

  private let source: Source
  private let reading = Mutex<Reading?>(nil)
  /// Cancels a `format()` that is waiting for the header.
  private let headerFlag = Mutex(CancellationFlag())

  /// A thread that reads. A thread, because reading blocks.
  private struct Reading {
    let flag = CancellationFlag()
    let isOver = DispatchGroup()
  }

  /// - Parameters:
  ///   - descriptor: the descriptor to read; it is not closed.
  ///   - raw: the sample format; nil to read it from a WAVE header.
  init(_ descriptor: Int32 = STDIN_FILENO, raw: RawAudioFormat?, name: String = "standard input") {
    self.name = name
    source = Source(StreamReader(descriptor: descriptor, name: name), raw: raw)
  }

  deinit { stop() }

  /// Returns the format; waits for the WAVE header if there is one.
  ///
  /// - Throws: a `Failure` if the stream has no valid header, `CancellationError` after `stop()`.
  func format() throws -> RecordingFormat {
    let flag = CancellationFlag()
    headerFlag.withLock { $0 = flag }
    let layout = try source.layout(until: flag)
    return RecordingFormat(sampleRate: layout.rate, channels: layout.channels)
  }

  /// Starts to read. Can be called again after the end of the stream or a failure.
  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    stop()
    let format = try format()
    let new = Reading()
    reading.withLock { $0 = new }
    // The limit is in bytes of the recording; the stream has at least half as many.
    let count = min(Int(Self.maxSeconds * Double(format.sampleRate)) * format.frameBytes / 2, Self.maxBytes)
    new.isOver.enter()
    Thread.detachNewThread { [source] in
      defer { new.isOver.leave() }
      do {
        while let samples = try source.samples(count, until: new.flag) {
          take(.samples(samples, at: nil))
        }
        take(.ended)
      } catch let error as Failure {
        take(.failed(error.message))
      } catch {
        // Stopped by `stop()`, which needs no event.
      }
    }
  }

  func stop() {
    headerFlag.withLock { $0.cancel() }
    let current = reading.withLock { reading in
      defer { reading = nil }
      return reading
    }
    current?.flag.cancel()
    current?.isOver.wait()
  }
}

extension StreamCapture {
  /// The stream and the read position. `state` lets one thread at a time read.
  final class Source: Sendable {
    private struct State {
      var layout: RawAudioFormat?
      /// The remaining audio bytes; nil if the audio continues to the end of the stream.
      var left: UInt64?
      /// Bytes that were read but do not yet form a whole frame or a whole header.
      var pending: [UInt8] = []
    }

    private let reader: StreamReader
    private let state: Mutex<State>

    init(_ reader: StreamReader, raw: RawAudioFormat?) {
      self.reader = reader
      state = Mutex(State(layout: raw))
    }

    /// Returns the sample format; reads the header if necessary.
    func layout(until flag: CancellationFlag) throws -> RawAudioFormat {
      try state.withLock { state in
        if let layout = state.layout { return layout }
        // If this is cancelled, the next call parses the pending bytes again from their start.
        var used = 0
        let header = try WaveStreamHeader(of: reader.name) { count in
          while state.pending.count < used + count {
            // Read no more than needed, because audio follows.
            let missing = used + count - state.pending.count
            guard let bytes = try reader.read(missing, until: flag) else { break }
            state.pending += bytes
          }
          let bytes = Array(state.pending[used..<min(used + count, state.pending.count)])
          used += bytes.count
          return bytes
        }
        state.pending = []
        state.layout = header.layout
        state.left = header.length
        return header.layout
      }
    }

    /// Returns the next whole frames in the recording's sample format; nil at the end, where a partial frame is dropped.
    func samples(_ count: Int, until flag: CancellationFlag) throws -> Data? {
      try state.withLock { state in
        guard let layout = state.layout else { return nil }
        while true {
          let wanted = min(UInt64(max(1, count - state.pending.count)), state.left ?? .max)
          guard wanted > 0, let bytes = try reader.read(Int(wanted), until: flag) else {
            state.pending = []
            return nil
          }
          if let left = state.left { state.left = left - UInt64(bytes.count) }
          state.pending += bytes
          let whole = state.pending.count - state.pending.count % layout.frameBytes
          guard whole > 0 else { continue }
          defer { state.pending.removeFirst(whole) }
          return layout.recorded(state.pending[..<whole])
        }
      }
    }
  }
}
