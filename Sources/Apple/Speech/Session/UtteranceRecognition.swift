import AVFAudio
import SpeechServiceProtocol

/// Recognizes audio that need not be heard before it is final: it is cut at its pauses into whole utterances,
/// several services decode them, each utterance on its own, and the results come in the order of the audio
/// whatever the order they were decoded in.
///
/// `@unchecked Sendable`: `condition` guards everything that changes, but for what only `intakeQueue` touches.
final class UtteranceRecognition: AnalysisRecognizer, @unchecked Sendable {
  /// What is done, and told in the order of the audio.
  private struct Job {
    enum Work {
      /// To have a service whose model is loaded: the first job of all.
      case preparation
      /// To tell that everything before has its result.
      case flush(token: Int)
      case utterance(UtteranceAudio, number: UInt32, nonspeech: [Range<Int>]?)
    }

    enum Outcome {
      case done
      case decoded([ServiceHypothesis])
      case failed(String)
      case unwanted
    }

    let id: Int
    let work: Work
    let configuration: ServiceConfiguration
    var isTaken = false
    var outcome: Outcome?

    var utterance: UtteranceAudio? {
      if case .utterance(let utterance, _, _) = work { utterance } else { nil }
    }
  }

  private let pool: SpeechServicePool
  private let retention: SpeechServicePool.Retention
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.utterances.events")
  private let intakeQueue = DispatchQueue(label: "speech.utterances.intake")

  // Only on `intakeQueue`.
  private var segmenter: SpeechSegmenter
  private var assembler = UtteranceAssembler()
  private var judge: SpeechClassifier?
  private var configuration: ServiceConfiguration

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var lastID = 0
  private var utteranceCount: UInt32 = 0
  private var busy: [ObjectIdentifier: SpeechServiceProcess] = [:]
  /// Before this sample of the audio all speech has become a job.
  private var reached = 0
  private var processed = 0
  private var isFed = false
  private var isOver = false
  private var problem: (any Error)?

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
    pool.beginUse()
    // The model loads while the first words are spoken.
    intakeQueue.async { self.condition.withLock { self.add(.preparation) } }
    for _ in 0..<pool.capacity {
      let thread = Thread { self.work() }
      thread.stackSize = 2 << 20
      thread.start()
    }
  }

  func append(_ samples: [Int16]) {
    intakeQueue.async { self.forward(self.segmenter.process(samples)) }
  }

  func flush(_ token: Int, isLast: Bool) {
    intakeQueue.async {
      self.forward(isLast ? self.segmenter.finish() : self.segmenter.flush())
      self.condition.withLock {
        self.add(.flush(token: token))
        self.deliver()
      }
    }
  }

  func skip(to place: Int) {
    intakeQueue.async {
      self.forward(self.segmenter.finish())
      self.segmenter.skip(to: place)
    }
  }

  func drop(before place: Int) {
    intakeQueue.async {
      self.condition.withLock {
        for index in self.jobs.indices {
          guard let utterance = self.jobs[index].utterance, utterance.range.upperBound <= place else {
            continue
          }
          self.jobs[index].isTaken = true
          self.jobs[index].outcome = .unwanted
        }
        self.deliver()
      }
    }
  }

  func reconfigure(_ wanted: ServiceConfiguration) { intakeQueue.async { self.configuration = wanted } }

  func finish() { finish(throwing: nil) }

  /// Takes no more audio; what was taken is still recognized, and then the recognition ends with `error`.
  func finish(throwing error: (any Error)?) {
    intakeQueue.async {
      self.forward(self.segmenter.finish())
      self.condition.withLock {
        guard !self.isFed else { return }
        self.isFed = true
        self.problem = error
        self.post(.audioEnded)
        self.deliver()
      }
    }
  }

  func cancel() {
    condition.withLock { end() }
    // Whoever decodes an utterance that nobody wants any more gives the processor back now.
    for service in services { service.channel.shutDown() }
  }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] { condition.withLock { Array(busy.values) } }

  /// Waits until there is room for more audio; false if none is wanted any more.
  func waitForRoom() -> Bool {
    intakeQueue.sync {}
    return condition.withLock {
      while jobs.count(where: { !$0.isTaken }) >= 2 * pool.capacity, !isOver { condition.wait() }
      return !isOver
    }
  }

  // MARK: On `intakeQueue`

  private func forward(_ actions: [SpeechSegmenter.Action]) {
    let utterances = actions.flatMap { assembler.take($0) }.map { ($0, judge?.nonspeech(in: $0)) }
    let place = assembler.start ?? segmenter.reached
    condition.withLock {
      for (utterance, nonspeech) in utterances {
        add(.utterance(utterance, number: utteranceCount, nonspeech: nonspeech))
        utteranceCount &+= 1
      }
      reached = max(reached, place)
      deliver()
    }
  }

  private func add(_ work: Job.Work) {
    lastID += 1
    var job = Job(id: lastID, work: work, configuration: configuration)
    if case .flush = work {
      job.isTaken = true
      job.outcome = .done
    }
    jobs.append(job)
    condition.broadcast()
  }

  // MARK: On the workers' threads

  private func work() {
    while let job = nextJob() {
      do {
        let outcome = try outcome(of: job)
        condition.withLock {
          if let index = jobs.firstIndex(where: { $0.id == job.id }), jobs[index].outcome == nil {
            jobs[index].outcome = outcome
          }
          deliver()
        }
      } catch {
        // Nothing that a second try would mend: no service, no model, or not wanted any more.
        condition.withLock {
          guard !isOver else { return }
          post(.ended(RecognitionError.error(for: error)))
          end()
        }
      }
    }
  }

  private func nextJob() -> Job? {
    condition.withLock {
      while !isOver {
        if let index = jobs.firstIndex(where: { !$0.isTaken }) {
          jobs[index].isTaken = true
          condition.broadcast()
          return jobs[index]
        }
        condition.wait()
      }
      return nil
    }
  }

  private func outcome(of job: Job) throws -> Job.Outcome {
    var last = SpeechServiceFailure.cancelled
    for _ in 0..<SpeechServicePool.attempts {
      do {
        return try pool.withService(job.configuration, isCancelled: { self.isCancelled }) { service in
          guard case .utterance(let utterance, let number, _) = job.work else { return .done }
          try hold(service)
          defer { letGo(service) }
          return .decoded(try service.decode(utterance.samples, utterance: number))
        }
      } catch SpeechServiceFailure.interrupted(let cause) {
        if isCancelled { throw SpeechServiceFailure.cancelled }
        last = .interrupted(cause)
      }
    }
    guard case .interrupted(let cause) = last, job.utterance != nil else { throw last }
    return .failed(cause)
  }

  private var isCancelled: Bool { condition.withLock { isOver } }

  private func hold(_ service: SpeechServiceProcess) throws {
    try condition.withLock {
      guard !isOver else { throw SpeechServiceFailure.cancelled }
      busy[ObjectIdentifier(service)] = service
    }
  }

  private func letGo(_ service: SpeechServiceProcess) {
    condition.withLock { busy[ObjectIdentifier(service)] = nil }
  }

  // MARK: With `condition` locked

  /// Tells what has become of the first jobs.
  private func deliver() {
    while !isOver, let job = jobs.first, let outcome = job.outcome {
      jobs.removeFirst()
      switch (job.work, outcome) {
      case (.utterance(let audio, _, let nonspeech), .decoded(let hypotheses)):
        post(.utterance(RecognizedUtterance(audio: audio, hypotheses: hypotheses, nonspeech: nonspeech)))
      case (.utterance(let audio, _, _), .failed(let reason)):
        post(.failure(samples: audio.range, reason: reason))
      case (.flush(let token), _):
        post(.flushed(token))
      default: break
      }
    }
    guard !isOver else { return }
    let place = jobs.lazy.compactMap(\.utterance).first?.start ?? reached
    if place > processed {
      processed = place
      post(.processed(Double(place) / Double(SpeechSegmenter.sampleRate)))
    }
    guard isFed, jobs.isEmpty else { return }
    post(.ended(problem))
    end()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    jobs = []
    condition.broadcast()
    // Not under the lock, which the pool asks for while it holds its own.
    events.async { self.pool.endUse(self.retention) }
  }

  private func post(_ event: RecognitionEvent) { events.async { self.emit(event) } }
}
