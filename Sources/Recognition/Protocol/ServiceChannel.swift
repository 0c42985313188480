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
  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// A connected pair of sockets. A child process inherits neither, unless it is given one.
  public static func pair() throws(ServiceChannelError) -> (ServiceChannel, ServiceChannel) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno) }
    return (ServiceChannel(descriptor: ends[0]), ServiceChannel(descriptor: ends[1]))
  }

  /// Closes the socket. The other side still receives what was sent.
  public func close() { _ = Glibc.close(descriptor) }

  /// Ends both directions at once. Calls that wait on the channel, on this side too, throw `closed`.
  public func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends a message. Waits while the other side is behind.
  /// - Parameter deadline: when the whole message must be sent. After a timeout the channel cannot be used any more.
  /// - Throws: `ServiceChannelError`.
  public func send(_ message: some ServiceMessage, by deadline: ServiceDeadline = .never) throws {
    try message.frame().bytes.withUnsafeBytes { try send($0, by: deadline) }
  }

  /// Sends bytes that are no message. Waits while the other side is behind.
  /// - Parameter deadline: when all must be sent.
  /// - Throws: `ServiceChannelError`.
  public func send(_ bytes: UnsafeRawBufferPointer, by deadline: ServiceDeadline = .never) throws {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(
        descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent,
        Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if count > 0 {
        sent += count
      } else if errno == EPIPE || errno == ECONNRESET {
        throw ServiceChannelError.closed
      } else if errno == EAGAIN {
        guard try wait(for: POLLOUT, until: deadline) else { throw ServiceChannelError.timeout }
      } else if errno != EINTR {
        throw ServiceChannelError.system(errno)
      }
    }
  }

  /// Waits for the next message.
  /// - Parameters:
  ///   - deadline: when the whole message must be there.
  ///   - longest: the longest message that is accepted, in bytes.
  /// - Throws: `ServiceChannelError`: `timeout` if no byte of it came in time, `stalled` if some did. After
  ///   `stalled` the channel cannot be used any more.
  public func receive<Message: ServiceMessage>(
    by deadline: ServiceDeadline = .never, longest: Int = ServiceFrame.maximumLength
  ) throws -> Message {
    let header = try read(ServiceFrame.headerLength, by: deadline, late: .timeout)
    let length = try ServiceFrame.payloadLength(header: header, longest: longest)
    let payload = try read(length, by: deadline, late: .stalled)
    return try Message(ServiceFrame(kind: header[ServiceFrame.headerLength - 1], payload: Data(payload)))
  }

  /// Waits for bytes that are no message.
  /// - Parameter count: the most of them, at least 1.
  /// - Returns: what has come; empty if the other side has ended.
  /// - Throws: `ServiceChannelError`.
  public func receiveBytes(_ count: Int, by deadline: ServiceDeadline = .never) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        guard try wait(for: POLLIN, until: deadline) else { throw ServiceChannelError.timeout }
        let got = recv(descriptor, buffer.baseAddress, count, 0)
        if got >= 0 || errno == ECONNRESET {
          filled = max(0, got)
          return
        }
        if errno != EINTR { throw ServiceChannelError.system(errno) }
      }
    }
  }

  /// Waits for the beginning of a message, or for the end of the other side.
  /// - Returns: false if nothing has come in time.
  /// - Throws: `ServiceChannelError`.
  public func waitForInput(until deadline: ServiceDeadline) throws(ServiceChannelError) -> Bool {
    try wait(for: POLLIN, until: deadline)
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

  /// Waits until the socket is ready.
  /// - Returns: false if it is not ready in time.
  private func wait(for event: Int32, until deadline: ServiceDeadline) throws(ServiceChannelError) -> Bool {
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let ready = Glibc.poll(&poll, 1, deadline.millisecondsLeft)
      if ready > 0 { return true }
      if ready == 0, deadline.millisecondsLeft == 0 { return false }
      if ready < 0, errno != EINTR { throw .system(errno) }
    }
  }

  /// - Parameter late: the error if no byte came in time.
  private func read(_ count: Int, by deadline: ServiceDeadline, late: ServiceChannelError) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = recv(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, Int32(MSG_DONTWAIT))
        if got > 0 {
          filled += got
          // A sender that never pauses is late too.
          if filled < count, deadline.millisecondsLeft == 0 { throw ServiceChannelError.stalled }
        } else if got == 0 || errno == ECONNRESET {
          throw ServiceChannelError.closed
        } else if errno == EAGAIN {
          guard try wait(for: POLLIN, until: deadline) else {
            throw filled == 0 ? late : ServiceChannelError.stalled
          }
        } else if errno != EINTR {
          throw ServiceChannelError.system(errno)
        }
      }
    }
  }
}

/// When a message must be sent or received as a whole, on a clock that no change of the time of day affects.
public struct ServiceDeadline: Sendable {
  /// Nanoseconds of uptime; nil waits for ever.
  private let uptime: UInt64?
  private let delay: @Sendable () -> TimeInterval

  /// No deadline.
  public static let never = ServiceDeadline(uptime: nil) { 0 }

  private init(uptime: UInt64?, delay: @escaping @Sendable () -> TimeInterval) {
    (self.uptime, self.delay) = (uptime, delay)
  }

  /// A deadline in a number of seconds from now; at once for 0 and less.
  /// - Parameter delay: seconds from now on that do not count. It is asked when the others are over.
  public init(seconds: Double, delay: @escaping @Sendable () -> TimeInterval = { 0 }) {
    self.init(uptime: DispatchTime.now().uptimeNanoseconds + Self.nanoseconds(seconds), delay: delay)
  }

  private static func nanoseconds(_ seconds: Double) -> UInt64 {
    seconds > 0 ? UInt64(min(seconds, 1e9) * 1e9) : 0
  }

  /// What `poll` waits at most: rounded up, at most a day; -1 without a deadline.
  fileprivate var millisecondsLeft: Int32 {
    guard let uptime else { return -1 }
    let now = DispatchTime.now().uptimeNanoseconds
    let end = uptime > now ? uptime : uptime + Self.nanoseconds(delay())
    return end > now ? Int32(min((end - now + 999_999) / 1_000_000, 86_400_000)) : 0
  }
}

/// Why a message could not be sent or received.
public enum ServiceChannelError: Error, Equatable {
  /// The other side closed the channel.
  case closed
  /// No message was received or sent in time.
  case timeout
  /// A message began and did not come to its end in time.
  case stalled
  /// The bytes are no message.
  case malformed(String)
  /// A system call failed with this `errno`.
  case system(Int32)
}
