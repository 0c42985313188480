import AVFAudio
import Foundation
import Speech

/// The effects around `RollingStateMachine`: reads the recording, runs the task that the machine wants, and tells what
/// it hears.
actor RollingSession {
  private typealias Final = (start: TimeInterval, end: TimeInterval, candidates: [Candidate])

  private let audio: RecordingAudio
  private let options: FileTranscriber.Options
  private let reportsPartials: Bool
  private let pace: RollingEngine.Pace
  private let emit: @Sendable (TranscriptionEvent) -> Void
  private nonisolated(unsafe) let recognizer: SFSpeechRecognizer
  private let clock = ContinuousClock()
  private let beginning: ContinuousClock.Instant

  private var machine: RollingStateMachine
  private var silence: SilenceDetector
  /// The detector as it was where the task begins, so that a task that begins again is cut at the same places.
  private var silenceAtStart: [Int64: SilenceDetector] = [:]
  private var number = 0
  private var request: SFSpeechAudioBufferRecognitionRequest?
  private var task: (running: SFSpeechRecognitionTask, delegate: RollingTask, start: TimeInterval)?
  private var reader: Task<Void, Never>?
  /// What the task that ends and the next one both hear.
  private var overlap: ClosedRange<TimeInterval>?
  /// What was said last before a seam; waits for what comes after it.
  private var held: Final?
  /// The sound that goes on.
  private var sound: ClosedRange<TimeInterval>?
  /// Where what tasks told ends.
  private var told = 0.0
  private var completion: CheckedContinuation<Void, any Error>?

  init(
    _ audio: RecordingAudio, from start: TimeInterval, recognizer: SFSpeechRecognizer,
    options: FileTranscriber.Options, reportsPartials: Bool, pace: RollingEngine.Pace,
    emit: @escaping @Sendable (TranscriptionEvent) -> Void
  ) {
    self.audio = audio
    self.options = options
    self.reportsPartials = reportsPartials
    self.pace = pace
    self.emit = emit
    self.recognizer = recognizer
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    recognizer.queue = queue
    beginning = clock.now
    machine = RollingStateMachine(start: start, limits: pace.limits, now: 0)
    silence = SilenceDetector(sampleRate: audio.format.sampleRate)
  }

  /// Listens until the recording has ended.
  /// - Throws: `TranscriptionError`, `CancellationError`.
  func run() async throws {
    let ticks = Task { [pace] in
      while !Task.isCancelled {
        self.tick()
        try? await Task.sleep(for: .seconds(pace.tick))
      }
    }
    defer { ticks.cancel() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { completion = $0 }
    } onCancel: {
      Task { await self.end(throwing: CancellationError()) }
    }
  }

  private var now: TimeInterval { (clock.now - beginning) / .seconds(1) }

  private func tick() {
    if completion != nil { perform(machine.tick(now: now)) }
  }

  private func perform(_ actions: [RollingStateMachine.Action]) {
    for action in actions {
      switch action {
      case .begin(let start): begin(at: start)
      case .endSound: request?.endAudio()
      case .cancel: leaveTask()
      case .seam(let stretch): overlap = stretch
      case .processed(let time):
        // What waits at a seam has not been told yet.
        if held == nil { emit(.processed(time)) }
      case .restarted(let time, let why): emit(.restarted(time, why))
      case .failed(let stretch, let why):
        release()
        emit(.failed(stretch, why))
      case .finish: end(throwing: nil)
      case .giveUp(let why): end(throwing: TranscriptionError.recognizerFailed(why))
      }
    }
  }

  // MARK: A task

  private func begin(at start: TimeInterval) {
    leaveTask()
    number += 1
    let number = number
    let request = SFSpeechAudioBufferRecognitionRequest()
    request.shouldReportPartialResults = reportsPartials
    request.requiresOnDeviceRecognition = true
    request.customizedLanguageModel = options.languageModel?.configuration
    // Callbacks come one after the other; so must what is made of them.
    let (news, continuation) = AsyncStream.makeStream(of: RollingTask.News.self)
    let delegate = RollingTask { continuation.yield($0) }
    Task { for await news in news where self.receive(news, of: number) { return } }
    self.request = request
    task = (recognizer.recognitionTask(with: request, delegate: delegate), delegate, start)
    let place = Int64((start * Double(audio.format.sampleRate)).rounded())
    silence = silenceAtStart[place] ?? silence
    silenceAtStart = [place: silence]
    reader = Task {
      do {
        for try await sound in audio.pieces(from: place) where try !self.take(sound, of: number) { return }
        self.soundEnded(number)
      } catch {
        if !Task.isCancelled { self.end(throwing: error) }
      }
    }
  }

  private func leaveTask() {
    number += 1
    reader?.cancel()
    detect(nil)
    task?.running.cancel()
    (request, task) = (nil, nil)
  }

  /// - Returns: whether more is wanted.
  private func take(_ sound: AudioChunk, of number: Int) throws -> Bool {
    guard number == self.number, machine.isListening, let request else { return false }
    request.append(try sound.buffer())
    let hasSound = silence.take(sound.mean)
    detect(hasSound ? audio.format.seconds(sound.start)...sound.end : nil)
    silenceAtStart[sound.start + sound.frames] = silence
    perform(machine.took(through: sound.end, hasSound: hasSound, quiet: silence.quiet, now: now))
    return number == self.number && machine.isListening
  }

  /// Tells of sound once it ends.
  private func detect(_ piece: ClosedRange<TimeInterval>?) {
    if let piece {
      sound = (sound?.lowerBound ?? piece.lowerBound)...piece.upperBound
    } else if let sound {
      emit(.detected(sound, "sound"))
      self.sound = nil
    }
  }

  private func soundEnded(_ number: Int) {
    if number == self.number { perform(machine.soundEnded(now: now)) }
  }

  /// - Returns: whether nothing more is wanted of that task.
  private func receive(_ news: RollingTask.News, of number: Int) -> Bool {
    guard number == self.number, let task else { return true }
    switch news {
    case .partial(let candidate):
      machine.news(now: now)
      let words = candidate.shifted(by: task.start).words
      guard reportsPartials, let first = words.first, let last = words.last else { return false }
      emit(.partial(.init(start: first.start, end: last.end, text: candidate.text)))
    case .final(let candidates):
      let shifted = candidates.prefix(max(1, options.alternatives)).map { $0.shifted(by: task.start) }
      guard case .final(let start, let end, let all, _) = TranscriptionEvent.final(shifted) else {
        return false
      }
      hear((start, end, all))
      told = max(told, end)
      machine.told(through: end, now: now)
    case .processed(let duration):
      machine.news(now: now)
      emit(.progress(task.start + duration))
    case .ended(let error):
      ended(error, start: task.start)
      return true
    }
    return false
  }

  private func ended(_ error: (any Error)?, start: TimeInterval) {
    let meaning = error.map(RecognitionTaskError.meaning)
    let isAll = if case .parts? = meaning { true } else { false }
    for part in (error as NSError?)?.allFailedStretches ?? [] {
      // What was not told yet is heard again, unless all the rest was told.
      guard isAll || part.lowerBound + start < told else { continue }
      let why = error?.localizedDescription ?? ""
      emit(.failed(part.lowerBound + start...part.upperBound + start, why))
    }
    switch meaning {
    case nil, .parts: perform(machine.ended(.finished, now: now))
    case .nothingSaid: perform(machine.ended(.nothingSaid, now: now))
    case .again(let why): perform(machine.ended(.failed(why), now: now))
    case .hopeless(let why): perform(machine.ended(.hopeless(why), now: now))
    }
  }

  // MARK: What was heard

  private func hear(_ final: Final) {
    guard let overlap else {
      return tell(final)
    }
    if let task, task.start < overlap.lowerBound {
      // Still the task that ends: of what it says the next one hears the last.
      if let held { tell(held) }
      held = final
      return
    }
    guard let held else {
      self.overlap = nil
      return tell(final)
    }
    (self.held, self.overlap) = (nil, nil)
    let (first, second) = SeamMerger(overlap: overlap).merge(held.candidates[0], final.candidates[0])
    tell([first] + held.candidates.dropFirst(), before: second.words.first?.start)
    tell([second] + final.candidates.dropFirst(), before: nil)
  }

  private func tell(_ candidates: [Candidate], before next: TimeInterval?) {
    guard let first = candidates[0].words.first, let last = candidates[0].words.last else { return }
    tell((first.start, max(first.start, min(last.end, next ?? last.end)), candidates))
  }

  private func tell(_ final: Final) {
    emit(.final(start: final.start, end: final.end, candidates: final.candidates))
  }

  /// Tells what waits at a seam after which nothing was heard.
  private func release() {
    if let held { tell(held) }
    (held, overlap) = (nil, nil)
  }

  private func end(throwing error: (any Error)?) {
    guard let completion else { return }
    self.completion = nil
    leaveTask()
    release()
    if let error { return completion.resume(throwing: error) }
    emit(.processed(audio.duration))
    completion.resume()
  }
}

extension Candidate {
  /// The candidate of sound that began so many seconds later.
  fileprivate func shifted(by seconds: TimeInterval) -> Candidate {
    var shifted = self
    for index in words.indices {
      shifted.words[index].start += seconds
      shifted.words[index].end += seconds
    }
    return shifted
  }
}
