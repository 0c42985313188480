import Foundation
import Synchronization

/// A `longhand transcribe` for one client: what is sent by strangers is decoded in a process of its own, which goes when
/// the client goes.
///
/// `@unchecked Sendable`: its client's thread alone uses it, but for `kill()`, which `isReaped` guards.
final class TranscriptionProcess: @unchecked Sendable {
  /// The client went away, or the server ends.
  struct Abandoned: Error {}

  /// Bytes of standard error that are kept.
  private static let mostErrors = 64 << 10

  private let identifier: pid_t
  private let client: any HTTPClient
  private var output: Int32
  private var errorOutput: Int32
  private(set) var errors = Data()
  private var status: Int32 = -1
  private let isReaped = Mutex(false)

  /// Starts it, at the head of a group of processes of its own.
  /// - Parameter input: its standard input.
  /// - Throws: `HTTPError`.
  init(_ program: URL, _ arguments: [String], input: Int32, for client: any HTTPClient) throws {
    self.client = client
    let (out, err) = (try Self.pair(), try Self.pair())
    (output, errorOutput) = (out.own, err.own)
    defer {
      close(out.other)
      close(err.other)
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, out.other, 1)
    posix_spawn_file_actions_adddup2(&actions, err.other, 2)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    var texts = ([program.path] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var started: pid_t = 0
    let code = posix_spawn(&started, program.path, &actions, &attributes, &texts, environ)
    guard code == 0 else {
      close(out.own)
      close(err.own)
      errno = code
      throw Self.failure()
    }
    identifier = started
  }

  deinit {
    kill()
    wait()
    if output >= 0 { close(output) }
    if errorOutput >= 0 { close(errorOutput) }
  }

  /// The next piece of what it prints, empty if a second passed without one; nil when it has ended, see `status`.
  /// - Throws: `Abandoned`.
  func next() throws -> Data? {
    while output >= 0 || errorOutput >= 0 {
      // A negative number is passed over.
      var watched = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorOutput, events: Int16(POLLIN), revents: 0),
        pollfd(fd: client.socket, events: SocketClient.hangUp, revents: 0),
      ]
      let count = poll(&watched, 3, 1000)
      if client.socket >= 0, SocketClient.isGone(watched[2]) {
        kill()
        throw Abandoned()
      }
      if count == 0 { return Data() }
      if watched[1].revents != 0 {
        let piece = Self.read(&errorOutput)
        errors += piece.prefix(max(0, Self.mostErrors - errors.count))
      }
      if watched[0].revents != 0 {
        let piece = Self.read(&output)
        if !piece.isEmpty { return piece }
      }
    }
    wait()
    return nil
  }

  /// All that it prints.
  /// - Throws: `Abandoned`.
  func all() throws -> Data {
    var all = Data()
    while let piece = try next() { all += piece }
    return all
  }

  /// How it ended; 0 if well.
  var exitStatus: Int32 { status }

  /// Ends it and what it has started, at once.
  func kill() {
    isReaped.withLock { isReaped in
      if !isReaped { _ = Foundation.kill(-identifier, SIGKILL) }
    }
  }

  private func wait() {
    // Not yet reaped, so that its number stays its own until the lock is held.
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    isReaped.withLock { isReaped in
      guard !isReaped else { return }
      var code: Int32 = 0
      while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
      // The lower seven bits are a signal's number.
      status = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + code & 0x7F
      isReaped = true
    }
  }

  /// A pipe of which no other process that is started at the same time gets an end, as it might of `pipe`.
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
    HTTPError(.serverError, "the transcription cannot be started: \(String(cString: strerror(errno)))")
  }
}
