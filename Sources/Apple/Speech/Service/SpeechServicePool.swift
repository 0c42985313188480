import Foundation
import SpeechServiceProtocol

/// The speech services of this program: at most `capacity` decode recordings at a time, and those that are idle
/// stay warm for a while.
///
/// `@unchecked Sendable`: `condition` guards `idle`, `busy` and `generation`.
final class SpeechServicePool: @unchecked Sendable {
  /// The pool that every recognizer shares. `SPEECH_SERVICE_COUNT` sets its capacity; the default is the number of
  /// processors.
  static let shared = SpeechServicePool(
    capacity: ProcessInfo.processInfo.environment["SPEECH_SERVICE_COUNT"].flatMap(Int.init)
      ?? ProcessInfo.processInfo.activeProcessorCount)

  /// Seconds that an idle service keeps its model in memory.
  private static let lingering = 30.0

  let capacity: Int
  private let environment: [String: String]
  private let condition = NSCondition()
  private var idle: [SpeechServiceProcess] = []
  private var busy = 0
  private var generation = 0

  /// - Parameter environment: where services are looked for, and what they are started with.
  init(capacity: Int, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.capacity = max(1, capacity)
    self.environment = environment
  }

  /// The service that is started; nil if there is none.
  var executable: String? { SpeechServiceLocator.find(environment: environment) }

  /// Lends a configured service to `work`, waiting for one to be free. A service that failed is ended; one that did
  /// not comes back.
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

  /// Starts a service that is not lent but given away: for a stream, which keeps it to its end.
  /// - Throws: `SpeechServiceFailure`.
  func start() throws -> SpeechServiceProcess {
    guard let executable else { throw SpeechServiceFailure.notInstalled }
    return try SpeechServiceProcess(executable: executable, environment: environment)
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
    // One that needs no new configuration is the cheapest.
    let match = idle.lastIndex { $0.configuration == configuration } ?? idle.indices.last
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

  private func checkIn(_ service: SpeechServiceProcess) {
    condition.lock()
    idle.append(service)
    generation += 1
    let now = generation
    condition.unlock()
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.lingering) { [weak self] in
      self?.endIdle(since: now)
    }
  }

  /// Ends the services that are kept for later.
  func endIdle() { endIdle(since: condition.withLock { generation }) }

  private func endIdle(since: Int) {
    condition.lock()
    // Services that came back later have a timer of their own.
    let ended = generation == since ? idle : []
    if generation == since { idle = [] }
    condition.unlock()
    for service in ended { service.kill() }
  }
}
