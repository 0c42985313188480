import AVFAudio
import Synchronization

/// What a tap was given.
final class TapRecord: Sendable {
  struct Piece {
    let samples: [Float]
    let sampleTime: Int64
    let hostTime: UInt64
    /// When the tap was called.
    let arrival: UInt64
    let format: AVAudioFormat
    let isMain: Bool
  }

  private let all = Mutex<[Piece]>([])
  private let block = Mutex<(@Sendable (Int) -> Void)?>(nil)

  /// Calls `body` with the number of each buffer, after it was noted.
  func onBuffer(_ body: (@Sendable (Int) -> Void)?) { block.withLock { $0 = body } }

  func add(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
    let piece = Piece(
      samples: buffer.samples(), sampleTime: time.sampleTime, hostTime: time.hostTime,
      arrival: AVAudioTime.hostTimeNow, format: buffer.format, isMain: Thread.isMainThread)
    let count = all.withLock {
      $0.append(piece)
      return $0.count
    }
    block.withLock { $0 }?(count)
  }

  var pieces: [Piece] { all.withLock { $0 } }
  var samples: [Float] { pieces.flatMap(\.samples) }
  var frames: Int { pieces.reduce(0) { $0 + $1.samples.count } }

  /// Frames that are missing between each piece and the next, where that is not none.
  var jumps: [Int64] {
    let pieces = pieces
    return zip(pieces, pieces.dropFirst())
      .map { $1.sampleTime - $0.sampleTime - Int64($0.samples.count) }
      .filter { $0 != 0 }
  }
}

extension AVAudioTime {
  static var hostTimeNow: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
