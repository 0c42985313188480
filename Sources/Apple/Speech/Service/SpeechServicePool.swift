import ChildProcesses
import Foundation
import SpeechServiceProtocol

/// The speech services of this program. At most `capacity` of them decode recordings at a time, and one if it has a model
/// of the user, which takes much memory and decodes on several cores. Idle ones stay warm while the pool is in use, and
/// afterwards as the retention says.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is not a `Mutex`, because threads
/// wait on it.
final class SpeechServicePool: @unchecked Sendable {
  /// How long idle services are kept when the pool is no longer in use.
  enum Retention: Sendable {
    case none
    /// For half a minute.
    case lingering
    /// Until `endIdle()`.
    case unlimited
  }

  /// The pool that every recognizer shares. `SPEECH_SERVICE_COUNT` sets its capacity, by default the number
  /// of processors, and `SPEECH_SERVICE_PATIENCE` the seconds that it waits for any answer.
  static let shared = {
    let environment = ProcessInfo.processInfo.environment
    return SpeechServicePool(
      capacity: environment["SPEECH_SERVICE_COUNT"].flatMap(Int.init)
        ?? ProcessInfo.processInfo.activeProcessorCount,
      patience: environment["SPEECH_SERVICE_PATIENCE"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil })
  }()

  /// How often work is tried, each time with a fresh service, before it counts as failed.
  static let attempts = 3
  /// Seconds that an idle service keeps its model in memory.
  private static let lingering = 30.0

  let capacity: Int
  /// How many streams may run at a time. The service of each takes 100 MB.
  private let maxStreams: Int
  let patience: ServicePatience
  private let environment: [String: String]
  private let condition = NSCondition()
  private var idle: [SpeechServiceProcess] = []
  private var busy = 0
  private var openStreams = 0
  private var users = 0
  /// Whether a user of the pool asked for unlimited retention.
  private var isUnlimited = false
  private var generation = 0
  private var silence: ServiceSilence

  /// - Parameters:
  ///   - patience: seconds without an answer after which a service that has work to do counts as hung; nil for a
  ///     time that depends on the work.
  ///   - environment: decides where the executable is looked for, and is passed to services.
  init(
    capacity: Int, maxStreams: Int = 32, patience: Double? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.capacity = max(1, capacity)
    self.maxStreams = maxStreams
    self.patience = ServicePatience(fixed: patience)
    silence = ServiceSilence(limit: self.patience.inVain)
    self.environment = environment
  }

  /// The path of the embedded recognizer's executable; nil if it is missing.
  var executable: String? { executable(for: .embedded) }

  /// Whether there is a recognizer's executable.
  var hasExecutable: Bool { executable(for: .embedded) != nil || executable(for: .neural) != nil }

  /// The path of a recognizer's executable; nil if it is missing.
  func executable(for program: SpeechServiceLocator.Program) -> String? {
    SpeechServiceLocator.find(program, environment: environment)
  }

  /// Waits for a free service, configures it and passes it to `work`. A service that fails is ended.
  ///
  /// A service that was kept can have ended after its last answer, and seem alive for a moment longer. That says nothing
  /// about `work`, so that a fresh one gets it.
  /// - Parameter isCancelled: asked while waiting; true ends the wait.
  /// - Throws: `SpeechServiceFailure`, at once while the recognizer counts as silent, and what `work` throws.
  func withService<Result>(
    _ configuration: ServiceConfiguration, isCancelled: () -> Bool,
    _ work: (SpeechServiceProcess) throws -> Result
  ) throws -> Result {
    var needsFresh = false
    while true {
      let service = try checkOut(configuration, fresh: needsFresh, isCancelled: isCancelled)
      defer { release() }
      let wasKept = service.configuration != nil
      let start = service.now
      do {
        try service.configure(configuration)
        let result = try work(service)
        noteAnswer()
        checkIn(service)
        return result
      } catch SpeechServiceFailure.interrupted(SpeechServiceProcess.died) where wasKept && !isCancelled() {
        service.kill()
        needsFresh = true
      } catch {
        if case SpeechServiceFailure.interrupted = error { noteSilence(of: service.now - start) }
        service.kill()
        throw error
      }
    }
  }

  /// A service has answered.
  func noteAnswer() { condition.withLock { silence.end() } }

  /// A service was given up that was waited for so many seconds.
  func noteSilence(of seconds: TimeInterval) { condition.withLock { silence.add(seconds, at: Self.now) } }

  /// - Throws: `SpeechServiceFailure.interrupted` while the recognizer counts as silent.
  func checkSilence() throws {
    guard condition.withLock({ silence.mayAsk(at: Self.now) }) else {
      throw SpeechServiceFailure.interrupted("the speech service does not answer")
    }
  }

  /// Seconds on a clock that never goes back.
  static var now: TimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// Counts one more stream, which has a service of its own until it calls `endStream()`.
  /// - Throws: `SpeechServiceFailure.exhausted` if there are too many.
  func beginStream() throws {
    try condition.withLock {
      guard openStreams < maxStreams else { throw SpeechServiceFailure.exhausted(maxStreams) }
      openStreams += 1
    }
    beginUse()
  }

  /// Counts one stream less.
  func endStream(_ retention: Retention) {
    condition.withLock { openStreams -= 1 }
    endUse(retention)
  }

  /// A service for a stream: a warm one that has the language model, or a fresh one. `checkIn` takes it back.
  /// - Throws: `SpeechServiceFailure`.
  func take(for configuration: ServiceConfiguration) throws -> SpeechServiceProcess {
    let warm = condition.withLock {
      idle.removeAll(where: \.isOutOfStep)
      return idle.lastIndex { $0.isReady(for: configuration) }.map { idle.remove(at: $0) }
    }
    return try warm ?? start(for: configuration)
  }

  /// Starts the service that a configuration needs.
  /// - Throws: `SpeechServiceFailure`.
  func start(for configuration: ServiceConfiguration = .init()) throws -> SpeechServiceProcess {
    let program = Self.program(for: configuration)
    guard let executable = executable(for: program) else {
      throw SpeechServiceFailure.notInstalled(program)
    }
    return try SpeechServiceProcess(
      program, executable: executable, environment: environment, patience: patience)
  }

  private static func program(for configuration: ServiceConfiguration) -> SpeechServiceLocator.Program {
    configuration.model == nil ? .embedded : .neural
  }

  /// How many services of a recognizer decode recordings at a time, and how many are kept.
  private func capacity(of program: SpeechServiceLocator.Program) -> Int { program == .neural ? 1 : capacity }

  /// Removes the oldest idle service of a recognizer that has as many as it may have with `more`. Those of the other one
  /// stay: a recording needs both where one finds no words, and a model may take long to load.
  private func removeSurplus(
    of program: SpeechServiceLocator.Program, with more: Int
  ) -> SpeechServiceProcess? {
    guard idle.count(where: { $0.program == program }) + more > capacity(of: program) else { return nil }
    return idle.firstIndex { $0.program == program }.map { idle.remove(at: $0) }
  }

  /// - Parameter fresh: whether the service must not be one that was kept.
  private func checkOut(
    _ configuration: ServiceConfiguration, fresh: Bool, isCancelled: () -> Bool
  ) throws -> SpeechServiceProcess {
    condition.lock()
    defer { condition.unlock() }
    let program = Self.program(for: configuration)
    while busy >= capacity(of: program) {
      if isCancelled() { throw SpeechServiceFailure.cancelled }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    idle.removeAll(where: \.isOutOfStep)
    // Prefer one that needs no new configuration, and then one that has the language model. A service cannot load
    // another model, so that one with other models makes room for a new one.
    let match =
      fresh
      ? nil
      : idle.lastIndex { $0.configuration == configuration }
        ?? idle.lastIndex { $0.isReady(for: configuration) }
    if match == nil { removeSurplus(of: program, with: busy + 1)?.kill() }
    let service = try match.map { idle.remove(at: $0) } ?? start(for: configuration)
    busy += 1
    return service
  }

  private func release() {
    condition.withLock {
      busy -= 1
      condition.signal()
    }
  }

  /// Takes back a service that has nothing to do.
  func checkIn(_ service: SpeechServiceProcess) {
    let surplus = condition.withLock {
      idle.append(service)
      return removeSurplus(of: service.program, with: 0)
    }
    surplus?.kill()
  }

  /// Keeps services warm until `endUse`.
  func beginUse() {
    condition.withLock {
      users += 1
      generation += 1
    }
  }

  /// Ends one use that began with `beginUse()`.
  func endUse(_ retention: Retention) {
    let (isLast, now) = condition.withLock {
      users -= 1
      if retention == .unlimited { isUnlimited = true }
      return (users == 0 && !isUnlimited, generation)
    }
    guard isLast else { return }
    let delay = retention == .none ? 0 : Self.lingering
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.endIdle(since: now)
    }
  }

  /// Ends the services that are kept for later.
  func endIdle() {
    endIdle(
      since: condition.withLock {
        isUnlimited = false
        return generation
      })
  }

  /// Configures a service in advance, if any services are in use or warm. Returns at once.
  func warm(_ configuration: ServiceConfiguration) {
    guard condition.withLock({ users > 0 || !idle.isEmpty }) else { return }
    DispatchQueue.global(qos: .utility).async {
      // The recognition that needs the configuration reports the error.
      try? self.withService(configuration, isCancelled: { false }) { _ in }
    }
  }

  /// The number of streams.
  var streams: Int { condition.withLock { openStreams } }

  /// The configurations of the idle services.
  var idleConfigurations: [ServiceConfiguration?] { condition.withLock { idle.map(\.configuration) } }

  private func endIdle(since: Int) {
    let ended = condition.withLock { () -> [SpeechServiceProcess] in
      // A later use ends them itself.
      guard generation == since else { return [] }
      defer { idle = [] }
      return idle
    }
    for service in ended { service.kill() }
  }
}
