import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// One end of the socket between a client and a speech service.
///
/// Sending and receiving block. One thread may send while another receives.
public struct ServiceChannel: Sendable {
  /// The socket.
  public let descriptor: Int32

  /// A channel over a connected stream socket, which stays the caller's to close.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// A connected pair of sockets. A child process inherits neither, unless it is given one.
  public static func pair() throws(ServiceChannelError) -> (ServiceChannel, ServiceChannel) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno) }
    return (ServiceChannel(descriptor: ends[0]), ServiceChannel(descriptor: ends[1]))
  }

  /// Closes every file but the three standard ones, because a service must not keep the client's files open.
  public static func closeInheritedFiles() {
    for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(entry), descriptor > STDERR_FILENO { _ = Glibc.close(descriptor) }
    }
  }

  /// Closes the socket. The other side still receives what was sent.
  public func close() { _ = Glibc.close(descriptor) }

  /// Ends both directions at once. Calls that wait on the channel, on this side too, throw `closed`.
  public func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sets how many seconds `send` waits for the other side before it throws `timeout`. The channel is of no
  /// use after that. Without this limit it waits for ever.
  public func limitSending(seconds: Double) {
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e6))
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends a message. Waits while the other side is behind.
  /// - Throws: `ServiceChannelError`.
  public func send(_ message: some ServiceMessage) throws {
    try message.frame().bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.send(
          descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
        if count > 0 {
          sent += count
        } else if errno == EPIPE || errno == ECONNRESET {
          throw ServiceChannelError.closed
        } else if errno == EAGAIN {
          throw ServiceChannelError.timeout
        } else if errno != EINTR {
          throw ServiceChannelError.system(errno)
        }
      }
    }
  }

  /// Waits for the next message.
  /// - Parameter timeout: seconds to wait for its first byte; nil waits for ever.
  /// - Throws: `ServiceChannelError`.
  public func receive<Message: ServiceMessage>(timeout: Double? = nil) throws -> Message {
    if let timeout { try waitForInput(seconds: timeout) }
    let header = try read(ServiceFrame.headerLength)
    let payload = try read(try ServiceFrame.payloadLength(header: header))
    return try Message(ServiceFrame(kind: header[ServiceFrame.headerLength - 1], payload: Data(payload)))
  }

  /// Whether the other side has closed its end, even if there is more to read.
  public var isHungUp: Bool {
    var poll = pollfd(fd: descriptor, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Whether `receive` would return or throw at once, or has the beginning of a message.
  public var hasInput: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  private func waitForInput(seconds: Double) throws(ServiceChannelError) {
    let deadline = DispatchTime.now() + seconds
    while true {
      let left = Double(deadline.uptimeNanoseconds) - Double(DispatchTime.now().uptimeNanoseconds)
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32(min(max(0, left / 1e6).rounded(.up), Double(Int32.max))))
      if ready > 0 { return }
      if ready == 0 { throw .timeout }
      if errno != EINTR { throw .system(errno) }
    }
  }

  private func read(_ count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = recv(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, 0)
        if got > 0 {
          filled += got
        } else if got == 0 || errno == ECONNRESET {
          throw ServiceChannelError.closed
        } else if errno != EINTR {
          throw ServiceChannelError.system(errno)
        }
      }
    }
  }
}

/// Why a message could not be sent or received.
public enum ServiceChannelError: Error, Equatable {
  /// The other side closed the channel.
  case closed
  /// No message was received or sent in time.
  case timeout
  /// The bytes are no message.
  case malformed(String)
  /// A system call failed with this `errno`.
  case system(Int32)
}
