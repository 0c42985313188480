import Foundation
import RecognitionProtocol

/// Decides what a live recognition does next: a pure value without a queue, a process or a clock.
///
/// It keeps every utterance until its result arrives, so that a service that dies costs time and no words.
/// Each service has a number. Input from a service that is no longer in use has no effect.
struct StreamStateMachine {
  private enum Service: Equatable {
    case none
    case starting(Int)
    case running(Int)
    /// The stream is over. The service goes back to the pool when it has answered everything.
    case returning(Int)

    var number: Int? {
      switch self {
      case .none: nil
      case .starting(let number), .running(let number), .returning(let number): number
      }
    }
  }

  private enum Phase: Equatable {
    case open
    case audioEnded(at: Int)
    case over
  }

  /// Samples of a message to a service that has just started: half a second.
  private static let chunkLength = SpeechSegmenter.sampleRate / 2

  /// Messages that a service may send for one utterance. The longest has a partial result every fifth of a second.
  private static let maxReplies = 500

  private let patience: ServicePatience
  private let keepsService: Bool
  private var configuration: ServiceConfiguration
  /// Whether the service still has an older configuration.
  private var isConfigurationNew = false
  /// Configurations that the service has not answered.
  private var unansweredConfigurations = 0
  private var service = Service.none
  private var lastService = 0
  private var failedStarts = 0
  private var pending = PendingUtterances()
  private var phase = Phase.open
  private var hasDetectedSpeech = false
  /// Since when the service owes the answer that comes next, on the caller's clock.
  private var owedSince: TimeInterval = 0
  /// Requests that were not answered.
  private var repliesSince = 0
  /// How the service broke the protocol.
  private var offence: String?
  /// Whether the pool counts this stream.
  private(set) var isInPool = false

  /// - Parameters:
  ///   - patience: how long a service may owe an answer before it counts as hung.
  ///   - keepsService: whether the service goes back to the pool at the end.
  init(configuration: ServiceConfiguration, patience: ServicePatience, keepsService: Bool) {
    (self.configuration, self.patience, self.keepsService) = (configuration, patience, keepsService)
  }

  var isOver: Bool { phase == .over }

  /// Takes an input.
  /// - Parameter now: seconds on a clock that never goes back, while the service is the same. It is asked only if an answer
  ///   is owed from now on.
  mutating func handle(_ input: Input, at now: @autoclosure () -> TimeInterval) -> [Action] {
    let owedBefore = owedAnswer
    let actions = actions(for: input)
    switch input {
    case .serviceStarted: owe(from: now())
    case .begin: repliesSince = 0
    case .reply where owedAnswer == owedBefore: repliesSince += 1
    default: if owedAnswer != owedBefore { owe(from: now()) }
    }
    return actions
  }

  /// Seconds to wait for the next message of a service: 0 if it has hung, nil if it can go back to the pool.
  func patience(with number: Int, at now: TimeInterval) -> TimeInterval? {
    if service == .returning(number), unansweredConfigurations == 0 { return nil }
    guard owedAnswer != nil else { return patience.base }
    let limit = pending.utterances.first.map { patience.limit(samples: $0.audio.samples.count) }
    return max(0, owedSince + (limit ?? patience.configuring(configuration)) - now)
  }

  /// Since when a service owes an answer; nil if it owes none.
  func owed(by number: Int) -> TimeInterval? {
    number == service.number && owedAnswer != nil ? owedSince : nil
  }

  private mutating func owe(from now: TimeInterval) {
    owedSince = now
    repliesSince = 0
  }

  /// The utterance whose result has to come next; 0 for the answer to a configuration. While an utterance is being
  /// spoken nothing is owed: the audio may be held up.
  private var owedAnswer: UInt32? {
    if isOver { return 0 }
    return pending.utterances.first.flatMap { $0.isEnded ? $0.number : nil }
  }

  private mutating func actions(for input: Input) -> [Action] {
    switch input {
    case .joinedPool:
      isInPool = !isOver
      return isOver ? [.leavePool] : []
    case .serviceStarted(let number): return use(number)
    case .serviceLost(let number, let reason):
      return number == service.number ? lose(offence ?? reason) : []
    case .serviceReturned(let number):
      guard service == .returning(number) else { return [] }
      service = .none
      return leavePool()
    case .reply(let reply, let number):
      guard number == service.number else { return [] }
      guard repliesSince < Self.maxReplies else { return [.killService(number)] }
      return handle(reply, of: number)
    default: return isOver ? [] : openActions(for: input)
    }
  }

  /// What to do for an input that has no effect after the end.
  private mutating func openActions(for input: Input) -> [Action] {
    switch input {
    case .prepare: return startIfNeeded()
    case .begin(let start): return begin(at: start)
    case .audio(let samples):
      pending.add(samples)
      return send(.audio(samples))
    case .pause:
      if case .running(let number) = service { return [.send(.pause, to: number)] }
      return []
    case .end(let nonspeech):
      pending.end(nonspeech: nonspeech)
      return send(.end)
    case .reached(let position): return pending.isEmpty ? [.emit(.processed(Self.seconds(position)))] : []
    case .flush(let token):
      pending.wait(token)
      return startIfNeeded() + completedFlushes()
    case .drop(let position):
      pending.drop(before: position)
      return completedFlushes()
    case .reconfigure(let wanted):
      isConfigurationNew = isConfigurationNew || wanted != configuration
      configuration = wanted
      return []
    case .audioEnded(let position):
      guard phase == .open else { return [] }
      phase = .audioEnded(at: position)
      return [.emit(.audioEnded)] + endIfDone()
    case .failed(let error): return end(error)
    case .cancel: return stop()
    case .serviceFailedToStart(let error):
      failedStarts += 1
      if case SpeechServiceFailure.interrupted = error, failedStarts < SpeechServicePool.attempts {
        return start()
      }
      return end(error)
    default: return []
    }
  }

  // MARK: Audio

  private mutating func begin(at start: Int) -> [Action] {
    var actions: [Action] = hasDetectedSpeech ? [] : [.emit(.speechDetected)]
    hasDetectedSpeech = true
    let number = pending.begin(at: start)
    if isConfigurationNew, case .running(let service) = service {
      isConfigurationNew = false
      unansweredConfigurations += 1
      actions.append(.send(.configure(configuration), to: service))
    }
    return actions + send(.begin(utterance: number))
  }

  /// A service that has yet to start gets everything when it has started.
  private mutating func send(_ request: ServiceRequest) -> [Action] {
    if case .running(let number) = service { return [.send(request, to: number)] }
    return startIfNeeded()
  }

  // MARK: Service

  private mutating func startIfNeeded() -> [Action] { service == .none ? start() : [] }

  private mutating func start() -> [Action] {
    lastService += 1
    offence = nil
    service = .starting(lastService)
    isConfigurationNew = false
    unansweredConfigurations = 0
    return [.startService(lastService, configuration)]
  }

  /// Gives a service every utterance that has no result.
  private mutating func use(_ number: Int) -> [Action] {
    guard service == .starting(number), !isOver else { return [.killService(number)] }
    service = .running(number)
    failedStarts = 0
    let requests = pending.utterances.flatMap { utterance -> [ServiceRequest] in
      let samples = utterance.audio.samples
      // A service reports a partial result for each message.
      let chunks = stride(from: 0, to: samples.count, by: Self.chunkLength).map { start in
        ServiceRequest.audio(Array(samples[start..<min(start + Self.chunkLength, samples.count)]))
      }
      return [.begin(utterance: utterance.number)] + chunks + (utterance.isEnded ? [.end] : [])
    }
    return requests.map { .send($0, to: number) } + completedFlushes() + endIfDone()
  }

  /// The service is gone. Its first utterance is tried again, and given up after some deaths.
  private mutating func lose(_ reason: String) -> [Action] {
    service = .none
    guard !isOver else { return leavePool() }
    var actions: [Action] = []
    if let given = pending.fail(after: SpeechServicePool.attempts) {
      actions.append(.emit(.failure(samples: given.audio.range, reason: reason)))
    }
    actions += pending.completedFlushes().map { .emit(.flushed($0)) } + endIfDone()
    return isOver || pending.isEmpty ? actions : actions + start()
  }

  private mutating func handle(_ reply: ServiceReply, of number: Int) -> [Action] {
    switch reply {
    case .partial(let result):
      guard let audio = pending.audio(of: result.utterance) else { return [] }
      return ifPossible(result, for: audio, of: number) { _, hypotheses in
        guard let best = hypotheses.first else { return [] }
        return [.emit(.hypothesis(RecognizedWord.words(of: best, offset: Self.seconds(audio.start))))]
      }
    case .final(let result):
      guard let audio = pending.audio(of: result.utterance) else { return endIfDone() }
      return ifPossible(result, for: audio, of: number) { machine, hypotheses in
        let configuration = machine.configuration
        return machine.complete(result.utterance, of: number) { utterance in
          let recognized = RecognizedUtterance(
            audio: utterance.audio, hypotheses: hypotheses, nonspeech: utterance.nonspeech,
            of: configuration.model.recognizer.words)
          return [.utterance(recognized), .processed(recognized.end)]
        }
      }
    case .failed(let failure):
      return complete(failure.utterance, of: number) {
        [.failure(samples: $0.audio.range, reason: failure.reason)]
      }
    case .refused(let refusal): return end(SpeechServiceFailure.refused(refusal))
    case .ready:
      unansweredConfigurations -= 1
      return []
    case .unavailable:
      // Every utterance gets this answer too. A service that goes back must be of use to the next stream.
      unansweredConfigurations -= 1
      return isOver ? [.killService(number)] : []
    // Another service can have the configuration.
    case .occupied: return [.killService(number)]
    }
  }

  /// What to do for hypotheses that can be those of the utterance. A service that sends others is ended.
  private mutating func ifPossible(
    _ result: ServiceReply.Hypotheses, for audio: UtteranceAudio, of service: Int,
    _ actions: (inout Self, [ServiceHypothesis]) -> [Action]
  ) -> [Action] {
    do {
      return actions(&self, try audio.checked(result.hypotheses))
    } catch {
      offence = error.reason
      return [.killService(service)]
    }
  }

  private mutating func complete(
    _ utterance: UInt32, of service: Int, _ events: (PendingUtterances.Utterance) -> [RecognitionEvent]
  ) -> [Action] {
    switch pending.complete(utterance) {
    case .unwanted: return endIfDone()
    case .early: return [.killService(service)]
    case .completed(let first): return events(first).map { .emit($0) } + completedFlushes() + endIfDone()
    }
  }

  /// Flushes are complete only while a service runs: the caller relies on the model being there too.
  private mutating func completedFlushes() -> [Action] {
    guard case .running = service else { return [] }
    return pending.completedFlushes().map { .emit(.flushed($0)) }
  }

  // MARK: End

  /// A service that is starting may still fail, and the caller is to know why.
  private mutating func endIfDone() -> [Action] {
    guard case .audioEnded(let position) = phase, pending.isEmpty else { return [] }
    if case .starting = service { return [] }
    return [.emit(.processed(Self.seconds(position)))] + end(nil)
  }

  private mutating func end(_ error: (any Error)?) -> [Action] {
    guard !isOver else { return [] }
    return stop() + [.emit(.ended(error))]
  }

  private mutating func stop() -> [Action] {
    phase = .over
    pending.dropAll()
    switch service {
    case .running(let number) where keepsService:
      // The answer to the configuration is the last. The service forgets the voice with it.
      service = .returning(number)
      unansweredConfigurations += 1
      return [.send(.abandon, to: number), .send(.configure(configuration), to: number)]
    case .running(let number):
      service = .none
      return [.killService(number)] + leavePool()
    case .none, .starting, .returning:
      service = .none
      return leavePool()
    }
  }

  private mutating func leavePool() -> [Action] {
    guard isInPool else { return [] }
    isInPool = false
    return [.leavePool]
  }

  private static func seconds(_ samples: Int) -> TimeInterval {
    Double(samples) / Double(SpeechSegmenter.sampleRate)
  }
}
