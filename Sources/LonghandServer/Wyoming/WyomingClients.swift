import Foundation

/// The clients of the Wyoming protocol: a pure value. The callers pass the time, in seconds.
///
/// At most `maxCount` are connected at a time. When another one connects, the one that has been silent for longest is
/// closed, so that silent connections cannot keep other clients from connecting. A client whose utterance is being
/// transcribed is never closed, and one that sends an utterance only when it stops sending.
struct WyomingClients {
  /// What a client is doing.
  enum Phase { case idle, sending, transcribing }

  fileprivate struct Client {
    var phase = Phase.idle
    /// The time of its last message, or of its arrival.
    var last: TimeInterval
  }

  /// Clients at a time.
  static let maxCount = 16
  /// Seconds that a client may be silent within an utterance while others wait.
  static let patience = 10.0

  private var clients: [Int32: Client] = [:]

  /// All sockets.
  var sockets: [Int32] { Array(clients.keys) }

  /// A client connected.
  /// - Returns: whether it is accepted, and the client that is closed for it, if any.
  mutating func add(_ socket: Int32, now: TimeInterval) -> (isAccepted: Bool, closed: Int32?) {
    var closed: Int32?
    if clients.count >= Self.maxCount {
      closed = clients.filter { $0.value.mayBeClosed(now) }.min { $0.value.last < $1.value.last }?.key
      guard let closed else { return (false, nil) }
      clients[closed] = nil
    }
    clients[socket] = Client(last: now)
    return (true, closed)
  }

  /// A client sent a message, or its transcription ended.
  mutating func note(_ phase: Phase, of socket: Int32, now: TimeInterval) {
    guard clients[socket] != nil else { return }
    clients[socket] = Client(phase: phase, last: now)
  }

  /// The connection is about to be closed.
  mutating func remove(_ socket: Int32) { clients[socket] = nil }
}

extension WyomingClients.Client {
  fileprivate func mayBeClosed(_ now: TimeInterval) -> Bool {
    switch phase {
    case .idle: true
    case .sending: now - last >= WyomingClients.patience
    case .transcribing: false
    }
  }
}
