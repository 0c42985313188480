import Longhand
import Synchronization

/// A source that passes on the audio of another one, and records its times.
final class ObservedCapture: AudioCapture {
  /// The position of some audio on the device's clock, and its number of frames.
  struct Piece { var place: Int64, frames: Int64 }

  private let source: any AudioCapture
  private let noted = Mutex<(pieces: [Piece], failures: [String])>(([], []))

  init(_ source: any AudioCapture) { self.source = source }

  var pieces: [Piece] { noted.withLock(\.pieces) }
  var failures: [String] { noted.withLock(\.failures) }
  var frames: Int64 { pieces.reduce(0) { $0 + $1.frames } }

  /// The missing frames between consecutive audio, without zeros.
  var jumps: [Int64] {
    zip(pieces, pieces.dropFirst()).map { $1.place - $0.place - $0.frames }.filter { $0 != 0 }
  }

  var name: String { source.name }
  var isLive: Bool { source.isLive }
  var isInterrupted: Bool { source.isInterrupted }
  func format() throws -> RecordingFormat { try source.format() }
  func stop() { source.stop() }

  func start(_ take: @escaping @Sendable (CapturedAudio) -> Void) throws {
    let format = try format()
    try source.start { [weak self] sound in
      self?.noted.withLock {
        switch sound {
        case .samples(let samples, let place):
          $0.pieces.append(Piece(place: place ?? -1, frames: Int64(samples.count / format.frameBytes)))
        case .failed(let why): $0.failures.append(why)
        case .gap, .ended, .channelGap, .channelLost, .channelRecovered: break
        }
      }
      take(sound)
    }
  }
}
