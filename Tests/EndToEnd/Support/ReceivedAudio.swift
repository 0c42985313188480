import Foundation
import Longhand
import Synchronization
import TestSupport

/// The audio that a source delivered.
final class ReceivedAudio: Sendable {
  private let sounds = Mutex<[CapturedAudio]>([])

  /// Keeps a delivery.
  @Sendable func take(_ sound: CapturedAudio) { sounds.withLock { $0.append(sound) } }

  private var pieces: [Data] {
    sounds.withLock { $0.compactMap { if case .samples(let samples, _) = $0 { samples } else { nil } } }
  }

  /// All samples.
  var bytes: [UInt8] { pieces.flatMap { Array($0) } }
  /// Bytes of each piece.
  var sizes: [Int] { pieces.map(\.count) }
  /// How often it came to its end.
  var ends: Int { sounds.withLock { $0.count { $0 == .ended } } }

  /// Waits for the end.
  func hasEnded() async -> Bool { await eventually { ends > 0 } }
}
