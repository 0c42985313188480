import Foundation
import Synchronization

/// Knows what each connection is doing, so that one which stays open and sends nothing can be closed.
final class ConnectionTable: Sendable {
  private enum Phase {
    /// Waits for the head of a request, since this time.
    case waiting(TimeInterval)
    /// Receives the body of a request, since this time.
    case receiving(TimeInterval, bytes: Int)
    /// Sends the response. This may take any time.
    case answering
  }

  /// Seconds that a client has to send a head, and the least time it has for a body.
  static let patience = 30.0
  /// The lowest accepted rate of a body, in bytes a second.
  static let minRate = 4096.0

  private let phases = Mutex<[Int32: Phase]>([:])
  private let clock: @Sendable () -> TimeInterval

  /// - Parameter clock: monotonic seconds; the default is the system's uptime.
  init(clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }) {
    self.clock = clock
  }

  /// A client connected, or got its response and may send another request.
  func wait(_ socket: Int32) { set(socket, .waiting(clock())) }

  /// The head of a request is complete.
  func receive(_ socket: Int32) { set(socket, .receiving(clock(), bytes: 0)) }

  /// A part of the body arrived.
  func received(_ bytes: Int, on socket: Int32) {
    phases.withLock { phases in
      guard case .receiving(let start, let before)? = phases[socket] else { return }
      phases[socket] = .receiving(start, bytes: before + bytes)
    }
  }

  /// The request is complete.
  func answer(_ socket: Int32) { set(socket, .answering) }

  /// The connection is about to be closed.
  func forget(_ socket: Int32) { phases.withLock { _ = $0.removeValue(forKey: socket) } }

  private func set(_ socket: Int32, _ phase: Phase) { phases.withLock { $0[socket] = phase } }

  /// Closes the connections that are too slow.
  /// - Parameter cut: called for each socket under the lock, so that its number cannot belong to another connection yet.
  func cutSlow(by cut: (Int32) -> Void = { shutdown($0, Int32(SHUT_RDWR)) }) {
    let now = clock()
    phases.withLock { phases in
      for (socket, phase) in phases where Self.isTooSlow(phase, now) { cut(socket) }
    }
  }

  private static func isTooSlow(_ phase: Phase, _ now: TimeInterval) -> Bool {
    switch phase {
    case .waiting(let start): now - start > patience
    case .receiving(let start, let bytes): now - start > patience + Double(bytes) / minRate
    case .answering: false
    }
  }
}
