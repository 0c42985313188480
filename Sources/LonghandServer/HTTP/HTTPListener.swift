import CMicrohttpd
import Foundation
import Synchronization

/// Receives requests and sends responses, with libmicrohttpd.
///
/// libmicrohttpd has one thread for each connection and calls the service on it. The service may therefore block, and
/// no request delays another.
final class HTTPListener: Sendable {
  /// Bytes for the head and the buffers of a connection.
  private static let memory = 32 << 10
  /// Bytes for the stack of a thread. Only the used part takes memory.
  private static let stack = 1 << 20
  /// Seconds without a byte after which a connection is closed.
  fileprivate static let timeout: UInt32 = 30

  /// `@unchecked Sendable`: libmicrohttpd allows every thread to use the daemon.
  private enum State: @unchecked Sendable {
    case accepting(OpaquePointer)
    /// Open connections continue; new ones are not accepted.
    case quiet(OpaquePointer)
    case stopped
  }

  let port: Int
  fileprivate let service: any HTTPService
  let connections = ConnectionTable()
  private let state = Mutex(State.stopped)

  /// Starts to answer requests.
  /// - Parameters:
  ///   - socket: the listener closes it, unless this throws.
  ///   - service: answers the requests.
  /// - Throws: `ServerError` if the system has no threads or no memory left.
  init(_ socket: ListeningSocket, service: any HTTPService) throws {
    port = socket.port
    self.service = service
    // libmicrohttpd's threads use this object until `stop()`.
    let context = Unmanaged.passRetained(self)
    let daemon = longhand_mhd_start(
      socket.descriptor, context.toOpaque(), UInt32(ConnectionTable.maxConnections), Self.timeout,
      Self.memory, Self.stack,
      handle, begin, completed, connected)
    guard let daemon else {
      context.release()
      throw ServerError(
        "cannot start the server's threads: \(String(cString: strerror(errno)))",
        remedy: "close other programs, or raise the limit of processes ('ulimit -u')")
    }
    state.withLock { $0 = .accepting(daemon) }
    Task { [weak self] in
      while let self, !self.isStopped {
        self.connections.cutSlow()
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  private var isStopped: Bool { state.withLock { if case .stopped = $0 { true } else { false } } }

  /// Accepts no more connections. Open connections continue.
  func quiesce() {
    let socket = state.withLock { state -> Int32? in
      // Only once: libmicrohttpd would return the same number again, which may belong to another file then.
      guard case .accepting(let daemon) = state else { return nil }
      state = .quiet(daemon)
      return MHD_quiesce_daemon(daemon)
    }
    if let socket, socket >= 0 { close(socket) }
  }

  /// Closes every connection. It blocks until then, and for up to a second until no response is being sent.
  func stop() {
    quiesce()
    let deadline = ProcessInfo.processInfo.systemUptime + 1
    while connections.isAnswering, ProcessInfo.processInfo.systemUptime < deadline { usleep(10_000) }
    let stopped = state.withLock { state in
      defer { state = .stopped }
      return state
    }
    guard case .quiet(let daemon) = stopped else { return }
    MHD_stop_daemon(daemon)
    Unmanaged.passUnretained(self).release()
  }
}

private func listener(_ context: UnsafeMutableRawPointer) -> HTTPListener {
  Unmanaged<HTTPListener>.fromOpaque(context).takeUnretainedValue()
}

/// The first line of a request has arrived.
private func begin(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let target, let connection else { return nil }
  let client = SocketClient(socket: longhand_mhd_socket(connection))
  let exchange = HTTPExchange(target: String(cString: target), client: client)
  return Unmanaged.passRetained(exchange).toOpaque()
}

/// The head of a request, a part of its body, or its end has arrived.
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
      let isSignedIn = try exchange.begin(
        method: String(cString: method), version: version.map { String(cString: $0) } ?? "",
        headers: headers(of: connection), by: listener.service)
      if isSignedIn { listener.connections.signIn(socket) }
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
  // The client is not silent while it waits for a slow answer.
  longhand_mhd_set_timeout(connection, 0)
  let response = exchange.answer(by: listener.service)
  longhand_mhd_set_timeout(connection, HTTPListener.timeout)
  if response.isEndless { listener.connections.follow(socket) }
  return send(response, on: connection)
}

/// The response has been sent, or the client has closed the connection.
private func completed(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
  guard let context, let pointer = exchange?.pointee else { return }
  let done = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
  exchange?.pointee = nil
  listener(context).connections.wait(done.client.socket)
}

/// A client has connected, or the connection is about to be closed.
private func connected(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ own: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
  guard let context, let connection else { return }
  let socket = longhand_mhd_socket(connection)
  if code == .CONNECTION_NOTIFY_STARTED {
    listener(context).connections.add(socket)
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
      // UInt64.max means that the length is unknown.
      length ?? .max, 64 << 10,
      { reader, _, buffer, size in
        guard let reader, let buffer else { return -2 }
        return Unmanaged<ContentReader>.fromOpaque(reader).takeUnretainedValue().read(into: buffer, size)
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

/// Cuts content into the sizes that libmicrohttpd requests. Only the thread of its connection uses it.
private final class ContentReader {
  private let content: any HTTPContent
  private var rest = Data()

  init(_ content: any HTTPContent) { self.content = content }

  /// Fills a buffer.
  /// - Returns: the number of bytes, or libmicrohttpd's codes: -1 at the end, -2 to break the response off.
  func read(into buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int {
    do {
      if rest.isEmpty {
        guard let chunk = try content.next() else { return -1 }
        rest = chunk
      }
      let count = min(size, rest.count)
      UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: rest.prefix(count))
      rest = Data(rest.dropFirst(count))
      return count
    } catch {
      return -2
    }
  }
}
