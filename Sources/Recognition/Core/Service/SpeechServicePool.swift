import Foundation
import RecognitionProtocol

/// The speech services of this program. At most `capacity` of them decode recordings at a time, and one of a recognizer that
/// decodes on several processors by itself. Idle ones stay warm while the pool is in use, and
/// afterwards as the retention says.
///
/// `@unchecked Sendable`: `condition` guards everything that changes. It is not a `Mutex`, because threads
/// wait on it.
package final class SpeechServicePool: @unchecked Sendable {
  /// How long idle services are kept when the pool is no longer in use.
  package enum Retention: Sendable {
    case none
    /// For half a minute, or as long as the pool's user says.
    case lingering
    /// Until `endIdle()`.
    case unlimited
  }

  /// The pool that every recognizer shares. `SPEECH_SERVICE_COUNT` sets its capacity, by default the number
  /// of processors, `SPEECH_SERVICE_PATIENCE` the seconds that it waits for any answer, and
  /// `SPEECH_SERVICE_LINGERING` the seconds that an idle service keeps its model in memory.
  package static let shared = SpeechServicePool(configuredBy: ProcessInfo.processInfo.environment)

  /// How often work is tried, each time with a fresh service, before it counts as failed.
  static let attempts = 3
  let capacity: Int
  /// How many streams may run at a time. The service of each takes 100 MB.
  private let maxStreams: Int
  package let patience: ServicePatience
  /// Seconds that an idle service keeps its model in memory.
  let lingering: Double
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
  ///   - lingering: seconds that an idle service keeps its model in memory.
  ///   - environment: decides where the executable is looked for, and is passed to services.
  init(
    capacity: Int, maxStreams: Int = 32, patience: Double? = nil, lingering: Double = 30,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.capacity = max(1, capacity)
    self.maxStreams = maxStreams
    self.patience = ServicePatience(fixed: patience)
    self.lingering = lingering
    silence = ServiceSilence(limit: self.patience.inVain)
    self.environment = environment
  }

  /// The pool as the variables say that `shared` names.
  convenience init(configuredBy environment: [String: String]) {
    self.init(
      capacity: environment["SPEECH_SERVICE_COUNT"].flatMap(Int.init)
        ?? ProcessInfo.processInfo.activeProcessorCount,
      patience: environment["SPEECH_SERVICE_PATIENCE"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil },
      lingering: environment["SPEECH_SERVICE_LINGERING"].flatMap(Double.init) ?? 30,
      environment: environment)
  }

  /// Whether there is a recognizer's executable.
  package var hasExecutable: Bool { Recognizer.all.contains { executable(for: $0) != nil } }

  /// The path of a recognizer's executable; nil if it is missing.
  package func executable(for recognizer: Recognizer) -> String? {
    recognizer.locator.find(environment: environment)
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
    var refused: Set<ObjectIdentifier> = []
    var needsFresh = false
    while true {
      let service = try checkOut(
        configuration, except: needsFresh ? nil : refused, isCancelled: isCancelled)
      defer { release() }
      let wasKept = service.configuration != nil
      let start = service.now
      do {
        try service.configure(configuration)
        let result = try work(service)
        noteAnswer()
        checkIn(service)
        return result
      } catch SpeechServiceFailure.occupied where wasKept {
        refused.insert(ObjectIdentifier(service))
        putBack(service)
      } catch SpeechServiceFailure.interrupted(SpeechServiceProcess.died) where wasKept && !isCancelled() {
        service.kill()
        needsFresh = true
      } catch {
        // A channel that was shut down because nobody waits any more says nothing about the service.
        if case SpeechServiceFailure.interrupted = error, !isCancelled() {
          noteSilence(of: service.now - start)
        }
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

  /// Does something that asks services, and does it again after an interruption, `attempts` times at most.
  /// - Throws: `SpeechServiceFailure`: the last interruption, and every other failure at once; and what else `work` throws.
  func repeating<Result>(isCancelled: () -> Bool, _ work: () throws -> Result) throws -> Result {
    var last = SpeechServiceFailure.cancelled
    for _ in 0..<Self.attempts {
      do {
        try checkSilence()
        return try work()
      } catch SpeechServiceFailure.interrupted(let cause) {
        if isCancelled() { throw SpeechServiceFailure.cancelled }
        last = .interrupted(cause)
      }
    }
    throw last
  }

  /// Seconds on a clock that never goes back.
  static var now: TimeInterval { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  /// Counts one more stream, which has a service of its own until it calls `endStream()`.
  /// - Throws: `SpeechServiceFailure.exhausted` if there are too many.
  func beginStream(ignoresLimit: Bool = false) throws {
    try condition.withLock {
      guard ignoresLimit || openStreams < maxStreams else { throw SpeechServiceFailure.exhausted(maxStreams) }
      openStreams += 1
    }
    beginUse()
  }

  /// Counts one stream less.
  func endStream(_ retention: Retention) {
    condition.withLock { openStreams -= 1 }
    endUse(retention)
  }

  /// A service for a stream, which has the configuration: a warm one that can serve it, or a fresh one. `checkIn` takes it
  /// back.
  /// - Throws: `SpeechServiceFailure`, and the error by which a service ends a recognition.
  func take(for configuration: ServiceConfiguration) throws -> SpeechServiceProcess {
    var refused: Set<ObjectIdentifier> = []
    while true {
      let warm = condition.withLock { removeIdle(for: configuration, except: refused) }
      let service = try warm ?? start(for: configuration)
      let start = service.now
      do {
        try service.configure(configuration)
        return service
      } catch SpeechServiceFailure.occupied where warm != nil {
        refused.insert(ObjectIdentifier(service))
        putBack(service)
      } catch {
        if case SpeechServiceFailure.interrupted = error { noteSilence(of: service.now - start) }
        throw error
      }
    }
  }

  /// Removes the idle service that is most likely to serve a configuration: one that needs no new configuration, or one that
  /// has the model; nil if there is none. `condition` must be locked.
  private func removeIdle(
    for configuration: ServiceConfiguration, except refused: Set<ObjectIdentifier>
  ) -> SpeechServiceProcess? {
    idle.removeAll(where: \.isOutOfStep)
    let match =
      idle.lastIndex { $0.configuration == configuration }
      ?? idle.lastIndex {
        $0.configuration?.model == configuration.model && !refused.contains(ObjectIdentifier($0))
      }
    return match.map { idle.remove(at: $0) }
  }

  /// Takes back a service that has refused a configuration. It is the first to make room for another.
  private func putBack(_ service: SpeechServiceProcess) {
    condition.withLock { idle.insert(service, at: 0) }
  }

  /// Starts the service that a configuration needs.
  /// - Throws: `SpeechServiceFailure`.
  func start(for configuration: ServiceConfiguration) throws -> SpeechServiceProcess {
    let recognizer = configuration.model.recognizer
    guard let executable = executable(for: recognizer) else {
      throw SpeechServiceFailure.notInstalled(recognizer)
    }
    return try SpeechServiceProcess(
      recognizer, executable: executable, environment: environment, patience: patience)
  }

  /// How many services of a recognizer decode recordings at a time, and how many are kept.
  func capacity(of recognizer: Recognizer) -> Int {
    switch recognizer.parallelism {
    case .processPerCore: capacity
    case .oneProcess: 1
    }
  }

  /// Removes the oldest idle service of a recognizer that has as many as it may have with `more`. Those of the others stay:
  /// a recording needs two where one finds no words, and a model may take long to load.
  private func removeSurplus(of recognizer: Recognizer, with more: Int) -> SpeechServiceProcess? {
    guard idle.count(where: { $0.recognizer == recognizer }) + more > capacity(of: recognizer) else {
      return nil
    }
    return idle.firstIndex { $0.recognizer == recognizer }.map { idle.remove(at: $0) }
  }

  /// - Parameter refused: kept services that have refused the configuration; nil if no kept one may serve it.
  private func checkOut(
    _ configuration: ServiceConfiguration, except refused: Set<ObjectIdentifier>?, isCancelled: () -> Bool
  ) throws -> SpeechServiceProcess {
    condition.lock()
    defer { condition.unlock() }
    let recognizer = configuration.model.recognizer
    while busy >= capacity(of: recognizer) {
      if isCancelled() { throw SpeechServiceFailure.cancelled }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    let kept = refused.flatMap { removeIdle(for: configuration, except: $0) }
    // A service cannot load another model, so that one with another makes room for a new one.
    if kept == nil { removeSurplus(of: recognizer, with: busy + 1)?.kill() }
    let service = try kept ?? start(for: configuration)
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
      return removeSurplus(of: service.recognizer, with: 0)
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
    let delay = retention == .none ? 0 : lingering
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.endIdle(since: now)
    }
  }

  /// Ends the services that are kept for later.
  package func endIdle() {
    endIdle(
      since: condition.withLock {
        isUnlimited = false
        return generation
      })
  }

  /// Configures a service in advance, if any services are in use or warm. Returns at once.
  package func warm(_ configuration: ServiceConfiguration) {
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
