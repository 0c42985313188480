import Foundation
import Longhand

/// What a session told.
struct SweepTold: Sendable {
  var committed: [Segment] = []
  /// Stretches that were given up.
  var failures = 0
  /// How often the recognizer began again.
  var restarts = 0

  mutating func take(_ event: SessionEvent) {
    switch event {
    case .committed(let segment): committed.append(segment)
    case .failed: failures += 1
    case .restarted: restarts += 1
    default: break
    }
  }
}
