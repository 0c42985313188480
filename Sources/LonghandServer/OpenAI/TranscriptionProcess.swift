import ChildProcesses
import Foundation
import Longhand

/// A `longhand worker` process, which transcribes files of clients one after another. Between two files it keeps its models, and
/// the words that the last client expected, until the next one names others. Each file is decoded in a process of its own.
///
/// `@unchecked Sendable`: only the thread of one job at a time uses it, but for `kill()`, which any thread may call.
final class TranscriptionProcess: @unchecked Sendable {
  /// What the worker sends.
  enum Output {
    /// Complete lines. There can be none.
    case lines([Data])
    case end
  }

  /// Seconds for which a worker may leave a job unread.
  private static let patience: Int32 = 10

  /// The socket to the worker, which can be polled.
  let socket: Int32
  /// Whether it has done another job before.
  private(set) var isWarm = false
  private let process: ChildProcess
  private var wasAsked = false
  private var rest = Data()

  /// Starts the worker.
  /// - Parameter memory: bytes of memory of each of its processes.
  /// - Throws: `HTTPError`.
  init(_ program: URL, _ arguments: [String], memory: Int) throws {
    var ends: [Int32] = [-1, -1]
    // Unlike the ends of `pipe`, no process that starts at the same time inherits them.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Self.failure(String(cString: strerror(errno)))
    }
    defer { close(ends[1]) }
    do {
      process = try ChildProcess(
        program.path, arguments, input: .descriptor(ends[1]), output: .descriptor(ends[1]),
        errors: .inherited,
        limits: [.memory(memory)])
    } catch {
      close(ends[0])
      throw Self.failure("\(error)")
    }
    socket = ends[0]
  }

  deinit { close(socket) }

  /// Whether it waits for a job: it has neither ended nor sent what no one asked for.
  var isReady: Bool {
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return rest.isEmpty && poll(&watched, 1, 0) == 0
  }

  /// Processor time so far, of the worker and of each process below it.
  var processorSeconds: [pid_t: TimeInterval] { ProcessorTime.ofEach(from: process.identifier) }

  /// Sends a job.
  /// - Parameters:
  ///   - path: the file.
  ///   - options: options of `longhand worker`.
  /// - Returns: the ID that its answers have.
  /// - Throws: `HTTPError`.
  func send(_ path: String, _ options: [(key: String, value: JSONValue)]) throws -> String {
    isWarm = wasAsked
    wasAsked = true
    // No answer can be ready before its job.
    let id = UUID().uuidString
    let job = JSONValue.object([
      ("id", .string(id)), ("path", .string(path)), ("options", .object(options)),
    ])
    var bytes = Data("\(job.text)\n".utf8)[...]
    while !bytes.isEmpty {
      var watched = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      guard poll(&watched, 1, Self.patience * 1000) != 0 else { throw Self.failure("it does not answer") }
      let count = bytes.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      // A worker that has ended is noticed when its answer is read.
      if count < 0, errno == EPIPE || errno == ECONNRESET { return id }
      guard count > 0 || errno == EINTR || errno == EAGAIN else {
        throw Self.failure(String(cString: strerror(errno)))
      }
      bytes = bytes.dropFirst(max(0, count))
    }
    return id
  }

  /// Reads what has arrived. It blocks if nothing has.
  func receive() -> Output {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(socket, &buffer, buffer.count)
    guard count > 0 || count < 0 && errno == EINTR else { return .end }
    let parts = buffer.prefix(max(0, count)).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var lines: [Data] = []
    for (index, part) in parts.enumerated() {
      if index > 0 {
        lines.append(rest)
        rest = Data()
      }
      rest += part
    }
    return .lines(lines)
  }

  /// Waits for its end.
  /// - Returns: its exit status, or 128 and the number of the signal that ended it.
  func wait() -> Int32 { process.wait() }

  /// Kills the process and its children.
  func kill() { process.kill() }

  /// Kills the process and its children, and waits for its end.
  func end() { process.end() }

  private static func failure(_ what: String) -> HTTPError {
    HTTPError(.serverError, "The transcription process cannot be started: \(what)")
  }
}
