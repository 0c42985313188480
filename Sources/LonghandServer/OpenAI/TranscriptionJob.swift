import Foundation
import Longhand

/// The transcription of one client's file. It ends when this object is released, and when the client goes away.
///
/// `@unchecked Sendable`: only the thread of its connection uses it.
final class TranscriptionJob: @unchecked Sendable {
  /// The client went away, or the server stops.
  struct Abandoned: Error {}

  /// A line of `longhand worker`.
  private struct Line: Decodable {
    enum Status: String, Decodable { case running, ok, failed }

    var id: String
    var status: Status
    /// The next part of the document.
    var document: String?
    /// What became of the seconds of the audio; nil without a transcript.
    var coverage: Coverage?
    var error: ErrorDocument.Details?
  }

  typealias Options = [(key: String, value: JSONValue)]

  /// Whether the response of the request has begun.
  var isResponding = false
  private let queue: TranscriptionQueue
  private let size: TranscriptionQueue.Size
  /// The job's own descriptor of the file. Its number is part of the path that the worker opens, and belongs to no other
  /// file before the worker has answered or ended.
  private let file: Int32
  private let options: Options
  private let limits: TranscriptionLimits
  private let client: any HTTPClient
  private let deadline: TimeInterval
  /// Whether the client sends nothing more.
  private var isClientSilent = false
  /// Nil when it has answered or ended. Then the job has left its place in the queue.
  private var process: TranscriptionProcess?
  private var hasPlace = true
  /// Whether the worker has sent what is no answer to this job.
  private var isOutOfStep = false
  private var id = ""
  private var hasOutput = false
  private var answer: Line?
  private var exitStatus: Int32 = -1
  private var excess: TranscriptionLimits.Excess?
  /// Processor time of the processes before the job.
  private var processorSeconds: [pid_t: TimeInterval] = [:]
  private var nextCheck: TimeInterval = 0

  /// Begins, and leaves its place in the queue at its end.
  /// - Parameter file: a descriptor of the file.
  /// - Throws: `HTTPError`.
  init(
    _ queue: TranscriptionQueue, _ size: TranscriptionQueue.Size, file: Int32, _ options: Options,
    limits: TranscriptionLimits, for client: any HTTPClient
  ) throws {
    (self.queue, self.size, self.options, self.limits, self.client) = (queue, size, options, limits, client)
    deadline = Self.now + limits.seconds
    self.file = fcntl(file, F_DUPFD_CLOEXEC, 3)
    guard self.file >= 0 else {
      throw HTTPError(.serverError, "The file cannot be read: \(String(cString: strerror(errno)))")
    }
    try begin(isFresh: false)
  }

  deinit {
    end(isKept: false)
    if file >= 0 { close(file) }
  }

  private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }

  private func begin(isFresh: Bool) throws {
    let process = try queue.process(size, memory: limits.memory, isFresh: isFresh)
    self.process = process
    (processorSeconds, nextCheck) = (process.processorSeconds, Self.now + 1)
    id = try process.send("/proc/\(getpid())/fd/\(file)", options)
  }

  /// - Parameter isKept: whether the worker can do another job.
  private func end(isKept: Bool) {
    if let process { queue.take(process, size, isKept: isKept) }
    process = nil
    if hasPlace { queue.leave(size) }
    hasPlace = false
  }

  /// Waits for a part of the document, for at most a second.
  /// - Returns: the next part, which is empty after a second without any; nil after the end of the job. It is also
  ///   empty when the client sends nothing more: what a response that has begun sends now shows whether the client has
  ///   gone.
  /// - Throws: `Abandoned`, `HTTPError`.
  func next() throws -> Data? {
    while let process {
      var watched = [
        pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0),
        // That the client sends nothing more is reported again and again. Errors are always reported.
        pollfd(fd: client.socket, events: isClientSilent ? 0 : SocketClient.hangUp, revents: 0),
      ]
      let count = poll(&watched, 2, 1000)
      switch SocketClient.presence(watched[1]) {
      case .gone:
        end(isKept: false)
        throw Abandoned()
      case .silent:
        isClientSilent = true
        if !isResponding { client.probe() }
        return Data()
      case .open: break
      }
      checkLimits(process)
      if count == 0 { return Data() }
      guard watched[0].revents != 0 else { continue }
      switch process.receive() {
      case .end: try ended(process)
      case .lines(let lines):
        let document = take(lines, of: process)
        if !document.isEmpty {
          hasOutput = true
          return document
        }
      }
    }
    return nil
  }

  /// The complete document.
  /// - Throws: `Abandoned`, `HTTPError`.
  func all() throws -> Data {
    var all = Data()
    while let data = try next() { all += data }
    return all
  }

  private func checkLimits(_ process: TranscriptionProcess) {
    guard Self.now >= min(nextCheck, deadline), excess == nil else { return }
    nextCheck = Self.now + 1
    if Self.now > deadline {
      excess = .seconds
    } else if process.processorSeconds.contains(where: {
      $1 - (processorSeconds[$0] ?? 0) > Double(limits.processorSeconds)
    }) {
      excess = .processorSeconds
    }
    if excess != nil { process.kill() }
  }

  /// Takes the worker's lines.
  /// - Returns: what they have of the document.
  private func take(_ lines: [Data], of process: TranscriptionProcess) -> Data {
    var document = Data()
    for line in lines where !isOutOfStep {
      guard let read = try? JSONDecoder().decode(Line.self, from: line), read.id == id else {
        isOutOfStep = true
        process.kill()
        return Data()
      }
      document += Data((read.document ?? "").utf8)
      guard read.status != .running else { continue }
      answer = read
      let isSound = read.error.map { Self.isOfTheFile($0.code) } ?? true
      // Nothing may follow the answer.
      end(isKept: isSound && lines.last == line)
      break
    }
    return document
  }

  /// Whether an error comes from the file or the request, and not from a worker whose recognizer fails.
  private static func isOfTheFile(_ code: ErrorCode) -> Bool {
    [.undecodable, .empty, .unsupportedLocale, .notInstalled, .usage].contains(code)
  }

  /// The worker has ended before its answer. If it had done other jobs before, that says nothing about this one.
  private func ended(_ process: TranscriptionProcess) throws {
    exitStatus = process.wait()
    guard process.isWarm, !hasOutput, excess == nil, !queue.hasStopped else { return end(isKept: false) }
    queue.take(process, size, isKept: false)
    (self.process, isOutOfStep) = (nil, false)
    try begin(isFresh: true)
  }

  /// Checks, after the end of the job, that the document has all that was recognized.
  /// - Throws: `HTTPError` if the transcription failed or was interrupted, and if the recognizer failed on a part of the
  ///   audio and there is no text of the rest. That would look like a recording without speech.
  func check() throws {
    guard let answer, answer.status == .ok || answer.error?.code == .incomplete && hasText else {
      throw failure
    }
  }

  /// The seconds on which the recognizer failed; 0 before the end of the job.
  var failedSeconds: TimeInterval { answer?.coverage?.failed ?? 0 }

  private var hasText: Bool { (answer?.coverage?.transcribed ?? 0) > 0 }

  /// Why there is no whole transcript.
  var failure: HTTPError {
    if queue.hasStopped { return TranscriptionQueue.stopping }
    guard let error = answer?.error else {
      return limits.failure(exitStatus: exitStatus, excess)
        ?? HTTPError(
          .serverError,
          "The transcription failed with status \(exitStatus). 'longhand doctor' checks the setup.")
    }
    let code = error.code.rawValue
    switch error.code {
    case .undecodable, .empty:
      return HTTPError(
        .badRequest, "\(error.message) Send a file with audio, such as WAV, MP3, M4A or FLAC.",
        parameter: "file", code: code)
    case .unsupportedLocale,
      .notInstalled where options.contains { $0.key == "locale" }:
      return HTTPError(.badRequest, Self.text(error), parameter: "language", code: code)
    case .incomplete where !hasText:
      return HTTPError(
        .serverError,
        "The recognizer failed on \(JSONValue.seconds(failedSeconds).text) seconds, and the rest has no words. "
          + "Send the file again. 'longhand doctor' checks the setup.", code: code)
    default: return HTTPError(.serverError, Self.text(error), code: code)
    }
  }

  private static func text(_ error: ErrorDocument.Details) -> String {
    error.message + (error.hint.map { " \($0)" } ?? "")
  }
}
