import Foundation
import RecognitionProtocol
import Synchronization

/// Recognizes audio while it is spoken, with one service, which goes back to the pool afterwards.
///
/// `StreamStateMachine` decides; this class carries out its actions. A serial queue sends to the service,
/// because sending and starting block, and a thread receives from it, because receiving blocks.
package final class StreamRecognition: AudioRecognition {
  private struct State {
    var machine: StreamStateMachine
    var service: SpeechServiceProcess?
    /// The latest one.
    var configuration: ServiceConfiguration
  }

  /// Splits long utterances and finds what is not speech in them.
  private struct Cutter {
    var splitter = StreamSplitter()
    var classifier: (any UtteranceClassifier)?

    /// The most samples of an audio message that is made of several pieces: a fifth of a second, as often as a service has
    /// partial results.
    private static let maxJoined = SpeechSegmenter.sampleRate / 5

    /// The audio comes in few pieces, because each wakes the service. A pause that is over again is left out.
    mutating func cut(_ actions: [SpeechSegmenter.Action]) -> [StreamStateMachine.Input] {
      inputs(actions).reduce(into: []) { joined, input in
        if case .pause? = joined.last { joined.removeLast() }
        if case .audio(let next) = input, case .audio(let last)? = joined.last,
          last.count + next.count <= Self.maxJoined
        {
          joined[joined.count - 1] = .audio(last + next)
        } else {
          joined.append(input)
        }
      }
    }

    private mutating func inputs(_ actions: [SpeechSegmenter.Action]) -> [StreamStateMachine.Input] {
      actions.flatMap { splitter.take($0) }.map { action in
        switch action {
        case .begin(let start):
          classifier?.begin(at: start)
          return .begin(at: start)
        case .audio(let samples):
          classifier?.add(samples)
          return .audio(samples)
        case .pause: return .pause
        case .end:
          return .end(nonspeech: classifier?.nonspeech())
        }
      }
    }
  }

  package let intake: RecognitionIntake
  private let cutter: Mutex<Cutter>
  private let state: Mutex<State>
  private let isCancelled = Atomic(false)
  private let pool: SpeechServicePool
  private let retention: SpeechServicePool.Retention
  private let ignoresLimit: Bool
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.stream.events")
  private let requests = DispatchQueue(label: "speech.stream.requests")

  package init(
    configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    retention: SpeechServicePool.Retention = .lingering, ignoresLimit: Bool = false,
    detection: SpeechDetection = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    let words = configuration.model.recognizer.words
    intake = RecognitionIntake(detection.cutter(for: words))
    cutter = Mutex(Cutter(classifier: detection.classifier(for: words)))
    state = Mutex(
      State(
        machine: StreamStateMachine(
          configuration: configuration, patience: pool.patience, keepsService: retention != .none),
        configuration: configuration))
    (self.pool, self.retention, self.ignoresLimit, self.emit) = (pool, retention, ignoresLimit, emit)
  }

  /// The model loads while the first words are spoken.
  package func start() { apply(.prepare) }

  package func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    apply(.cancel)
  }

  package func take(_ event: IntakeEvent) {
    switch event {
    case .audio(let actions, let reached):
      for input in cutter.withLock({ $0.cut(actions) }) { apply(input) }
      apply(.reached(reached))
    case .flush(let token): apply(.flush(token))
    case .drop(let position): apply(.drop(before: position))
    case .reconfigure(let configuration):
      state.withLock { $0.configuration = configuration }
      apply(.reconfigure(configuration))
    case .ended(let position, nil): apply(.audioEnded(at: position))
    case .ended(_, let error?), .failed(let error): apply(.failed(error))
    }
  }

  /// Actions are carried out under the lock, so that they keep their order. None of them blocks for long.
  /// - Parameter fresh: the service that the input is about, if it has just started.
  private func apply(_ input: StreamStateMachine.Input, fresh: SpeechServiceProcess? = nil) {
    state.withLock { state in
      if let fresh { state.service = fresh }
      let service = state.service
      for action in state.machine.handle(input, at: service?.now ?? SpeechServicePool.now) {
        perform(action, service)
      }
    }
  }

  private func perform(_ action: StreamStateMachine.Action, _ service: SpeechServiceProcess?) {
    switch action {
    case .emit(let event): events.async { self.emit(self.completed(event)) }
    case .startService(let number, let configuration):
      requests.async { self.startService(number, configuration) }
    case .send(let request, _):
      guard let service else { return }
      requests.async { Self.send(request, to: service) }
    case .killService: service?.kill()
    case .leavePool: pool.endStream(retention)
    }
  }

  // MARK: On `events`

  /// An utterance with what other recognizers add. What follows waits for them.
  private func completed(_ event: RecognitionEvent) -> RecognitionEvent {
    guard case .utterance(let utterance) = event else { return event }
    let configuration = state.withLock { $0.configuration }
    let timed = utterance.timed(of: configuration) { try self.ask($2, $0, .align($1)) }
    return .utterance(timed.completed(of: configuration) { try self.ask($2, $0, $1) })
  }

  /// Sends an utterance to another recognizer, with the request that ends it.
  private func ask(
    _ other: ServiceConfiguration, _ audio: UtteranceAudio, _ request: ServiceRequest
  ) throws -> [ServiceHypothesis] {
    // The stream may have left the pool.
    pool.beginUse()
    defer { pool.endUse(retention) }
    return try pool.withService(other, isCancelled: { self.isCancelled.load(ordering: .relaxed) }) {
      try $0.decode(audio.samples, utterance: 0, request)
    }
  }

  // MARK: On `requests`

  /// The thread that receives from the service notices a service that does not take a request.
  private static func send(_ request: ServiceRequest, to service: SpeechServiceProcess) {
    // Nothing is left to do in a pause if audio is decoded as it comes.
    if request == .pause, service.capabilities.isLive { return }
    do {
      try service.send(request)
    } catch {
      service.kill()
    }
  }

  private func startService(_ number: Int, _ configuration: ServiceConfiguration) {
    do {
      if !state.withLock({ $0.machine.isInPool }) {
        try pool.beginStream(ignoresLimit: ignoresLimit)
        apply(.joinedPool)
      }
      guard !state.withLock({ $0.machine.isOver }) else { return }
      try pool.checkSilence()
      let service = try pool.take(for: configuration)
      apply(.serviceStarted(number), fresh: service)
      receive(from: service, number)
    } catch {
      apply(.serviceFailedToStart(error))
    }
  }

  // MARK: On a thread of the service

  private func receive(from service: SpeechServiceProcess, _ number: Int) {
    let thread = Thread {
      do {
        while let reply = try self.nextReply(of: service, number) {
          self.apply(.reply(reply, from: number))
          if case .final = reply { self.pool.noteAnswer() }
        }
        self.pool.checkIn(service)
        self.apply(.serviceReturned(number))
      } catch {
        if let since = self.state.withLock({ $0.machine.owed(by: number) }) {
          self.pool.noteSilence(of: service.now - since)
        }
        service.kill()
        self.apply(.serviceLost(number, reason: (error as? ServiceChannelError)?.reason ?? "\(error)"))
      }
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// The next message of a service; nil if it can go back to the pool.
  private func nextReply(of service: SpeechServiceProcess, _ number: Int) throws -> ServiceReply? {
    while let patience = state.withLock({ $0.machine.patience(with: number, at: service.now) }) {
      // What came while this program was stopped is read, however late it is.
      if try service.channel.waitForInput(until: ServiceDeadline(seconds: patience)) {
        let limit = patience == 0 ? 0 : pool.patience.base
        return try service.channel.receive(by: ServiceDeadline(seconds: limit))
      }
      if patience == 0 { throw ServiceChannelError.timeout }
    }
    return nil
  }
}
