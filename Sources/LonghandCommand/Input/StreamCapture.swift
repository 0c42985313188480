import Foundation
import Longhand
import Synchronization

/// The sound that comes by a pipe, at the pace at which it comes: raw samples, or a WAVE file.
///
/// Where nothing comes nothing is missing, and no device is lost. A file that is piped in is read no faster than it is
/// recorded. What was read and not given yet when it is stopped comes with the next start.
final class StreamCapture: AudioCapture {
  /// Seconds of sound that are given at once, at the most.
  private static let pieceLength = 0.25
  /// Bytes that are read at once, at the most.
  private static let mostBytes = 1 << 16

  let name: String
  var isLive: Bool { false }

  private let source: Source
  private let reading = Mutex<Reading?>(nil)
  /// Ends a `format()` that still waits for the head.
  private let headFlag = Mutex(CancellationFlag())

  /// A thread that reads.
  private struct Reading {
    let flag = CancellationFlag()
    let isOver = DispatchGroup()
  }

  /// - Parameters:
  ///   - descriptor: is read, and not closed.
  ///   - raw: how the samples are laid out; nil if a WAVE file's head tells.
  init(_ descriptor: Int32 = STDIN_FILENO, raw: RawAudioFormat?, name: String = "standard input") {
    self.name = name
    source = Source(StreamReader(descriptor: descriptor, name: name), raw: raw)
  }

  deinit { stop() }

  /// Waits for a WAVE file's head.
  ///
  /// Throws a `Failure` that says what to do if there is none, and `CancellationError` when it is stopped meanwhile.
  func format() throws -> RecordingFormat {
    let flag = CancellationFlag()
    headFlag.withLock { $0 = flag }
    let layout = try source.layout(until: flag)
    return RecordingFormat(sampleRate: layout.rate, channels: layout.channels)
  }

  /// Begins to read, on a thread of its own; after the end, or a failure, it is tried again.
  func start(_ take: @escaping @Sendable (CapturedSound) -> Void) throws {
    stop()
    let format = try format()
    let new = Reading()
    reading.withLock { $0 = new }
    // In bytes of the recording: those of the stream are at least half as many.
    let piece = min(Int(Self.pieceLength * Double(format.sampleRate)) * format.frameBytes / 2, Self.mostBytes)
    new.isOver.enter()
    Thread.detachNewThread { [source] in
      defer { new.isOver.leave() }
      do {
        while let samples = try source.samples(piece, until: new.flag) {
          take(.samples(samples, at: nil))
        }
        take(.ended)
      } catch let error as Failure {
        take(.failed(error.message))
      } catch {
        // It was stopped: nobody wants to hear of it.
      }
    }
  }

  func stop() {
    headFlag.withLock { $0.cancel() }
    let current = reading.withLock { reading in
      defer { reading = nil }
      return reading
    }
    current?.flag.cancel()
    current?.isOver.wait()
  }
}

extension StreamCapture {
  /// The bytes, and how far they were read. Used by one thread at a time, which `state` sees to.
  final class Source: Sendable {
    private struct State {
      var layout: RawAudioFormat?
      /// Bytes of sound that are to come still; nil if up to the end.
      var left: UInt64?
      /// What was read and is not a whole frame yet, or a whole head.
      var pending: [UInt8] = []
    }

    private let reader: StreamReader
    private let state: Mutex<State>

    init(_ reader: StreamReader, raw: RawAudioFormat?) {
      self.reader = reader
      state = Mutex(State(layout: raw))
    }

    /// How the samples are laid out, when that is known.
    func layout(until flag: CancellationFlag) throws -> RawAudioFormat {
      try state.withLock { state in
        if let layout = state.layout { return layout }
        // A head that was begun is read again from its beginning if this is told to wait no more.
        var used = 0
        let header = try WaveStreamHeader(of: reader.name) { count in
          while state.pending.count < used + count {
            // No more than needed: what follows is sound.
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

    /// The next whole frames as a recording has them; nil at the end, where a part of a frame is left out.
    func samples(_ most: Int, until flag: CancellationFlag) throws -> Data? {
      try state.withLock { state in
        guard let layout = state.layout else { return nil }
        while true {
          let wanted = min(UInt64(max(1, most - state.pending.count)), state.left ?? .max)
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
