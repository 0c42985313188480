import Foundation
import Synchronization

/// A clock that goes on only when it is told to.
public final class ManualClock: Sendable {
  private let time = Mutex(0.0)

  /// A clock that stands at 0.
  public init() {}

  /// Seconds.
  public var now: TimeInterval { time.withLock { $0 } }

  /// Lets time pass.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
