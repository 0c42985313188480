import Foundation
import Synchronization

/// Knows what each connection is doing, so that slow ones can be closed, and so that no client can occupy all of them.
///
/// A client that has not sent the token yet is a stranger. Strangers have a small part of the connections, and little
/// time. When there are too many connections of a kind, the oldest one of this kind is closed: a client that opens
/// many connections loses its own oldest ones.
final class ConnectionTable: Sendable {
  private enum Phase {
    /// Waits for the head of a request, since this time.
    case waiting(TimeInterval)
    /// Receives the body of a request, since this time.
    case receiving(TimeInterval, bytes: Int)
    /// Sends the response. This may take any time.
    case answering
    /// Sends a stream of events that has no end.
    case following
    /// Has been closed, and is about to be forgotten.
    case cut
  }

  private struct Connection {
    /// Connections are numbered from the oldest.
    var number: Int
    var phase: Phase
    var isSignedIn = false

    var isOpen: Bool { if case .cut = phase { false } else { true } }
    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    var isFollowing: Bool { if case .following = phase { true } else { false } }
  }

  private struct State {
    var connections: [Int32: Connection] = [:]
    var count = 0
  }

  /// Connections at a time. Further ones wait in the system's queue.
  static let maxConnections = 512
  /// Connections at a time after which idle ones are closed.
  static let maxBusy = 480
  /// Connections of strangers at a time.
  static let maxStrangers = 128
  /// Streams of events at a time.
  static let maxFollowing = 256
  /// Seconds that a client has to send a head, and the least time it has for a body.
  static let patience = 30.0
  /// The same for a stranger.
  static let strangerPatience = 5.0
  /// The lowest accepted rate of a body, in bytes a second.
  static let minRate = 4096.0

  private let state = Mutex(State())
  private let clock: @Sendable () -> TimeInterval
  private let cut: @Sendable (Int32) -> Void

  /// - Parameters:
  ///   - clock: monotonic seconds; the default is the system's uptime.
  ///   - cut: closes a socket. It is called under the lock, so that the socket's number cannot belong to another
  ///     connection yet.
  init(
    clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime },
    cut: @escaping @Sendable (Int32) -> Void = { shutdown($0, Int32(SHUT_RDWR)) }
  ) {
    self.clock = clock
    self.cut = cut
  }

  /// A client connected.
  func add(_ socket: Int32) {
    let now = clock()
    state.withLock { state in
      state.count += 1
      state.connections[socket] = Connection(number: state.count, phase: .waiting(now))
      limit(&state, to: Self.maxStrangers, of: { !$0.isSignedIn })
      let busy = state.connections.values.count { $0.isOpen && !$0.isWaiting }
      limit(&state, to: max(0, Self.maxBusy - busy), of: \.isWaiting)
    }
  }

  /// A client got its response and may send another request.
  func wait(_ socket: Int32) { set(socket, .waiting(clock())) }

  /// The head of a request is complete.
  func receive(_ socket: Int32) {
    set(socket, .receiving(clock(), bytes: 0))
    state.withLock { $0.connections[socket]?.isSignedIn = false }
  }

  /// The client has the token.
  func signIn(_ socket: Int32) { state.withLock { $0.connections[socket]?.isSignedIn = true } }

  /// A part of the body arrived.
  func received(_ bytes: Int, on socket: Int32) {
    state.withLock { state in
      guard case .receiving(let start, let before)? = state.connections[socket]?.phase else { return }
      state.connections[socket]?.phase = .receiving(start, bytes: before + bytes)
    }
  }

  /// The request is complete.
  func answer(_ socket: Int32) { set(socket, .answering) }

  /// Whether no client is connected.
  var isEmpty: Bool { state.withLock(\.connections.isEmpty) }
  /// The number of clients that have connected so far.
  var countSoFar: Int { state.withLock(\.count) }

  /// Whether a response with an end of its own is being sent.
  var isAnswering: Bool {
    state.withLock {
      $0.connections.values.contains { if case .answering = $0.phase { true } else { false } }
    }
  }

  /// The response is a stream of events that has no end.
  func follow(_ socket: Int32) {
    set(socket, .following)
    state.withLock { limit(&$0, to: Self.maxFollowing, of: \.isFollowing) }
  }

  /// The connection is about to be closed.
  func forget(_ socket: Int32) { state.withLock { _ = $0.connections.removeValue(forKey: socket) } }

  private func set(_ socket: Int32, _ phase: Phase) {
    state.withLock { state in
      if state.connections[socket]?.isOpen == true { state.connections[socket]?.phase = phase }
    }
  }

  /// Closes the oldest connections of a kind, so that at most `count` are left.
  private func limit(_ state: inout State, to count: Int, of kind: (Connection) -> Bool) {
    let all = state.connections.filter { $0.value.isOpen && kind($0.value) }
    guard all.count > count else { return }
    for (socket, _) in all.sorted(by: { $0.value.number < $1.value.number }).prefix(all.count - count) {
      close(socket, &state)
    }
  }

  /// Closes the connections that are too slow.
  func cutSlow() {
    let now = clock()
    state.withLock { state in
      for (socket, connection) in state.connections where Self.isTooSlow(connection, now) {
        close(socket, &state)
      }
    }
  }

  private func close(_ socket: Int32, _ state: inout State) {
    state.connections[socket]?.phase = .cut
    cut(socket)
  }

  private static func isTooSlow(_ connection: Connection, _ now: TimeInterval) -> Bool {
    let patience = connection.isSignedIn ? patience : strangerPatience
    return switch connection.phase {
    case .waiting(let start): now - start > patience
    case .receiving(let start, let bytes): now - start > patience + Double(bytes) / minRate
    case .answering, .following, .cut: false
    }
  }
}
