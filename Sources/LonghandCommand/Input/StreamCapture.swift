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
