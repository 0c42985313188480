import Foundation

/// The client of a request, for as long as it waits for the response.
protocol HTTPClient: Sendable {
  /// The client's socket, which can be polled together with other descriptors; negative if there is none.
  var socket: Int32 { get }
  /// What is known about the client now.
  var presence: ClientPresence { get }
  /// Sends a response that clients ignore, before the response of the request is begun. If the client has gone, its
  /// system reports that, and `presence` changes.
  func probe()
}

/// What is known about the other end of a connection.
enum ClientPresence {
  /// It can send more.
  case open
  /// It sends nothing more. It may still receive, or be gone: only sending to it shows which.
  case silent
  /// The connection is closed.
  case gone
}

/// A client without a connection: it never goes away.
struct AbsentClient: HTTPClient {
  var socket: Int32 { -1 }
  var presence: ClientPresence { .open }
  func probe() {}
}

/// The client at the other end of a connection.
struct SocketClient: HTTPClient {
  let socket: Int32
  /// Clients of HTTP/1.0 do not know interim responses.
  var acceptsInterimResponses = true

  var presence: ClientPresence {
    var watched = pollfd(fd: socket, events: Self.hangUp, revents: 0)
    return poll(&watched, 1, 0) > 0 ? Self.presence(watched) : .open
  }

  func probe() {
    guard acceptsInterimResponses else { return }
    let bytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    // Nothing waits in the socket before the response, so that all of it fits.
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
  }

  /// `POLLRDHUP`, a GNU extension that Swift does not import: the other end sends nothing more.
  static let hangUp: Int16 = 0x2000

  /// What the result of `poll` says.
  static func presence(_ watched: pollfd) -> ClientPresence {
    if watched.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return .gone }
    return watched.revents & hangUp != 0 ? .silent : .open
  }
}
