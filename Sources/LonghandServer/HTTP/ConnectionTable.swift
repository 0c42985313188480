import Foundation
import Synchronization

/// What every connection is at, so that one that keeps a place and does nothing with it can be cut.
final class ConnectionTable: Sendable {
  private enum Phase {
    /// For a request's head, since then.
    case waiting(TimeInterval)
    /// For a request's body, since then, of which so much has come.
    case receiving(TimeInterval, bytes: Int)
    /// For what is answered: no time is too long.
    case answering
  }

  /// Seconds that a head may take, and a body at least.
  static let patience = 30.0
  /// Bytes a second that a body comes with at least.
  static let slowest = 4096.0

  private let phases = Mutex<[Int32: Phase]>([:])
  private let clock: @Sendable () -> TimeInterval

  /// - Parameter clock: seconds that only grow; the default is the system's.
  init(clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }) {
    self.clock = clock
  }

  /// Somebody has connected, or was answered and may ask again.
  func wait(_ socket: Int32) { set(socket, .waiting(clock())) }
  /// The head is there.
  func receive(_ socket: Int32) { set(socket, .receiving(clock(), bytes: 0)) }
  /// A part of the body is there.
  func received(_ bytes: Int, on socket: Int32) {
    phases.withLock { phases in
      guard case .receiving(let start, let before)? = phases[socket] else { return }
      phases[socket] = .receiving(start, bytes: before + bytes)
    }
  }
  /// All is there.
  func answer(_ socket: Int32) { set(socket, .answering) }
  /// The connection is about to be closed.
  func forget(_ socket: Int32) { phases.withLock { _ = $0.removeValue(forKey: socket) } }

  private func set(_ socket: Int32, _ phase: Phase) { phases.withLock { $0[socket] = phase } }

  /// Cuts those that take too long.
  /// - Parameter cut: called for each, before its number can belong to another.
  func cutSlow(by cut: (Int32) -> Void = { shutdown($0, Int32(SHUT_RDWR)) }) {
    let now = clock()
    phases.withLock { phases in
      for (socket, phase) in phases where Self.isTooSlow(phase, now) { cut(socket) }
    }
  }

  private static func isTooSlow(_ phase: Phase, _ now: TimeInterval) -> Bool {
    switch phase {
    case .waiting(let start): now - start > patience
    case .receiving(let start, let bytes): now - start > patience + Double(bytes) / slowest
    case .answering: false
    }
  }
}
