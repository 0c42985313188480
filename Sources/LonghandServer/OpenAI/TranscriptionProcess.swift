import ChildProcesses
import Foundation

/// A `longhand transcribe` for one client: what is sent by strangers is decoded in a process of its own, which goes when
/// the client goes.
///
/// `@unchecked Sendable`: its client's thread alone uses it, but for `kill()`, which any thread may call.
final class TranscriptionProcess: @unchecked Sendable {
  /// The client went away, or the server ends.
  struct Abandoned: Error {}

  /// Bytes of standard error that are kept.
  private static let mostErrors = 64 << 10

  private let process: ChildProcess
  private let client: any HTTPClient
  private var output: Int32
  private var errorOutput: Int32
  private(set) var errors = Data()
  /// How it ended; 0 if well.
  private(set) var exitStatus: Int32 = -1

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
    do {
      process = try ChildProcess(
        program.path, arguments, input: .descriptor(input), output: .descriptor(out.other),
        errors: .descriptor(err.other))
    } catch {
      close(out.own)
      close(err.own)
      throw HTTPError(.serverError, "the transcription cannot be started: \(error)")
    }
  }

  deinit {
    process.end()
    if output >= 0 { close(output) }
    if errorOutput >= 0 { close(errorOutput) }
  }

  /// The next piece of what it prints, empty if a second passed without one; nil when it has ended, see `exitStatus`.
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
    exitStatus = process.wait()
    return nil
  }

  /// All that it prints.
  /// - Throws: `Abandoned`.
  func all() throws -> Data {
    var all = Data()
    while let piece = try next() { all += piece }
    return all
  }

  /// Ends it and what it has started, at once.
  func kill() { process.kill() }

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
