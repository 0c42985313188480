import AVFAudio
import SpeechServiceProtocol

/// Recognizes audio while it is spoken: it is cut at its pauses as it comes, handed to one service, and every
/// utterance is kept until its result is there, so that a service that dies costs time and no words. The
/// service goes back to the pool afterwards.
///
/// `@unchecked Sendable`: `lock` guards everything that changes, but for what only `intakeQueue` touches.
final class StreamRecognition: Recognition, @unchecked Sendable {
  private let pool: SpeechServicePool
  private let retention: SpeechServicePool.Retention
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.stream.events")
  private let intakeQueue = DispatchQueue(label: "speech.stream.intake")

  // Only on `intakeQueue`.
  private let intake = AudioIntake()
  private var segmenter: SpeechSegmenter
  private var splitter = StreamSplitter()
  private var judge: SpeechClassifier?
  private var taken = 0
  private var hasDetectedSpeech = false

  private let lock = NSLock()
  private var configuration: ServiceConfiguration
  /// Whether the service has yet to hear of `configuration`.
  private var isConfigurationNew = false
  private var service: SpeechServiceProcess?
  /// Whether the service goes back to the pool when it has answered everything.
  private var isReturning = false
  /// Configurations that the service has not answered yet.
  private var unansweredConfigurations = 0
  private var isCounted = false
  private var failedStarts = 0
  private var pending = PendingUtterances()
  private var isFinishing = false
  private var isFed = false
  private var isOver = false

  init(
    configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    retention: SpeechServicePool.Retention = .lingering,
    detection: SpeechDetection = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    self.configuration = configuration
    self.pool = pool
    self.retention = retention
    self.emit = emit
    segmenter = SpeechSegmenter(configuration: detection.segmentation)
    judge = detection.judge
  }

  func start() {
    // The model loads while the first words are spoken.
    intakeQueue.async { self.withService { _ in } }
  }

  /// Takes more audio; returns at once. The buffer is copied: the caller may use it again.
  func append(_ buffer: AVAudioPCMBuffer) {
    guard let copy = buffer.copy() as? AVAudioPCMBuffer else { return }
    let box = UncheckedBox(value: copy)
    lock.lock()
    let isTaken = !isFinishing
    lock.unlock()
    guard isTaken else { return }
    intakeQueue.async {
      do { self.take(try self.intake.convert(box.value)) } catch { self.end(error) }
    }
  }

  func finish() {
    lock.lock()
    let isFirst = !isFinishing
    isFinishing = true
    lock.unlock()
    guard isFirst else { return }
    intakeQueue.async {
      do { self.take(try self.intake.finish()) } catch { return self.end(error) }
      self.forward(self.segmenter.finish())
      self.post(.audioEnded)
      self.lock.lock()
      self.isFed = true
      self.lock.unlock()
      self.endIfDone()
    }
  }

  func cancel() { stop() }

  // MARK: For the analyzer

  /// Takes more audio: 16 kHz, mono. Returns at once.
  func append(_ samples: [Int16]) {
    intakeQueue.async { self.take(samples) }
  }

  /// Ends the utterance that is open, and tells `RecognitionEvent.flushed` when everything taken so far has its
  /// result.
  /// - Parameter isLast: no more audio comes, and the last samples are not kept for what follows.
  func flush(_ token: Int, isLast: Bool) {
    intakeQueue.async {
      self.forward(isLast ? self.segmenter.finish() : self.segmenter.flush())
      // Whoever waits may count on the model being there too.
      self.withService { _ in }
      self.lock.withLock {
        self.pending.wait(token)
        self.answer()
      }
    }
  }

  /// Goes on with audio that does not follow what was taken: the next sample's place is `place`.
  func skip(to place: Int) {
    intakeQueue.async {
      self.forward(self.segmenter.finish())
      self.segmenter.skip(to: place)
      self.taken = place
    }
  }

  /// Wants no results of whole utterances that end before `place` any more.
  func drop(before place: Int) {
    intakeQueue.async {
      self.lock.withLock {
        self.pending.drop(before: place)
        self.answer()
      }
    }
  }

  /// Decodes what is not cut into utterances yet by another configuration of the same language and mode.
  func reconfigure(_ wanted: ServiceConfiguration) {
    lock.withLock {
      guard wanted != configuration else { return }
      configuration = wanted
      isConfigurationNew = true
    }
  }

  // MARK: On `intakeQueue`

  private func take(_ samples: [Int16]) {
    taken += samples.count
    forward(segmenter.process(samples))
  }

  private func forward(_ actions: [SpeechSegmenter.Action]) {
    guard !lock.withLock({ isOver }) else { return }
    for action in actions.flatMap({ splitter.take($0) }) {
      switch action {
      case .begin(let start):
        if !hasDetectedSpeech { post(.speechDetected) }
        hasDetectedSpeech = true
        let begun = lock.withLock { pending.begin(at: start) }
        withService { service in
          if let news = newConfiguration() { try service.askFor(news) }
          try service.channel.send(ServiceRequest.begin(utterance: begun))
        }
      case .audio(let samples):
        lock.withLock { pending.add(samples) }
        withService { try $0.channel.send(ServiceRequest.audio(samples)) }
      case .end:
        let utterance = lock.withLock { pending.newest?.audio }
        let nonspeech = utterance.flatMap { judge?.nonspeech(in: $0) }
        lock.withLock { pending.end(nonspeech: nonspeech) }
        withService { try $0.channel.send(ServiceRequest.end) }
      }
    }
    if lock.withLock({ pending.isEmpty }) { post(.processed(seconds(segmenter.reached))) }
  }

  private func newConfiguration() -> ServiceConfiguration? {
    lock.withLock {
      guard isConfigurationNew else { return nil }
      isConfigurationNew = false
      unansweredConfigurations += 1
      return configuration
    }
  }

  /// Sends to the service, starting one if there is none. A service that does not take it is noticed by the
  /// thread that listens to it; what was not taken is among the utterances that are sent again.
  private func withService(_ send: (SpeechServiceProcess) throws -> Void) {
    lock.lock()
    let current = service
    let isOver = isOver
    lock.unlock()
    guard !isOver else { return }
    if let current {
      do { try send(current) } catch { current.kill() }
    } else {
      restart()
    }
  }

  /// Takes a service and gives it every utterance that has no result yet.
  private func restart() {
    do {
      guard try count() else { return }
      let wanted = lock.withLock {
        isConfigurationNew = false
        unansweredConfigurations = 0
        return configuration
      }
      let fresh = try pool.take(for: wanted)
      try fresh.configure(wanted)
      let again = lock.withLock { () -> [PendingUtterances.Utterance]? in
        guard !isOver else { return nil }
        failedStarts = 0
        service = fresh
        return pending.utterances
      }
      guard let again else { return }
      listen(to: fresh)
      for utterance in again {
        try fresh.channel.send(ServiceRequest.begin(utterance: utterance.number))
        try fresh.channel.send(ServiceRequest.audio(utterance.audio.samples))
        if utterance.isEnded { try fresh.channel.send(ServiceRequest.end) }
      }
    } catch ServiceChannelError.closed {
      // It died already; whoever listens to it has noticed.
    } catch SpeechServiceFailure.interrupted(let reason) {
      failedStarts += 1
      guard failedStarts >= SpeechServicePool.attempts else { return restart() }
      end(SpeechServiceFailure.interrupted(reason))
    } catch {
      end(error)
    }
  }

  /// Counts this as one of the pool's streams, unless it is already; false if it is over.
  private func count() throws -> Bool {
    guard !lock.withLock({ isCounted }) else { return true }
    try pool.beginStream()
    let isWanted = lock.withLock {
      isCounted = !isOver
      return isCounted
    }
    if !isWanted { pool.endStream(retention) }
    return isWanted
  }

  // MARK: On the listening thread

  private func listen(to service: SpeechServiceProcess) {
    let thread = Thread {
      do {
        while !self.isReturned {
          do { self.handle(try service.receive(), of: service) } catch ServiceChannelError.timeout
            where !self.isWaiting
          {}
        }
        self.pool.checkIn(service)
      } catch {
        service.kill()
        self.lost(service)
      }
      self.leavePool()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Whether the service owes an answer: while somebody speaks there is one every few moments.
  private var isWaiting: Bool { lock.withLock { !pending.isEmpty || isOver } }

  /// Whether the service has nothing to do any more, and answered everything.
  private var isReturned: Bool {
    lock.withLock { isReturning && unansweredConfigurations == 0 }
  }

  private func handle(_ reply: ServiceReply, of service: SpeechServiceProcess) {
    switch reply {
    case .partial(let result):
      guard let start = lock.withLock({ pending.start(of: result.utterance) }),
        let hypothesis = result.hypotheses.first
      else { return }
      post(.hypothesis(RecognizedWord.words(of: hypothesis, offset: seconds(start))))
    case .final(let result):
      settle(result.utterance) { pending in
        let (audio, nonspeech) = (pending.audio, pending.nonspeech)
        return [
          .utterance(RecognizedUtterance(audio: audio, hypotheses: result.hypotheses, nonspeech: nonspeech)),
          .processed(seconds(audio.range.upperBound)),
        ]
      }
    case .failed(let failure):
      settle(failure.utterance) { [.failure(samples: $0.audio.range, reason: failure.reason)] }
    case .refused(let refusal): end(RecognitionError.refused(refusal))
    case .ready:
      lock.withLock { unansweredConfigurations -= 1 }
    case .unavailable:
      // Every utterance will be told so; one that goes back must be of use to the next.
      if lock.withLock({ isOver }) { service.kill() }
      lock.withLock { unansweredConfigurations -= 1 }
    }
  }

  /// Posts what has become of an utterance that is still wanted. Under the lock, so that whoever waits for it
  /// hears of it first.
  private func settle(_ number: UInt32, _ outcome: (PendingUtterances.Utterance) -> [RecognitionEvent]) {
    let broken: SpeechServiceProcess? = lock.withLock {
      switch pending.settle(number) {
      case .unwanted: return nil
      case .early: return service
      case .settled(let utterance):
        for event in outcome(utterance) { post(event) }
        answer()
        return nil
      }
    }
    if let broken { return broken.kill() }
    endIfDone()
  }

  /// Tells those that wait for utterances of which none is left. With `lock` locked.
  private func answer() {
    // Utterances that an error took away have no result: who waits for them hears of the error, and not before
    // it that all is well.
    guard !isOver else { return }
    for token in pending.answered() { post(.flushed(token)) }
  }

  /// The service has died: the utterance that it was at is tried again, and given up after some deaths.
  private func lost(_ service: SpeechServiceProcess) {
    let isNeeded: Bool? = lock.withLock {
      guard self.service === service, !isOver else { return nil }
      self.service = nil
      if let given = pending.fail(after: SpeechServicePool.attempts) {
        post(.failure(samples: given.audio.range, reason: "the speech service died"))
      }
      answer()
      return !pending.isEmpty
    }
    guard let isNeeded else { return }
    endIfDone()
    if isNeeded { intakeQueue.async { self.withService { _ in } } }
  }

  // MARK: Anywhere

  private func endIfDone() {
    if lock.withLock({ isFed && pending.isEmpty }) {
      post(.processed(seconds(taken)))
      end(nil)
    }
  }

  private func end(_ error: (any Error)?) {
    if stop() { post(.ended(error.map(RecognitionError.error(for:)))) }
  }

  /// Ends the work; false if that was done already. A service that is to be kept goes back to the pool.
  @discardableResult private func stop() -> Bool {
    lock.lock()
    let isFirst = !isOver
    isOver = true
    isFinishing = true
    let service = service
    self.service = nil
    let isWanted = service != nil && retention != .none
    if isWanted { unansweredConfigurations += 1 }
    isReturning = isReturning || isWanted
    pending.dropAll()
    lock.unlock()
    if let service, isWanted {
      intakeQueue.async { self.handBack(service) }
    } else {
      service?.kill()
      leavePool()
    }
    return isFirst
  }

  /// Has a service forget what it knows of the voice. Its answer is the last that it gives here; what comes
  /// before is nobody's any more.
  private func handBack(_ service: SpeechServiceProcess) {
    do {
      try service.channel.send(ServiceRequest.abandon)
      try service.askFor(lock.withLock { configuration })
    } catch {
      service.kill()
    }
  }

  /// Is no stream of the pool any more, once it is over.
  private func leavePool() {
    let isLeaving = lock.withLock {
      guard isOver, isCounted else { return false }
      isCounted = false
      return true
    }
    if isLeaving { pool.endStream(retention) }
  }

  private func post(_ event: RecognitionEvent) { events.async { self.emit(event) } }

  private func seconds(_ samples: Int) -> TimeInterval {
    Double(samples) / Double(SpeechSegmenter.sampleRate)
  }
}
