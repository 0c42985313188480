import Foundation
import Longhand
import Synchronization

/// Captures audio from a pipe: raw samples or a WAVE file at the pipe's own pace, and all other formats when the pipe has
/// ended, because some of them can be decoded only as a whole.
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

  /// Whether all of the stream was received, so that the recording ends by itself.
  var isReceived: Bool { source.isReceived }

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
  ///   - raw: the sample format; nil to read it from the stream.
  ///   - onSpool: called if the stream is received to its end before the recording begins.
  init(
    _ descriptor: Int32 = STDIN_FILENO, raw: RawAudioFormat?, name: String = "standard input",
    onSpool: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    source = Source(StreamReader(descriptor: descriptor, name: name), raw: raw, onSpool: onSpool)
  }

  deinit { stop() }

  /// Returns the format; waits for the WAVE header if there is one, and for the end of a stream in another format.
  /// `stop()` then counts as the end.
  ///
  /// - Throws: a `Failure` if the stream cannot be decoded, `CancellationError` after `stop()`.
  func format() throws -> RecordingFormat {
    let flag = CancellationFlag()
    headerFlag.withLock { $0 = flag }
    return try source.format(until: flag)
  }

  /// Starts to read. Can be called again after the end of the stream or a failure.
  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    stop()
    let format = try format()
    let new = Reading()
    reading.withLock { $0 = new }
    // The limit is in bytes of the recording; the stream has at least half as many.
    let count = min(
      Int(clamping: Self.maxSeconds * Double(format.sampleRate)) * format.frameBytes / 2, Self.maxBytes)
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
      /// The stream, if it is neither raw samples nor a WAVE file.
      var decoded: DecodedSpool?
      /// The remaining audio bytes; nil if the audio continues to the end of the stream.
      var left: UInt64?
      /// Bytes that were read but do not yet form a whole frame or a whole header.
      var pending: [UInt8] = []
    }

    private let reader: StreamReader
    private let onSpool: @Sendable () -> Void
    private let state: Mutex<State>
    private let received = Mutex(false)

    init(_ reader: StreamReader, raw: RawAudioFormat?, onSpool: @escaping @Sendable () -> Void) {
      self.reader = reader
      self.onSpool = onSpool
      state = Mutex(State(layout: raw))
    }

    var isReceived: Bool { received.withLock { $0 } }

    /// Returns the format of the recording; reads the header, or the whole stream, if necessary.
    func format(until flag: CancellationFlag) throws -> RecordingFormat {
      try state.withLock { state in
        if state.layout == nil, state.decoded == nil { try begin(&state, until: flag) }
        if let decoded = state.decoded { return decoded.format }
        return RecordingFormat(sampleRate: state.layout?.rate ?? 0, channels: state.layout?.channels ?? 0)
      }
    }

    private func begin(_ state: inout State, until flag: CancellationFlag) throws {
      // If this is cancelled, the next call parses the pending bytes again from their start.
      var used = 0
      do {
        let header = try WaveHeader { count in
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
        state.layout = RawAudioFormat(header)
        state.left = header.knownBytes
      } catch WaveHeader.Fault.empty {
        throw Failure.emptyInput(reader.name)
      } catch is WaveHeader.Fault {
        onSpool()
        let spool = try Spool.copy(
          reader.descriptor, name: reader.name, beginning: state.pending, isWholeWhenCancelled: true,
          flag: flag)
        state.pending = []
        state.decoded = try DecodedSpool(spool, name: reader.name)
        received.withLock { $0 = true }
      }
    }

    /// Returns the next whole frames in the recording's sample format; nil at the end, where a partial frame is dropped.
    func samples(_ count: Int, until flag: CancellationFlag) throws -> Data? {
      try state.withLock { state in
        if let decoded = state.decoded {
          if flag.isCancelled { throw CancellationError() }
          return try decoded.samples(count / decoded.format.frameBytes)
        }
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
