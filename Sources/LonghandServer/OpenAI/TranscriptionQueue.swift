import Foundation
import Longhand

/// Transcribes the files that clients send, a few at a time.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is an `NSCondition` and not a `Mutex`, because
/// libmicrohttpd's threads wait here until a transcription may start.
final class TranscriptionQueue: @unchecked Sendable {
  /// Transcriptions at a time.
  private static let maxRunning = 2
  /// Files that wait at a time. Each of them occupies a connection.
  private static let maxWaiting = 64

  private let program: URL
  /// Arguments for `longhand transcribe` that apply to every client.
  let arguments: [String]
  private let limits: @Sendable (_ bytes: Int64) -> TranscriptionLimits
  private let condition = NSCondition()
  private var running = 0
  private var waiting = 0
  private var isStopped = false
  private var processes: [ObjectIdentifier: TranscriptionProcess] = [:]

  /// - Parameters:
  ///   - program: the `longhand` executable.
  ///   - arguments: arguments for `longhand transcribe` that apply to every client.
  ///   - limits: what the transcription of a file of so many bytes may use.
  init(
    _ program: URL, arguments: [String],
    limits: @escaping @Sendable (_ bytes: Int64) -> TranscriptionLimits = TranscriptionLimits.init(bytes:)
  ) {
    self.program = program
    self.arguments = arguments
    self.limits = limits
  }

  /// Whether a transcription is running.
  var isBusy: Bool { condition.withLock { !processes.isEmpty } }

  /// Ends the running transcriptions, and starts no more.
  func stop() {
    let processes = condition.withLock {
      isStopped = true
      condition.broadcast()
      return Array(self.processes.values)
    }
    for process in processes { process.kill() }
  }

  /// Waits until a transcription may start, and starts it.
  /// - Parameters:
  ///   - file: the descriptor of the file, which must stay open until this returns.
  ///   - options: arguments for `longhand transcribe` of this client.
  ///   - client: if it goes away, the process ends.
  /// - Throws: `HTTPError`, `TranscriptionProcess.Abandoned`.
  func begin(_ file: Int32, _ options: [String], for client: any HTTPClient) throws -> Job {
    try condition.withLock {
      guard waiting < Self.maxWaiting else {
        throw HTTPError(
          .unavailable, "\(waiting) files wait for their transcription. Repeat the request later.")
      }
      waiting += 1
      defer { waiting -= 1 }
      var isProbed = false
      while !isStopped, running >= Self.maxRunning {
        // No event reports that a waiting client has gone.
        guard !condition.wait(until: Date(timeIntervalSinceNow: 0.2)) else { continue }
        let presence = client.presence
        if presence == .gone { throw TranscriptionProcess.Abandoned() }
        if presence == .silent, !isProbed {
          isProbed = true
          client.probe()
        }
      }
      if isStopped { throw Self.stopping }
      running += 1
    }
    do {
      let limits = limits(max(0, Int64(lseek(file, 0, SEEK_END))))
      lseek(file, 0, SEEK_SET)
      let process = try TranscriptionProcess(
        program, ["transcribe", "--json-errors", "--quiet"] + arguments + options + ["--", "/dev/stdin"],
        input: file, limits: limits, for: client)
      let isStopped = condition.withLock {
        processes[ObjectIdentifier(process)] = process
        return self.isStopped
      }
      if isStopped { process.kill() }
      return Job(process: process, options: options, limits: limits, queue: self)
    } catch {
      end(nil)
      throw error
    }
  }

  private static let stopping = HTTPError(
    .unavailable, "The server is stopping. Start it again, and repeat the request.", code: "stopping")

  fileprivate func end(_ process: TranscriptionProcess?) {
    condition.withLock {
      if let process { processes[ObjectIdentifier(process)] = nil }
      running -= 1
      condition.signal()
    }
  }

  /// A running transcription. It ends when this object is released.
  final class Job: Sendable {
    let process: TranscriptionProcess
    /// Whether the client chose the language.
    private let hasLanguage: Bool
    private let limits: TranscriptionLimits
    private let queue: TranscriptionQueue

    fileprivate init(
      process: TranscriptionProcess, options: [String], limits: TranscriptionLimits, queue: TranscriptionQueue
    ) {
      self.process = process
      hasLanguage = options.contains { $0.hasPrefix("--locale=") }
      self.limits = limits
      self.queue = queue
    }

    deinit {
      process.kill()
      queue.end(process)
    }

    /// Checks, after the end of the process, that it has printed a whole transcript.
    /// - Throws: `HTTPError` if the transcription failed or was interrupted.
    func check() throws {
      // The transcript names the seconds on which the recognizer failed, and has all others.
      guard process.exitStatus == 0 || process.exitStatus == 1 && reported?.code == .incomplete else {
        throw failure
      }
    }

    /// The last error that the process printed.
    private var reported: ErrorDocument.Details? {
      process.errors.split(separator: UInt8(ascii: "\n"))
        .compactMap { try? JSONDecoder().decode(ErrorDocument.self, from: $0) }.last?.error
    }

    /// Why there is no whole transcript.
    var failure: HTTPError {
      if queue.condition.withLock({ queue.isStopped }) { return TranscriptionQueue.stopping }
      if let error = limits.failure(exitStatus: process.exitStatus, isOverdue: process.isOverdue) {
        return error
      }
      guard let error = reported else {
        return HTTPError(
          .serverError,
          "The transcription failed with status \(process.exitStatus). 'longhand doctor' checks the setup.")
      }
      let code = error.code.rawValue
      switch error.code {
      case .undecodable, .empty:
        return HTTPError(
          .badRequest, "\(error.message) Send a file with audio, such as WAV, MP3, M4A or FLAC.",
          parameter: "file", code: code)
      case .unsupportedLocale,
        .notInstalled where hasLanguage:
        return HTTPError(.badRequest, Self.text(error), parameter: "language", code: code)
      default: return HTTPError(.serverError, Self.text(error), code: code)
      }
    }

    private static func text(_ error: ErrorDocument.Details) -> String {
      error.message + (error.hint.map { " \($0)" } ?? "")
    }
  }
}
