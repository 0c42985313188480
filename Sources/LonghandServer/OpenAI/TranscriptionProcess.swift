import ChildProcesses
import Foundation

/// A `longhand transcribe` process for one client. Files of clients are not trusted, so that each is decoded in a process
/// of its own. The process ends when the client goes away.
///
/// `@unchecked Sendable`: only the thread of its connection uses it, but for `kill()`, which any thread may call.
final class TranscriptionProcess: @unchecked Sendable {
  /// The client went away, or the server stops.
  struct Abandoned: Error {}

  /// Bytes of standard error that are kept.
  private static let maxErrors = 64 << 10

  private let process: ChildProcess
  private let client: any HTTPClient
  private var output: Int32
  private var errorOutput: Int32
  private(set) var errors = Data()
  /// The exit status of the process after its end; 0 for success.
  private(set) var exitStatus: Int32 = -1
  /// Whether the process was ended because it took too long.
  private(set) var isOverdue = false
  /// Whether the response of the request has begun.
  var isResponding = false
  /// Whether the client sends nothing more.
  private var isClientSilent = false
  private let deadline: TimeInterval

  /// Starts the process.
  /// - Parameters:
  ///   - input: the descriptor of its standard input.
  ///   - limits: what it may use.
  /// - Throws: `HTTPError`.
  init(
    _ program: URL, _ arguments: [String], input: Int32, limits: TranscriptionLimits,
    for client: any HTTPClient
  ) throws {
    self.client = client
    deadline = ProcessInfo.processInfo.systemUptime + limits.seconds
    let (out, err) = (try Self.pair(), try Self.pair())
    (output, errorOutput) = (out.own, err.own)
    defer {
      close(out.other)
      close(err.other)
    }
    do {
      process = try ChildProcess(
        program.path, arguments, input: .descriptor(input), output: .descriptor(out.other),
        errors: .descriptor(err.other), limits: limits.ofEachProcess)
    } catch {
      close(out.own)
      close(err.own)
      throw HTTPError(.serverError, "The transcription process cannot be started: \(error)")
    }
  }

  deinit {
    process.end()
    if output >= 0 { close(output) }
    if errorOutput >= 0 { close(errorOutput) }
  }

  /// Waits for output, for at most a second.
  /// - Returns: the next output, which is empty after a second without any; nil after the end of the process. It is also
  ///   empty when the client sends nothing more: what a response that has begun sends now shows whether the client has
  ///   gone.
  /// - Throws: `Abandoned`.
  func next() throws -> Data? {
    while output >= 0 || errorOutput >= 0 {
      // poll ignores negative descriptors.
      var watched = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorOutput, events: Int16(POLLIN), revents: 0),
        // That the client sends nothing more is reported again and again. Errors are always reported.
        pollfd(fd: client.socket, events: isClientSilent ? 0 : SocketClient.hangUp, revents: 0),
      ]
      let count = poll(&watched, 3, 1000)
      switch SocketClient.presence(watched[2]) {
      case .gone:
        kill()
        throw Abandoned()
      case .silent:
        isClientSilent = true
        if !isResponding { client.probe() }
        return Data()
      case .open: break
      }
      if ProcessInfo.processInfo.systemUptime > deadline {
        isOverdue = true
        kill()
      }
      if count == 0 { return Data() }
      if watched[1].revents != 0 {
        let data = Self.read(&errorOutput)
        errors += data.prefix(max(0, Self.maxErrors - errors.count))
      }
      if watched[0].revents != 0 {
        let data = Self.read(&output)
        if !data.isEmpty { return data }
      }
    }
    exitStatus = process.wait()
    return nil
  }

  /// The complete output.
  /// - Throws: `Abandoned`.
  func all() throws -> Data {
    var all = Data()
    while let data = try next() { all += data }
    return all
  }

  /// Kills the process and its children.
  func kill() { process.kill() }

  /// A pair of connected sockets. Unlike the ends of `pipe`, no process that starts at the same time inherits them.
  private static func pair() throws -> (own: Int32, other: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure() }
    return (ends[0], ends[1])
  }

  private static func read(_ descriptor: inout Int32) -> Data {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    if count > 0 { return Data(buffer.prefix(count)) }
    if count == 0 || errno != EINTR {
      close(descriptor)
      descriptor = -1
    }
    return Data()
  }

  private static func failure() -> HTTPError {
    HTTPError(
      .serverError, "The transcription process cannot be started: \(String(cString: strerror(errno)))")
  }
}
