import Foundation
import SpeechServiceProtocol

/// Recognizes audio that needs no results before they are final. Several services decode whole utterances,
/// each on its own. Results come in the order of the audio, whatever the order of decoding.
///
/// `@unchecked Sendable`: `condition` guards everything that changes, but for what only the intake's queue
/// uses. It is not a `Mutex`, because the workers' threads wait on it.
final class UtteranceRecognition: AudioRecognition, @unchecked Sendable {
  private typealias Job = UtteranceJob

  private enum Phase {
    case open
    /// No more audio comes. The recognition ends with the error when all jobs are done.
    case audioEnded((any Error)?)
    case over
  }

  let intake: RecognitionIntake
  private let pool: SpeechServicePool
  private let retention: SpeechServicePool.Retention
  private let emit: @Sendable (RecognitionEvent) -> Void
  private let events = DispatchQueue(label: "speech.utterances.events")

  // Only on the intake's queue.
  private var assembler = UtteranceAssembler()
  private var classifier: SpeechClassifier?
  private var configuration: ServiceConfiguration

  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var lastID = 0
  private var utteranceCount: UInt32 = 0
  private var busy: [ObjectIdentifier: SpeechServiceProcess] = [:]
  /// Before this sample of the audio all speech has become a job.
  private var reached = 0
  /// What is known of the voice; nil if the model is not adapted.
  private var voice: VoiceMemory?
  private var processed = 0
  private var phase = Phase.open

  init(
    configuration: ServiceConfiguration, pool: SpeechServicePool = .shared,
    retention: SpeechServicePool.Retention = .lingering,
    detection: SpeechDetection = .init(),
    emit: @escaping @Sendable (RecognitionEvent) -> Void
  ) {
    // Only the embedded recognizer adapts its model.
    voice = configuration.adapts && configuration.model == nil ? VoiceMemory() : nil
    self.configuration = configuration
    self.pool = pool
    self.retention = retention
    self.emit = emit
    intake = RecognitionIntake(detection.segmentation)
    classifier = detection.classifier(for: configuration.origin)
  }

  func start() {
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

  func cancel() {
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
      while jobs.count(where: { $0.status.isWaiting || $0.status.isToBeLearned }) >= 2 * pool.capacity,
        !isOver, !needsMoreAudio
      { condition.wait() }
      return !isOver
    }
  }

  // MARK: On the intake's queue

  func take(_ event: IntakeEvent) {
    switch event {
    case .audio(let actions, let reached): add(actions, reached: reached)
    case .flush(let token):
      condition.withLock {
        add(.flush(token: token), status: .done)
        deliver()
      }
    case .drop(let position):
      condition.withLock {
        for index in jobs.indices {
          guard let audio = jobs[index].utterance, audio.range.upperBound <= position else { continue }
          jobs[index].status = .done
        }
        condition.broadcast()
        deliver()
      }
    case .reconfigure(let wanted): configuration = wanted
    case .ended(let position, nil): endAudio(at: position)
    case .ended(_, let error?), .failed(let error): endAudio(error)
    }
  }

  private func add(_ actions: [SpeechSegmenter.Action], reached position: Int) {
    let utterances = actions.flatMap { assembler.take($0) }.map { ($0, classifier?.nonspeech(in: $0)) }
    let position = assembler.start ?? position
    condition.withLock {
      for (audio, nonspeech) in utterances {
        let isLearned = voice != nil && VoiceMemory.wants(audio.range)
        add(
          .utterance(audio, number: utteranceCount, nonspeech: nonspeech),
          status: isLearned ? .unlearned : .waiting)
        utteranceCount &+= 1
      }
      reached = max(reached, position)
      condition.broadcast()
      deliver()
    }
  }

  /// - Parameter position: the number of samples in all; nil if the audio could not be read to its end.
  private func endAudio(_ error: (any Error)? = nil, at position: Int? = nil) {
    condition.withLock {
      guard case .open = phase else { return }
      reached = max(reached, position ?? 0)
      phase = .audioEnded(error)
      condition.broadcast()
      post(.audioEnded)
      deliver()
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
        if case .learning = job.status {
          try learn(from: job)
          continue
        }
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
          post(.ended(RecognitionError.error(for: error)))
          end()
        }
      }
    }
  }

  private func nextJob() -> Job? {
    condition.withLock {
      while !isOver {
        if let index = nextIndex {
          if jobs[index].status.isUnlearned {
            jobs[index].status = .learning
          } else {
            jobs[index].status = .inWork
            if let range = jobs[index].utterance?.range {
              jobs[index].voice = voice?.statistics(at: range) ?? .init()
            }
          }
          condition.broadcast()
          return jobs[index]
        }
        condition.wait()
      }
      return nil
    }
  }

  /// Learns of the voice from an utterance. If that fails, it is decoded with what the others tell.
  private func learn(from job: Job) throws {
    guard case .utterance(let audio, let number, _) = job.work else { return }
    var learned = AdaptationStatistics()
    do {
      learned = try withAttempts {
        try withService(job.configuration) { try $0.learn(audio.samples, utterance: number) }
      }
    } catch SpeechServiceFailure.interrupted {}
    condition.withLock {
      voice?.add(learned, of: audio.range)
      if let index = jobs.firstIndex(where: { $0.id == job.id }), case .learning = jobs[index].status {
        jobs[index].status = .waiting
      }
      condition.broadcast()
    }
  }

  private func outcome(of job: Job) throws -> Job.Status {
    do {
      return try withAttempts { try outcome(of: job, by: job.configuration) }
    } catch SpeechServiceFailure.interrupted(let cause) where job.utterance != nil {
      return .failed(cause)
    }
  }

  /// Tries something again, with another service, where a service dies or hangs.
  /// - Throws: `SpeechServiceFailure.interrupted` after the last attempt.
  private func withAttempts<Result>(_ work: () throws -> Result) throws -> Result {
    var last = SpeechServiceFailure.cancelled
    for _ in 0..<SpeechServicePool.attempts {
      do {
        try pool.checkSilence()
        return try work()
      } catch SpeechServiceFailure.interrupted(let cause) {
        if isCancelled { throw SpeechServiceFailure.cancelled }
        last = .interrupted(cause)
      }
    }
    throw last
  }

  private func outcome(of job: Job, by configuration: ServiceConfiguration) throws -> Job.Status {
    guard case .utterance(let audio, let number, let nonspeech) = job.work else {
      return try pool.withService(configuration, isCancelled: { self.isCancelled }) { _ in .done }
    }
    let utterance = RecognizedUtterance(
      audio: audio, hypotheses: try decode(audio, number, by: configuration, job.voice), nonspeech: nonspeech,
      of: configuration.origin)
    guard let second = configuration.forSecondTry else { return .recognized(utterance) }
    return .recognized(utterance.withSecondTry { try decode($0, number, by: second) })
  }

  private func decode(
    _ audio: UtteranceAudio, _ number: UInt32, by configuration: ServiceConfiguration,
    _ voice: AdaptationStatistics = .init()
  ) throws -> [ServiceHypothesis] {
    try withService(configuration) { try $0.decode(audio.samples, utterance: number, voice: voice) }
  }

  private func withService<Result>(
    _ configuration: ServiceConfiguration, _ work: (SpeechServiceProcess) throws -> Result
  ) throws -> Result {
    try pool.withService(configuration, isCancelled: { self.isCancelled }) { service in
      try hold(service)
      defer { letGo(service) }
      return try work(service)
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

  /// The first job that is ready, or else the first whose voice is to be learned. While the first service loads its model, that is the second one: the first is decoded as
  /// soon by the service that loads, and audio with a single utterance needs no other.
  private var nextIndex: Int? {
    let unlearned = jobs.indices.filter { jobs[$0].status.isUnlearned }
    let waiting = jobs.indices.filter { jobs[$0].status.isWaiting && isReady(at: $0) } + unlearned
    return jobs.first?.isPreparing == true ? waiting.dropFirst().first : waiting.first
  }

  /// Whether everything is known of the voice that the job at an index must know. That is the same whatever the number of
  /// services and their speed.
  private func isReady(at index: Int) -> Bool {
    guard voice != nil, let audio = jobs[index].utterance else { return true }
    let end = audio.range.upperBound + VoiceMemory.lookahead
    // Behind a flush, the audio after it is not waited for.
    let isFlushed = jobs[index...].contains { if case .flush = $0.work { true } else { false } }
    guard reached >= end || isFlushed || hasAudioEnded else { return false }
    return !jobs.contains { $0.status.isToBeLearned && ($0.utterance.map { $0.start < end } ?? false) }
  }

  private var hasAudioEnded: Bool { if case .open = phase { false } else { true } }

  /// Whether the first job that waits, waits for audio.
  private var needsMoreAudio: Bool {
    guard voice != nil, let first = jobs.lazy.filter({ $0.status.isWaiting }).compactMap(\.utterance).first
    else { return false }
    return reached < first.range.upperBound + VoiceMemory.lookahead
  }

  /// Reports the outcomes of the first jobs.
  private func deliver() {
    reporting: while !isOver, let job = jobs.first {
      switch (job.work, job.status) {
      case (_, .unlearned), (_, .learning), (_, .waiting), (_, .inWork): break reporting
      case (_, .recognized(let utterance)): post(.utterance(utterance))
      case (.utterance(let audio, _, _), .failed(let reason)):
        post(.failure(samples: audio.range, reason: reason))
      case (.flush(let token), _): post(.flushed(token))
      default: break
      }
      jobs.removeFirst()
      if let start = job.utterance?.start { voice?.forget(before: start) }
    }
    guard !isOver else { return }
    let position = jobs.lazy.compactMap(\.utterance).first?.start ?? reached
    if position > processed {
      processed = position
      post(.processed(Double(position) / Double(SpeechSegmenter.sampleRate)))
    }
    guard case .audioEnded(let error) = phase, jobs.isEmpty else { return }
    post(.ended(error))
    end()
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
