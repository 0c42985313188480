import Foundation
import RecognitionProtocol

/// Recognizes audio that needs no results before they are final. Several services decode whole utterances, each on its own or
/// several in a window, as the recognizer does it best. Results come in the order of the audio, whatever the order of
/// decoding.
///
/// `@unchecked Sendable`: `condition` guards everything that changes, but for what only the intake's queue
/// uses. It is not a `Mutex`, because the workers' threads wait on it.
package final class UtteranceRecognition: AudioRecognition, @unchecked Sendable {
  private typealias Job = UtteranceJob

  private enum Phase {
    case open
    /// No more audio comes. The recognition ends with the error when all jobs are done.
    case audioEnded((any Error)?)
    case over
  }

  package let intake: RecognitionIntake
  private let pool: SpeechServicePool
  private let retention: SpeechServicePool.Retention
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.utterances.events")

  // Only on the intake's queue.
  private var assembler = UtteranceAssembler()
  private var classifier: (any UtteranceClassifier)?
  private var packer: WindowPacker
  private var configuration: ServiceConfiguration

  /// The sample from which the language may change.
  private let languagesFrom: Int

  private let condition = NSCondition()
  /// Nil if the language is not detected.
  private var tracker: LanguageTracker?
  /// Whether what was reported begins with the language that was detected first.
  private var hasFirstLanguage: Bool
  private var jobs: [Job] = []
  private var lastID = 0
  private var windowCount: UInt32 = 0
  private var busy: [ObjectIdentifier: SpeechServiceProcess] = [:]
  /// Before this sample of the audio all speech has become a job.
  private var reached = 0
  private var processed = 0
  private var phase = Phase.open

  package init(
    configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    retention: SpeechServicePool.Retention = .lingering,
    detection: SpeechDetection = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    (self.configuration, self.pool, self.retention, self.emit) = (configuration, pool, retention, emit)
    let words = configuration.model.recognizer.words
    intake = RecognitionIntake(detection.cutter(for: words))
    classifier = detection.classifier(for: words)
    packer = WindowPacker(maxLength: detection.packsWindows ? configuration.maxWindow : nil)
    languagesFrom = detection.languages?.start ?? 0
    hasFirstLanguage = detection.languages?.isKnown != false
    tracker = detection.languages.map {
      LanguageTracker(configuration.locale, isKnown: $0.isKnown, isLive: !detection.packsWindows)
    }
  }

  package func start() {
    pool.beginUse()
    // The model loads while the first words are spoken.
    intake.queue.async { self.condition.withLock { self.add(.preparation) } }
    // Threads, because exchanging messages with a service blocks.
    for _ in 0..<pool.capacity {
      let thread = Thread { self.work() }
      thread.stackSize = 2 << 20
      thread.start()
    }
  }

  package func cancel() {
    condition.withLock { end() }
    // A service that decodes an unwanted utterance gives the processor back now.
    for service in services { service.channel.shutDown() }
  }

  /// The services that decode right now.
  var services: [SpeechServiceProcess] { condition.withLock { Array(busy.values) } }

  /// Waits until there is room for more audio; false if no more is wanted.
  func waitForRoom() -> Bool {
    intake.queue.sync {}
    return condition.withLock {
      while jobs.count(where: \.status.isWaiting) >= 2 * pool.capacity, !isOver { condition.wait() }
      return !isOver
    }
  }

  // MARK: On the intake's queue

  package func take(_ event: IntakeEvent) {
    switch event {
    case .audio(let actions, let reached): add(actions, reached: reached)
    case .flush(let token):
      condition.withLock {
        add(packer.finish())
        add(.flush(token: token), status: .done)
        deliver()
      }
    case .drop(let position):
      condition.withLock {
        add(packer.finish())
        for index in jobs.indices {
          guard let window = jobs[index].window, window.range.upperBound <= position else { continue }
          jobs[index].status = .done
        }
        condition.broadcast()
        deliver()
      }
    case .reconfigure(let wanted):
      condition.withLock { add(packer.finish()) }
      configuration = wanted
    case .ended(let position, nil): endAudio(at: position)
    case .ended(_, let error?), .failed(let error): endAudio(error)
    }
  }

  private func add(_ actions: [SpeechSegmenter.Action], reached position: Int) {
    let utterances = actions.flatMap { assembler.take($0) }.map { audio in
      DecodingWindow.Part(audio: audio, nonspeech: classifier?.nonspeech(in: audio)).evened()
    }
    let position = assembler.start ?? position
    let windows = utterances.flatMap { packer.take($0) } + packer.reach(position)
    condition.withLock {
      add(windows)
      reached = max(reached, packer.start ?? position)
      deliver()
    }
  }

  /// - Parameter position: the number of samples in all; nil if the audio could not be read to its end.
  private func endAudio(_ error: (any Error)? = nil, at position: Int? = nil) {
    condition.withLock {
      guard case .open = phase else { return }
      add(packer.finish())
      reached = max(reached, position ?? 0)
      phase = .audioEnded(error)
      post(.audioEnded)
      deliver()
    }
  }

  private func add(_ windows: [DecodingWindow]) {
    for window in windows {
      add(.decoding(window, number: windowCount))
      windowCount &+= 1
    }
  }

  private func add(_ work: Job.Work, status: Job.Status = .waiting) {
    lastID += 1
    jobs.append(Job(id: lastID, work: work, configuration: configuration, status: status))
    condition.broadcast()
  }

  // MARK: On the workers' threads

  private func work() {
    while let job = nextJob() {
      do {
        let outcome = try outcome(of: job)
        condition.withLock {
          if let index = jobs.firstIndex(where: { $0.id == job.id }), case .inWork = jobs[index].status {
            jobs[index].status = outcome
          }
          deliver()
        }
      } catch {
        // A second try would not help: no service, no model, or cancelled.
        condition.withLock {
          guard !isOver else { return }
          post(.ended(error))
          end()
        }
      }
    }
  }

  private func nextJob() -> Job? {
    condition.withLock {
      while !isOver {
        if let index = nextIndex {
          jobs[index].status = .inWork
          condition.broadcast()
          var job = jobs[index]
          job.languages = job.languages ?? tracker?.usual
          return job
        }
        condition.wait()
      }
      return nil
    }
  }

  private func outcome(of job: Job) throws -> Job.Status {
    do {
      return try pool.repeating(isCancelled: { self.isCancelled }) {
        try outcome(of: job, by: job.configuration)
      }
    } catch SpeechServiceFailure.interrupted(let cause) where job.window != nil {
      return .failed(cause)
    }
  }

  private func outcome(of job: Job, by configuration: ServiceConfiguration) throws -> Job.Status {
    guard case .decoding(let window, let number) = job.work else {
      return try pool.withService(configuration, isCancelled: { self.isCancelled }) { _ in .done }
    }
    let recognition = WindowRecognition(configuration) { samples, request, other in
      // What another recognizer adds is asked for again by itself: the window is not decoded again.
      let attempts = other.model == configuration.model ? 1 : SpeechServicePool.attempts
      return try self.decode(samples, number, request, by: other, attempts: attempts)
    }
    return try recognition.outcome(of: window, in: job.languages)
  }

  private func decode(
    _ samples: [Int16], _ number: UInt32, _ request: ServiceRequest,
    by configuration: ServiceConfiguration, attempts: Int
  ) throws -> [ServiceHypothesis] {
    do {
      return try pool.withService(configuration, isCancelled: { self.isCancelled }) { service in
        try hold(service)
        defer { letGo(service) }
        return try service.decode(samples, utterance: number, request)
      }
    } catch SpeechServiceFailure.interrupted where attempts > 1 && !isCancelled {
      try pool.checkSilence()
      return try decode(samples, number, request, by: configuration, attempts: attempts - 1)
    }
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

  private var isOver: Bool { if case .over = phase { true } else { false } }

  /// The first job that waits. While the first service loads its model, that is the second one: the first is decoded as
  /// soon by the service that loads, and audio with a single utterance needs no other.
  private var nextIndex: Int? {
    let waiting = jobs.indices.filter { jobs[$0].status.isWaiting }
    return jobs.first?.isPreparing == true ? waiting.dropFirst().first : waiting.first
  }

  /// Takes what the next windows sound like, in the order of the audio, and decides about their languages. A window that was
  /// decoded in another language is decoded again.
  private func track() {
    guard tracker != nil else { return }
    for index in jobs.indices where !jobs[index].isTracked {
      switch (jobs[index].work, jobs[index].status) {
      case (.preparation, _): continue
      case (.decoding, .waiting), (.decoding, .inWork): return
      case (.flush, _): decide(tracker?.finish())
      case (.decoding(let window, _), _) where window.range.lowerBound < languagesFrom:
        jobs[index].languages = tracker.map { .whole($0.language) }
      case (.decoding(let window, _), .recognized(_, _, let heard)):
        if let comparison = tracker?.comparison(of: heard, parts: window.parts.count) {
          (jobs[index].languages, jobs[index].status) = (comparison, .waiting)
          return condition.broadcast()
        }
        jobs[index].languages = nil
        decide(tracker?.take(heard), through: index)
      case (.decoding, _): decide(tracker?.take(nil), through: index)
      }
      jobs[index].isTracked = true
    }
    if case .audioEnded = phase { decide(tracker?.finish()) }
  }

  /// - Parameter index: the last job that the tracker has taken; nil for the last one that is marked so.
  private func decide(_ decisions: [LanguageTracker.Decision]?, through last: Int? = nil) {
    var rest = (decisions ?? [])[...]
    for index in jobs.indices where jobs[index].isTracked || index == last {
      guard jobs[index].window != nil, jobs[index].languages == nil, let next = rest.popFirst() else {
        continue
      }
      jobs[index].languages = next
      guard case .recognized(_, let languages, _) = jobs[index].status, languages != next else { continue }
      jobs[index].status = .waiting
      condition.broadcast()
    }
  }

  /// Reports the outcomes of the first jobs.
  private func deliver() {
    track()
    reporting: while !isOver, let job = jobs.first {
      if tracker != nil, job.window != nil, job.languages == nil { break reporting }
      switch (job.work, job.status) {
      case (_, .waiting), (_, .inWork): break reporting
      case (_, .recognized(let utterances, _, _)): for utterance in utterances { report(utterance) }
      case (.decoding(let window, _), .failed(let reason)):
        for part in window.parts { post(.failure(samples: part.audio.range, reason: reason)) }
      case (.flush(let token), _): post(.flushed(token))
      default: break
      }
      jobs.removeFirst()
    }
    guard !isOver else { return }
    if tracker != nil {
      let open = jobs.lazy.filter { $0.status.isOpen }.compactMap(\.window).first
      post(.decoded(Double(open?.range.lowerBound ?? reached) / Double(SpeechSegmenter.sampleRate)))
    }
    let position = jobs.lazy.compactMap(\.window).first?.range.lowerBound ?? reached
    if position > processed {
      processed = position
      post(.processed(Double(position) / Double(SpeechSegmenter.sampleRate)))
    }
    guard case .audioEnded(let error) = phase, jobs.isEmpty else { return }
    post(.ended(error))
    end()
  }

  /// Only the first words say how likely the language is that was detected first.
  private func report(_ utterance: RecognizedUtterance) {
    var utterance = utterance
    if hasFirstLanguage { utterance.languageProbability = nil }
    hasFirstLanguage = hasFirstLanguage || !utterance.candidates.isEmpty
    post(.utterance(utterance))
  }

  private func end() {
    guard !isOver else { return }
    phase = .over
    jobs = []
    condition.broadcast()
    // Not under the lock: the pool asks for it while it holds its own.
    events.async { self.pool.endUse(self.retention) }
  }

  private func post(_ event: RecognitionEvent) { events.async { self.emit(event) } }
}
