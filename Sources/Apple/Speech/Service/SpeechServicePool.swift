import Foundation
import SpeechServiceProtocol

/// The speech services of this program: at most `capacity` decode recordings at a time, and those that are idle
/// stay warm as long as somebody uses the pool, and as long after that as is wanted.
///
/// `@unchecked Sendable`: `condition` guards everything that changes.
final class SpeechServicePool: @unchecked Sendable {
  /// How long idle services are kept when nobody uses the pool any more.
  enum Retention: Sendable {
    case none
    /// For half a minute.
    case lingering
    /// Until `endIdle()`.
    case unlimited
  }

  /// The pool that every recognizer shares. `SPEECH_SERVICE_COUNT` sets its capacity, by default the number of
  /// processors, and `SPEECH_SERVICE_PATIENCE` the seconds that it waits for an answer.
  static let shared = {
    let environment = ProcessInfo.processInfo.environment
    return SpeechServicePool(
      capacity: environment["SPEECH_SERVICE_COUNT"].flatMap(Int.init)
        ?? ProcessInfo.processInfo.activeProcessorCount,
      patience: environment["SPEECH_SERVICE_PATIENCE"].flatMap(Double.init) ?? usualPatience)
  }()

  /// Seconds without an answer after which a service counts as hung. One that is alive decodes in a quarter of
  /// real time; these are ten times the longest utterance, and some for its model.
  static let usualPatience = 280.0
  /// How often work is tried, each time by a fresh service, before it counts as failed.
  static let attempts = 3
  /// Seconds that an idle service keeps its model in memory.
  private static let lingering = 30.0

  let capacity: Int
  /// The most streams at a time: the service of each takes 100 MB.
  private let maxStreams: Int
  private let patience: Double
  private let environment: [String: String]
  private let condition = NSCondition()
  private var idle: [SpeechServiceProcess] = []
  private var busy = 0
  private var openStreams = 0
  private var users = 0
  /// Whether somebody wanted services to be kept when nobody uses them.
  private var isUnlimited = false
  private var generation = 0

  /// - Parameters:
  ///   - patience: seconds without an answer after which a service that has work to do counts as hung.
  ///   - environment: where services are looked for, and what they are started with.
  init(
    capacity: Int, maxStreams: Int = 32, patience: Double = usualPatience,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.capacity = max(1, capacity)
    self.maxStreams = maxStreams
    self.patience = patience
    self.environment = environment
  }

  /// The service that is started; nil if there is none.
  var executable: String? { SpeechServiceLocator.find(environment: environment) }

  /// Lends a configured service to `work`, waiting for one to be free. A service that failed is ended; one that
  /// did not comes back.
  /// - Parameter isCancelled: asked while waiting; true ends the wait.
  /// - Throws: `SpeechServiceFailure`, and what `work` throws.
  func withService<Result>(
    _ configuration: ServiceConfiguration, isCancelled: () -> Bool,
    _ work: (SpeechServiceProcess) throws -> Result
  ) throws -> Result {
    let service = try checkOut(configuration, isCancelled: isCancelled)
    defer { release() }
    do {
      try service.configure(configuration)
      let result = try work(service)
      checkIn(service)
      return result
    } catch {
      service.kill()
      throw error
    }
  }

  /// Counts one more stream, which keeps a service of its own until it calls `endStream()`.
  /// - Throws: `SpeechServiceFailure.exhausted` if there are too many.
  func beginStream() throws {
    try condition.withLock {
      guard openStreams < maxStreams else { throw SpeechServiceFailure.exhausted(maxStreams) }
      openStreams += 1
    }
    beginUse()
  }

  /// A stream needs its service no more.
  func endStream(_ retention: Retention) {
    condition.withLock { openStreams -= 1 }
    endUse(retention)
  }

  /// Gives a service away: a warm one that has the language model, or a fresh one. It may come back by
  /// `checkIn`.
  /// - Throws: `SpeechServiceFailure`.
  func take(for configuration: ServiceConfiguration) throws -> SpeechServiceProcess {
    let warm = condition.withLock {
      idle.removeAll(where: \.isOutOfStep)
      return idle.lastIndex { $0.isReady(for: configuration) }.map { idle.remove(at: $0) }
    }
    return try warm ?? start()
  }

  /// Starts a service.
  /// - Throws: `SpeechServiceFailure`.
  func start() throws -> SpeechServiceProcess {
    guard let executable else { throw SpeechServiceFailure.notInstalled }
    return try SpeechServiceProcess(executable: executable, environment: environment, patience: patience)
  }

  private func checkOut(
    _ configuration: ServiceConfiguration, isCancelled: () -> Bool
  ) throws -> SpeechServiceProcess {
    condition.lock()
    defer { condition.unlock() }
    while busy >= capacity {
      if isCancelled() { throw SpeechServiceFailure.cancelled }
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
    }
    idle.removeAll(where: \.isOutOfStep)
    // One that needs no new configuration is the cheapest, and then one that has the language model.
    let match =
      idle.lastIndex { $0.configuration == configuration }
      ?? idle.lastIndex { $0.isReady(for: configuration) }
      ?? idle.indices.last
    let service = try match.map { idle.remove(at: $0) } ?? start()
    busy += 1
    return service
  }

  private func release() {
    condition.lock()
    busy -= 1
    condition.signal()
    condition.unlock()
  }

  /// Takes a service back that has nothing to do.
  func checkIn(_ service: SpeechServiceProcess) {
    let surplus = condition.withLock {
      idle.append(service)
      return idle.count > capacity ? idle.removeFirst() : nil
    }
    surplus?.kill()
  }

  /// Somebody needs services from now on, again and again.
  func beginUse() {
    condition.withLock {
      users += 1
      generation += 1
    }
  }

  /// One who called `beginUse()` needs services no more.
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

  /// Has a service ready for what is about to be asked, if any services are in use or warm; returns at once.
  func warm(_ configuration: ServiceConfiguration) {
    guard condition.withLock({ users > 0 || !idle.isEmpty }) else { return }
    DispatchQueue.global(qos: .utility).async {
      // Who asks in earnest hears why it cannot be had.
      try? self.withService(configuration, isCancelled: { false }) { _ in }
    }
  }

  /// How many streams there are.
  var streams: Int { condition.withLock { openStreams } }

  /// What the idle services are ready for.
  var idleConfigurations: [ServiceConfiguration?] { condition.withLock { idle.map(\.configuration) } }

  private func endIdle(since: Int) {
    condition.lock()
    // Whoever came later ends what is idle then.
    let ended = generation == since ? idle : []
    if generation == since { idle = [] }
    condition.unlock()
    for service in ended { service.kill() }
  }
}
