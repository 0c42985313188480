import Foundation

/// The other end of a connection.
struct SocketClient: HTTPClient {
  let socket: Int32

  var isGone: Bool {
    var watched = pollfd(fd: socket, events: Self.hangUp, revents: 0)
    return poll(&watched, 1, 0) > 0 && Self.isGone(watched)
  }

  /// POLLRDHUP, one of GNU's extensions, which the importer leaves out: the other end says nothing more.
  static let hangUp: Int16 = 0x2000

  /// Whether a watched socket's events say that the other end is gone, or will say nothing more.
  static func isGone(_ watched: pollfd) -> Bool {
    let ends = hangUp | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)
    return watched.revents & ends != 0
  }
}
