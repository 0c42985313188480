import AVFAudio
import AudioStreams
import Foundation
import LonghandRecording
import LonghandTranscripts
import LonghandVocabulary
import Speech

/// The effects around `RollingStateMachine`: reads the audio, runs the tasks, and emits their results.
actor RollingSession {
  private typealias Final = (start: TimeInterval, end: TimeInterval, candidates: [Candidate])

  private let audio: any AudioSource
  private let options: ResolvedOptions
  private let reportsPartials: Bool
  private let pace: RollingEngine.Pace
  private let emit: @Sendable (TranscriptionEvent) -> Void
  /// `nonisolated(unsafe)`: not `Sendable` on Apple platforms; handed over by `init` and used by this actor alone.
  private nonisolated(unsafe) let recognizer: SFSpeechRecognizer
  /// While the computer sleeps, a recognizer is not late.
  private let clock = SuspendingClock()
  private let beginning: SuspendingClock.Instant

  private var machine: RollingStateMachine
  private var silence: SilenceDetector
  /// The detector's state at the start of the task, so that a repeated task is cut at the same times.
  private var silenceAtStart: [Int64: SilenceDetector] = [:]
  private var number = 0
  private var request: SFSpeechAudioBufferRecognitionRequest?
  private var task: (running: SFSpeechRecognitionTask, delegate: RollingTask, start: TimeInterval)?
  private var reader: Task<Void, Never>?
  /// The audio that both the task that ends and the next one get.
  private var overlap: ClosedRange<TimeInterval>?
  /// The last final before a seam; it waits for the first one after it.
  private var held: Final?
  /// The current range above the noise floor.
  private var sound: ClosedRange<TimeInterval>?
  /// Where the last final of any task ends.
  private var reported = 0.0
  private var completion: CheckedContinuation<Void, any Error>?

  init(
    _ audio: any AudioSource, from start: TimeInterval, recognizer: SFSpeechRecognizer,
    options: ResolvedOptions, reportsPartials: Bool, pace: RollingEngine.Pace,
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
    silence = SilenceDetector(sampleRate: audio.sampleRate, threshold: options.silence.threshold)
  }

  /// Recognizes until the source has ended.
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

  /// Whether the next task needs no server. It may change while the system loads a model.
  private var isOnDevice: Bool { recognizer.supportsOnDeviceRecognition }

  private func tick() {
    if completion != nil { perform(machine.tick(now: now)) }
  }

  private func perform(_ actions: [RollingStateMachine.Action]) {
    for action in actions {
      switch action {
      case .begin(let start): begin(at: start)
      case .endAudio: request?.endAudio()
      case .cancel: leaveTask()
      case .seam(let range): overlap = range
      case .processed(let time):
        // What waits at a seam has not been emitted yet.
        if held == nil { emit(.processed(time)) }
      case .restarted(let time, let why): emit(.restarted(time, why))
      case .failed(let range, let why):
        release()
        emit(.failed(range, why))
      case .finish: end(throwing: nil)
      case .giveUp(let error): end(throwing: error)
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
    // Also where a server is allowed, audio leaves the device only if there is no other way.
    request.requiresOnDeviceRecognition = isOnDevice || !options.allowsServer
    request.customizedLanguageModel = options.languageModel?.configuration
    request.contextualStrings = options.expectedPhrases
    request.addsPunctuation = options.addsPunctuation
    request.taskHint = options.taskHint.ofTheFramework
    // The stream keeps the order of the callbacks.
    let (events, continuation) = AsyncStream.makeStream(of: RollingTask.Event.self)
    let delegate = RollingTask { continuation.yield($0) }
    Task { for await event in events where self.receive(event, of: number) { return } }
    self.request = request
    task = (recognizer.recognitionTask(with: request, delegate: delegate), delegate, start)
    let frame = Int64(clamping: (start * Double(audio.sampleRate)).rounded())
    silence = silenceAtStart[frame] ?? silence
    silenceAtStart = [frame: silence]
    reader = Task {
      do {
        var phase: PhaseCorrection?
        for try await chunk in audio.chunks(from: frame) {
          phase = phase ?? PhaseCorrection(chunk.buffer.format)
          if !self.take(chunk.corrected(by: phase), of: number) { return }
        }
        self.audioEnded(number)
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

  /// - Returns: whether the task takes more.
  private func take(_ chunk: AudioChunk, of number: Int) -> Bool {
    guard number == self.number, machine.takesAudio, let request else { return false }
    request.append(chunk.buffer)
    let hasSound = silence.take(chunk.mono)
    let (start, end) = (seconds(chunk.start), seconds(chunk.end))
    if chunk.isPhaseCorrected { emit(.oppositePhase(start...end)) }
    detect(hasSound ? start...end : nil)
    silenceAtStart[chunk.end] = silence
    perform(machine.took(through: end, hasSound: hasSound, quiet: silence.quiet, now: now))
    return number == self.number && machine.takesAudio
  }

  private func seconds(_ frame: Int64) -> TimeInterval { Double(frame) / Double(audio.sampleRate) }

  /// Emits a range with sound when it ends.
  private func detect(_ range: ClosedRange<TimeInterval>?) {
    if let range {
      sound = (sound?.lowerBound ?? range.lowerBound)...range.upperBound
    } else if let sound {
      emit(.detected(sound, "sound"))
      self.sound = nil
    }
  }

  private func audioEnded(_ number: Int) {
    if number == self.number { perform(machine.audioEnded(now: now)) }
  }

  /// - Returns: whether that task is over.
  private func receive(_ event: RollingTask.Event, of number: Int) -> Bool {
    guard number == self.number, let task else { return true }
    switch event {
    case .partial(let candidate):
      machine.progressed(now: now)
      let words = candidate.shifted(by: task.start).words
      guard reportsPartials, let first = words.first, let last = words.last else { return false }
      emit(.partial(.init(start: first.start, end: last.end, text: candidate.text)))
    case .final(let candidates):
      let shifted = candidates.prefix(max(1, options.alternatives)).map { $0.shifted(by: task.start) }
      guard case .final(let start, let end, let all, _) = TranscriptionEvent.final(shifted) else {
        return false
      }
      receive((start, end, all))
      reported = max(reported, end)
      machine.reported(through: end, now: now)
    case .processed(let duration):
      machine.progressed(now: now)
      emit(.progress(task.start + duration))
    case .ended(let error):
      ended(error, start: task.start)
      return true
    }
    return false
  }

  private func ended(_ error: (any Error)?, start: TimeInterval) {
    let ranges = ((error as NSError?)?.allFailedRanges ?? []).map {
      $0.lowerBound + start...$0.upperBound + start
    }
    let failure = error.map { RecognizerFailure($0) }
    if case .ranges(_, let why)? = failure {
      return perform(machine.ended(.incomplete(ranges, why), now: now))
    }
    // What was not reported yet is tried again.
    for range in ranges where range.lowerBound < reported {
      emit(.failed(range, error?.localizedDescription ?? ""))
    }
    switch failure {
    case nil, .ranges: perform(machine.ended(.finished, now: now))
    case .noSpeech: perform(machine.ended(.noSpeech, now: now))
    case .transient(let why, let reaction):
      perform(machine.ended(.failed(why, reaction, isOnDevice: isOnDevice), now: now))
    case .permanent(let error): perform(machine.ended(.failedForGood(error), now: now))
    }
  }

  // MARK: Finals

  private func receive(_ final: Final) {
    guard let overlap else { return send(final) }
    if let task, task.start < overlap.lowerBound {
      // Still the task that ends: the next one gets the end of its audio too.
      if let held { send(held) }
      held = final
      return
    }
    guard let held else {
      self.overlap = nil
      return send(final)
    }
    (self.held, self.overlap) = (nil, nil)
    let (first, second) = SeamMerger(overlap: overlap).merge(held.candidates[0], final.candidates[0])
    send([first] + held.candidates.dropFirst(), before: second.words.first?.start)
    send([second] + final.candidates.dropFirst(), before: nil)
  }

  private func send(_ candidates: [Candidate], before next: TimeInterval?) {
    guard let first = candidates[0].words.first, let last = candidates[0].words.last else { return }
    send((first.start, max(first.start, min(last.end, next ?? last.end)), candidates))
  }

  private func send(_ final: Final) {
    emit(.final(start: final.start, end: final.end, candidates: final.candidates))
  }

  /// Emits what waits at a seam after which nothing was recognized.
  private func release() {
    if let held { send(held) }
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
  /// The candidate with all times moved by so many seconds.
  fileprivate func shifted(by seconds: TimeInterval) -> Candidate {
    var shifted = self
    for index in words.indices {
      shifted.words[index].start += seconds
      shifted.words[index].end += seconds
    }
    return shifted
  }
}
