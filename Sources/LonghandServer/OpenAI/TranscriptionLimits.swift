import Foundation

/// What the transcription of a client's file may use. Files of clients are not trusted: a small file can state that it
/// has hours of audio, or make a decoder use any amount of memory.
struct TranscriptionLimits: Sendable {
  /// Bytes of memory of each process.
  var memory = 2 << 30
  /// Seconds of processor time of each process. The server counts them itself, because a worker does many jobs.
  var processorSeconds: Int
  /// Seconds from the beginning to the end.
  var seconds: TimeInterval

  /// The limits for a file. No format in use has less than 1,000 bytes for each second of speech, and recognition needs
  /// a fraction of a second of processor time for it.
  /// - Parameter bytes: the size of the file.
  init(bytes: Int64) {
    processorSeconds = 300 + Int(bytes / 1000)
    seconds = 4 * Double(processorSeconds)
  }

  /// What was used up.
  enum Excess { case seconds, processorSeconds }

  /// The error for a process that a limit or another process has ended; nil if it ended by itself.
  /// - Parameters:
  ///   - exitStatus: its exit status, or 128 and the number of a signal.
  ///   - excess: why the server has ended it; nil if it has not.
  func failure(exitStatus: Int32, _ excess: Excess?) -> HTTPError? {
    switch excess {
    case .seconds: return exceeded("took more than \(Int(clamping: seconds)) seconds")
    case .processorSeconds:
      return exceeded("used more than \(processorSeconds) seconds of processor time")
    case nil: break
    }
    let signal = exitStatus - 128
    if [SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS].contains(signal) {
      return exceeded(
        "crashed with signal \(signal), probably because \(memory >> 20) MB of memory were not enough")
    }
    guard signal > 0 else { return nil }
    return HTTPError(
      .serverError,
      "The transcription was interrupted by signal \(signal), and its text is not complete. Repeat the request.",
      code: "interrupted")
  }

  private func exceeded(_ what: String) -> HTTPError {
    HTTPError(
      .badRequest,
      "The transcription \(what), and was ended. The file may be damaged. 'longhand transcribe' has no such limit.",
      parameter: "file", code: "limit_exceeded")
  }
}
