import Foundation

/// Transcribes the files that clients send, a few at a time. The workers of short files stay warm: loading the models takes
/// longer than recognizing a sentence.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is an `NSCondition` and not a `Mutex`, because
/// libmicrohttpd's threads wait here until a transcription may start.
final class TranscriptionQueue: @unchecked Sendable {
  /// How files are transcribed.
  enum Size {
    /// By a worker with one recognizer process, which is kept.
    case short
    /// By a worker of its own with a recognizer process for each processor.
    case long

    /// - Parameter bytes: the size of the file. Half a minute of speech without compression has a million.
    init(bytes: Int64) { self = bytes <= 1 << 20 ? .short : .long }

    /// Files at a time.
    var maxRunning: Int { self == .short ? max(2, ProcessInfo.processInfo.activeProcessorCount) : 2 }
    /// Recognizer processes of a worker.
    var services: Int { self == .short ? 1 : ProcessInfo.processInfo.activeProcessorCount }
  }

  /// Files that wait at a time. Each of them occupies a connection.
  private static let maxWaiting = 64

  private let program: URL
  /// Arguments for `longhand worker` that apply to every client.
  let arguments: [String]
  private let limits: @Sendable (_ bytes: Int64) -> TranscriptionLimits
  private let condition = NSCondition()
  private var running: [Size: Int] = [:]
  private var waiting = 0
  private var isStopped = false
  private var processes: [ObjectIdentifier: TranscriptionProcess] = [:]
  private var warm = WarmWorkers<TranscriptionProcess>()

  /// - Parameters:
  ///   - program: the `longhand` executable.
  ///   - arguments: arguments for `longhand worker` that apply to every client.
  ///   - limits: what the transcription of a file of so many bytes may use.
  init(
    _ program: URL, arguments: [String],
    limits: @escaping @Sendable (_ bytes: Int64) -> TranscriptionLimits = TranscriptionLimits.init(bytes:)
  ) {
    self.program = program
    self.arguments = arguments
    self.limits = limits
  }

  deinit { stop() }

  /// Whether a transcription is running.
  var isBusy: Bool { condition.withLock { !processes.isEmpty } }

  /// Whether no more transcriptions are started.
  var hasStopped: Bool { condition.withLock { isStopped } }

  /// Ends the running transcriptions, and starts no more.
  func stop() {
    let (processes, warm) = condition.withLock {
      isStopped = true
      condition.broadcast()
      return (Array(self.processes.values), self.warm.removeAll())
    }
    for process in processes { process.kill() }
    for process in warm { process.end() }
  }

  /// Waits until a transcription may start, and starts it.
  /// - Parameters:
  ///   - file: a descriptor of the file.
  ///   - options: options of `longhand worker` for this file.
  ///   - client: if it goes away, the work ends.
  /// - Throws: `HTTPError`, `TranscriptionJob.Abandoned`.
  func begin(
    _ file: Int32, _ options: TranscriptionJob.Options, for client: any HTTPClient
  ) throws -> TranscriptionJob {
    let bytes = max(0, Int64(lseek(file, 0, SEEK_END)))
    let size = Size(bytes: bytes)
    try enter(size, for: client)
    return try TranscriptionJob(self, size, file: file, options, limits: limits(bytes), for: client)
  }

  private func enter(_ size: Size, for client: any HTTPClient) throws {
    try condition.withLock {
      guard waiting < Self.maxWaiting else {
        throw HTTPError(
          .unavailable, "\(waiting) files wait for their transcription. Repeat the request later.")
      }
      waiting += 1
      defer { waiting -= 1 }
      var isProbed = false
      while !isStopped, running[size, default: 0] >= size.maxRunning {
        // No event reports that a waiting client has gone.
        guard !condition.wait(until: Date(timeIntervalSinceNow: 0.2)) else { continue }
        let presence = client.presence
        if presence == .gone { throw TranscriptionJob.Abandoned() }
        if presence == .silent, !isProbed {
          isProbed = true
          client.probe()
        }
      }
      if isStopped { throw Self.stopping }
      running[size, default: 0] += 1
    }
  }

  /// A job has ended.
  func leave(_ size: Size) {
    condition.withLock {
      running[size, default: 0] -= 1
      condition.broadcast()
    }
  }

  static let stopping = HTTPError(
    .unavailable, "The server is stopping. Start it again, and repeat the request.", code: "stopping")

  /// A worker for a job.
  /// - Parameter isFresh: whether it must be a new one.
  /// - Throws: `HTTPError`.
  func process(_ size: Size, memory: Int, isFresh: Bool) throws -> TranscriptionProcess {
    while size == .short, !isFresh, let kept = condition.withLock({ note(warm.take()) }) {
      if kept.isReady { return kept }
      forget(kept)
    }
    let process = try TranscriptionProcess(
      program, ["worker", "--json-errors", "--jobs=\(size.services)"] + arguments, memory: memory)
    condition.withLock { _ = note(process) }
    return process
  }

  /// Counts a worker as one with a job. If everything stops, it is killed.
  private func note(_ process: TranscriptionProcess?) -> TranscriptionProcess? {
    guard let process else { return nil }
    processes[ObjectIdentifier(process)] = process
    if isStopped { process.kill() }
    return process
  }

  private func forget(_ process: TranscriptionProcess) {
    process.end()
    condition.withLock { processes[ObjectIdentifier(process)] = nil }
  }

  /// Takes back the worker of a job.
  /// - Parameter isKept: whether it can do another one.
  func take(_ process: TranscriptionProcess, _ size: Size, isKept: Bool) {
    guard isKept, size == .short, process.isReady else { return forget(process) }
    let isWarm = condition.withLock {
      processes[ObjectIdentifier(process)] = nil
      if !isStopped { warm.add(process, now: Self.now) }
      return !isStopped
    }
    guard isWarm else { return process.end() }
    DispatchQueue.global(qos: .utility).asyncAfter(
      deadline: .now() + WarmWorkers<TranscriptionProcess>.lifetime
    ) { [weak self] in self?.endExpired() }
  }

  private func endExpired() {
    for process in condition.withLock({ warm.removeExpired(now: Self.now) }) { process.end() }
  }

  private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }
}
