import Foundation
import Longhand
import Synchronization

/// Transcribes what clients send, a few at a time.
final class TranscriptionQueue: Sendable {
  /// How many at a time; the others wait.
  private static let places = 2

  private struct State {
    var running = 0
    var isStopped = false
    var processes: [ObjectIdentifier: TranscriptionProcess] = [:]
  }

  private let program: URL
  private let arguments: [String]
  private let state = Mutex(State())
  private let places = DispatchSemaphore(value: TranscriptionQueue.places)

  /// - Parameters:
  ///   - program: `longhand`.
  ///   - arguments: of its `transcribe`, for every client.
  init(_ program: URL, arguments: [String]) {
    self.program = program
    self.arguments = arguments
  }

  /// Ends what runs, and begins nothing more.
  func stop() {
    let processes = state.withLock { state in
      state.isStopped = true
      return Array(state.processes.values)
    }
    for process in processes { process.kill() }
  }

  /// Waits for a place, and begins.
  /// - Parameters:
  ///   - file: what is transcribed; a descriptor that stays open until the work begins.
  ///   - more: arguments of `transcribe`.
  ///   - client: for whom; when it goes, the process ends.
  /// - Throws: `HTTPError`, `TranscriptionProcess.Abandoned`.
  func begin(_ file: Int32, _ more: [String], for client: any HTTPClient) throws -> Work {
    while places.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
      if client.isGone { throw TranscriptionProcess.Abandoned() }
      if state.withLock(\.isStopped) { throw Self.ending }
    }
    do {
      let process = try TranscriptionProcess(
        program, ["transcribe", "--json-errors", "--quiet"] + arguments + more + ["--", "/dev/stdin"],
        input: file, for: client)
      let isStopped = state.withLock { state in
        state.processes[ObjectIdentifier(process)] = process
        return state.isStopped
      }
      if isStopped { process.kill() }
      return Work(process: process, desk: self)
    } catch {
      places.signal()
      throw error
    }
  }

  private static let ending = HTTPError(.unavailable, "the server is ending")

  fileprivate func end(_ process: TranscriptionProcess) {
    state.withLock { _ = $0.processes.removeValue(forKey: ObjectIdentifier(process)) }
    places.signal()
  }

  /// A transcription that runs; it ends with this.
  final class Work: Sendable {
    let process: TranscriptionProcess
    private let desk: TranscriptionQueue

    fileprivate init(process: TranscriptionProcess, desk: TranscriptionQueue) {
      self.process = process
      self.desk = desk
    }

    deinit {
      process.kill()
      desk.end(process)
    }

    /// Why it came to no good end, as it says itself.
    var failure: HTTPError {
      let lines = process.errors.split(separator: UInt8(ascii: "\n"))
      guard let error = lines.compactMap({ try? JSONDecoder().decode(ErrorDocument.self, from: $0) }).last?.error
      else { return HTTPError(.serverError, "the transcription failed (\(process.exitStatus))") }
      switch error.code {
      case .undecodable, .empty:
        return HTTPError(.badRequest, error.message, parameter: "file", code: error.code.rawValue)
      case .unsupportedLocale:
        return HTTPError(.badRequest, error.message, parameter: "language", code: error.code.rawValue)
      default: return HTTPError(.serverError, error.message, code: error.code.rawValue)
      }
    }
  }
}
