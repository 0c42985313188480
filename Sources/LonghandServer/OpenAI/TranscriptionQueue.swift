import Foundation
import Longhand

/// Transcribes the files that clients send, a few at a time.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is an `NSCondition` and not a `Mutex`, because
/// libmicrohttpd's threads wait here until a transcription may start.
final class TranscriptionQueue: @unchecked Sendable {
  /// Transcriptions at a time.
  private static let maxRunning = 2

  private let program: URL
  private let arguments: [String]
  private let condition = NSCondition()
  private var running = 0
  private var isStopped = false
  private var processes: [ObjectIdentifier: TranscriptionProcess] = [:]

  /// - Parameters:
  ///   - program: the `longhand` executable.
  ///   - arguments: arguments for `longhand transcribe` that apply to every client.
  init(_ program: URL, arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

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
      while !isStopped, running >= Self.maxRunning {
        // Nobody reports that a waiting client has gone.
        if !condition.wait(until: Date(timeIntervalSinceNow: 0.2)), client.isGone {
          throw TranscriptionProcess.Abandoned()
        }
      }
      if isStopped {
        throw HTTPError(.unavailable, "The server is stopping. Start it again, and repeat the request.")
      }
      running += 1
    }
    do {
      let process = try TranscriptionProcess(
        program, ["transcribe", "--json-errors", "--quiet"] + arguments + options + ["--", "/dev/stdin"],
        input: file, for: client)
      let isStopped = condition.withLock {
        processes[ObjectIdentifier(process)] = process
        return self.isStopped
      }
      if isStopped { process.kill() }
      return Job(process: process, queue: self)
    } catch {
      end(nil)
      throw error
    }
  }

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
    private let queue: TranscriptionQueue

    fileprivate init(process: TranscriptionProcess, queue: TranscriptionQueue) {
      self.process = process
      self.queue = queue
    }

    deinit {
      process.kill()
      queue.end(process)
    }

    /// Why the transcription failed, from what the process printed.
    var failure: HTTPError {
      let lines = process.errors.split(separator: UInt8(ascii: "\n"))
      guard
        let error = lines.compactMap({ try? JSONDecoder().decode(ErrorDocument.self, from: $0) }).last?.error
      else {
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
      case .unsupportedLocale:
        return HTTPError(.badRequest, Self.text(error), parameter: "language", code: code)
      default: return HTTPError(.serverError, Self.text(error), code: code)
      }
    }

    private static func text(_ error: ErrorDocument.Details) -> String {
      error.message + (error.hint.map { " \($0)" } ?? "")
    }
  }
}
