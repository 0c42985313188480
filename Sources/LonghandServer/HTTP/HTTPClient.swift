import Foundation

/// The client of a request, for as long as it waits for the response.
protocol HTTPClient: Sendable {
  /// The client's socket, which can be polled together with other descriptors; negative if there is none.
  var socket: Int32 { get }
  /// Whether the client has closed the connection.
  var isGone: Bool { get }
}

/// A client without a connection: it never goes away.
struct AbsentClient: HTTPClient {
  var socket: Int32 { -1 }
  var isGone: Bool { false }
}

/// The client at the other end of a connection.
struct SocketClient: HTTPClient {
  let socket: Int32

  var isGone: Bool {
    var watched = pollfd(fd: socket, events: Self.hangUp, revents: 0)
    return poll(&watched, 1, 0) > 0 && Self.isGone(watched)
  }

  /// `POLLRDHUP`, a GNU extension that Swift does not import: the other end sends nothing more.
  static let hangUp: Int16 = 0x2000

  /// Whether the result of `poll` says that the other end is closed, or sends nothing more.
  static func isGone(_ watched: pollfd) -> Bool {
    let ends = hangUp | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
    return watched.revents & ends != 0
  }
}
