import CMicrohttpd
import Foundation
import Synchronization

/// The thin effect around everything else: sockets and threads, by libmicrohttpd.
///
/// Every connection has a thread of its own, on which its requests are answered: they may wait as long as they like, and
/// none holds up another.
final class HTTPListener: Sendable {
  /// Connections at once; what comes beyond waits for the system's backlog.
  private static let mostConnections: UInt32 = 512
  /// Bytes of a connection's head and buffers.
  private static let memory = 32 << 10
  /// Bytes of a thread's stack, of which only what is used takes memory.
  private static let stack = 1 << 20
  /// Seconds without a byte after which a connection ends.
  fileprivate static let timeout: UInt32 = 30

  /// What the lock around it guards.
  private struct State: @unchecked Sendable {
    var daemon: OpaquePointer?
    var isQuiet = false
    var isStopped = false
  }

  /// The port that is listened to.
  let port: Int
  fileprivate let service: any HTTPService
  fileprivate let connections = ConnectionTable()
  private let state = Mutex(State())

  /// Begins to answer.
  /// - Parameters:
  ///   - socket: as `ListeningSocket` makes it; it belongs to this, unless an error is thrown.
  ///   - service: what answers.
  /// - Throws: `ServerError` if there are no threads or no memory for it.
  init(_ socket: ListeningSocket, service: any HTTPService) throws {
    port = socket.port
    self.service = service
    // The library's threads keep it until `stop()`.
    let context = Unmanaged.passRetained(self)
    let daemon = longhand_mhd_start(
      socket.descriptor, context.toOpaque(), Self.mostConnections, Self.timeout, Self.memory, Self.stack,
      handle, begin,
      completed, connected)
    guard let daemon else {
      context.release()
      throw ServerError(
        "the server's threads cannot be started: \(String(cString: strerror(errno)))",
        remedy: "end other programs, or raise their limits ('ulimit -u')")
    }
    state.withLock { $0.daemon = daemon }
    Thread.detachNewThread { [weak self] in
      while let self, !self.state.withLock(\.isStopped) {
        self.connections.cutSlow()
        Thread.sleep(forTimeInterval: 1)
      }
    }
  }

  /// Takes no more connections; those that are there go on.
  func quiesce() {
    let socket = state.withLock { state -> Int32? in
      // A second time it would be told the same number, which may be another file's by then.
      guard let daemon = state.daemon, !state.isQuiet else { return nil }
      state.isQuiet = true
      return MHD_quiesce_daemon(daemon)
    }
    if let socket, socket >= 0 { close(socket) }
  }

  /// Ends every connection, after what is being answered at the moment.
  func stop() {
    quiesce()
    let daemon = state.withLock { state in
      state.isStopped = true
      defer { state.daemon = nil }
      return state.daemon
    }
    guard let daemon else { return }
    MHD_stop_daemon(daemon)
    Unmanaged.passUnretained(self).release()
  }
}

private func listener(_ context: UnsafeMutableRawPointer) -> HTTPListener {
  Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
}

/// The first line of a request is there.
private func begin(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let target, let connection else { return nil }
  let client = SocketClient(socket: longhand_mhd_socket(connection))
  let exchange = HTTPExchange(target: String(cString: target), client: client)
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// A request's head, a part of its body, or its end is there.
private func handle(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ bytes: UnsafePointer<CChar>?,
  _ count: UnsafeMutablePointer<Int>?, _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let method, let count, let pointer = exchange?.pointee else {
    return .NO
  }
  let listener = listener(context)
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
  let socket = exchange.client.socket
  if !exchange.isBegun {
    listener.connections.receive(socket)
    do {
      try exchange.begin(
        method: String(cString: method), headers: headers(of: connection), by: listener.service)
      return .YES
    } catch {
      listener.connections.answer(socket)
      return send(HTTPResponse(error), on: connection)
    }
  }
  if count.pointee > 0, let bytes {
    let part = Data(bytes: bytes, count: count.pointee)
    listener.connections.received(part.count, on: socket)
    count.pointee = 0
    return exchange.take(part) ? .YES : .NO
  }
  listener.connections.answer(socket)
  // What takes its time is no silence of the client's.
  longhand_mhd_set_timeout(connection, 0)
  let response = exchange.answer(by: listener.service)
  longhand_mhd_set_timeout(connection, HTTPListener.timeout)
  return send(response, on: connection)
}

/// The answer was sent, or the client is gone.
private func completed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
  guard let context, let pointer = exchange?.pointee else { return }
  let done = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
  exchange?.pointee = nil
  listener(context).connections.wait(done.client.socket)
}

/// Somebody has come, or goes.
private func connected(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let socket = longhand_mhd_socket(connection)
  if code == .CONNECTION_NOTIFY_STARTED {
    listener(context).connections.wait(socket)
  } else {
    listener(context).connections.forget(socket)
  }
}

private func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
  var headers: [(name: String, value: String)] = []
  withUnsafeMutablePointer(to: &headers) { pointer in
    _ = MHD_get_connection_values_n(
      connection, .HEADER_KIND,
      { context, _, name, nameCount, value, valueCount in
        let headers = context?.assumingMemoryBound(to: [(name: String, value: String)].self)
        headers?.pointee.append((text(name, nameCount), text(value, valueCount)))
        return .YES
      }, pointer)
  }
  return headers
}

private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
  guard let bytes else { return "" }
  return String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}

private func send(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
  let response = response.guarded
  let queued: OpaquePointer?
  switch response.body {
  case .bytes(let data):
    queued = data.withUnsafeBytes {
      MHD_create_response_from_buffer(
        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
  case .content(let content, let length):
    let reader = Unmanaged.passRetained(ContentReader(content))
    queued = MHD_create_response_from_callback(
      // All bits set where it is not known.
      length ?? .max, 64 << 10,
      { reader, _, buffer, most in
        guard let reader, let buffer else { return -2 }
        return Unmanaged<ContentReader>.fromOpaque(reader).takeUnretainedValue().read(into: buffer, most)
      }, reader.toOpaque(),
      { reader in
        if let reader { Unmanaged<ContentReader>.fromOpaque(reader).release() }
      })
    if queued == nil { reader.release() }
  }
  guard let queued else { return .NO }
  defer { MHD_destroy_response(queued) }
  for header in response.headers { MHD_add_response_header(queued, header.name, header.value) }
  return MHD_queue_response(connection, UInt32(response.status), queued)
}

/// Content, cut as the library wants it. Its connection's thread alone uses it.
private final class ContentReader {
  private let content: any HTTPContent
  private var rest = Data()

  init(_ content: any HTTPContent) { self.content = content }

  /// How much was put there; -1 at the end and -2 where the answer is to be cut off, as the library wants it.
  func read(into buffer: UnsafeMutablePointer<CChar>, _ most: Int) -> Int {
    do {
      if rest.isEmpty {
        guard let piece = try content.next() else { return -1 }
        rest = piece
      }
      let count = min(most, rest.count)
      UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: rest.prefix(count))
      rest = Data(rest.dropFirst(count))
      return count
    } catch {
      return -2
    }
  }
}
