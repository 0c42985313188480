import RecognitionCore
import AVFAudio
import CoreMedia
import Dispatch
import RecognitionProtocol

/// The state of an analyzer: receives audio, runs a recognizer for each module, and tracks what is final.
///
/// Positions are samples at 16 kHz.
///
/// `@unchecked Sendable`: all mutable state is used only on the executor's queue, which is also the analyzer's.
final class AnalysisSession: @unchecked Sendable {
  /// Creates a recognizer. Tests pass their own.
  typealias RecognizerFactory =
    @Sendable (
      ServiceConfiguration, SpeechDetection, @escaping @Sendable (RecognitionEvent) -> Void
    ) -> any AnalysisRecognizer

  enum State {
    case running
    case finished((any Error)?)
  }

  struct Waiter {
    var id: Int
    /// The request to finalize audio whose answer is awaited; nil for other waits.
    var request: Int?
    var condition: (AnalysisSession) -> Bool
    var continuation: CheckedContinuation<Void, any Error>
  }

  /// The largest number of samples that wait for recognition: enough of the longest utterances for many processors.
  static let maxWaiting = 240 * SpeechSegmenter.sampleRate

  let executor: AnalysisExecutor
  let identity = UUID()
  let makeRecognizer: RecognizerFactory

  var state = State.running
  var modules: [any SpeechModule] = []
  var context = AnalysisContext()
  var runs: [AnalysisRun] = []
  var timeline = AnalysisTimeline()
  var ledger = FinalizationLedger()
  var waiters: [Waiter] = []
  /// The position of the next sample.
  var position = 0
  var failures: [Range<TimeInterval>] = []
  var failureReason = ""
  /// The number of the current input sequence. Earlier ones are not read any more.
  var input = 0
  var isInputActive = false
  /// The current input, if it may stop without an end.
  var stoppable: (any StoppableInputs)?
  /// The end of the audio of the current input sequence; nil before its first buffer.
  var inputEnd: CMTime?
  /// The request whose completion ends the session.
  var last: Int?
  private var intake = AudioIntake()
  private var handler: ((CMTimeRange, Bool, Bool) -> Void)?
  private var lastNumber = 0

  init(executor: AnalysisExecutor, makeRecognizer: @escaping RecognizerFactory) {
    self.executor = executor
    self.makeRecognizer = makeRecognizer
  }

  /// A number that is unique in this session.
  func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  var isFinished: Bool { if case .finished = state { true } else { false } }

  /// - Throws: the error that ended the session.
  func check() throws {
    if case .finished(let error?) = state { throw error }
  }

  func setHandler(_ handler: ((CMTimeRange, Bool, Bool) -> Void)?) { self.handler = handler }

  func report(changedStart: Bool, changedEnd: Bool) {
    guard changedStart || changedEnd, let range = timeline.volatileRange else { return }
    handler?(range, changedStart, changedEnd)
  }

  // MARK: Audio

  /// Whether the session can receive more audio now.
  var hasRoom: Bool {
    let behind = runs.map { $0.sink == nil ? position : $0.processed }.min() ?? position
    return position - behind <= Self.maxWaiting
  }

  /// Receives audio. An invalid input ends the session.
  func append(_ input: AnalyzerInput) throws {
    guard !isFinished else { return }
    do {
      try accept(input)
    } catch {
      end(error)
      throw error
    }
    evaluate()
  }

  private func accept(_ input: AnalyzerInput) throws {
    guard let buffer = input.audio?.buffer, AnalyzerAudioFormats.isSupported(input.bufferFormat) else {
      let text =
        "The analyzer does not accept the audio format \(input.bufferFormat), but for example \(AudioIntake.format): the one "
        + "that SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith:) names. AnalyzerInputConverter converts."
      throw SFSpeechError(.unexpectedAudioFormat, userInfo: [NSLocalizedDescriptionKey: text])
    }
    guard buffer.frameLength > 0 else { return }
    let isFirst = timeline.end == nil
    let placement = try timeline.append(
      frames: Int(buffer.frameLength), rate: buffer.format.sampleRate, start: input.bufferStartTime)
    inputEnd = timeline.end
    startRuns()
    if isFirst, case .gap(let start) = placement { position = start }
    for run in runs { run.open(at: position) }
    if !isFirst {
      switch placement {
      case .contiguous: break
      case .dropout(let count):
        deliver(try intake.finish())
        // Faint noise: recognizers are not trained on digital silence.
        deliver((0..<count).map { $0.isMultiple(of: 2) ? 1 : -1 })
      case .gap(let start):
        deliver(try intake.finish())
        position = max(position, start)
        for run in runs where !run.isRetired { run.skip(to: position) }
      }
    }
    deliver(try intake.convert(buffer))
    report(changedStart: false, changedEnd: true)
  }

  /// Receives the samples that the conversion still holds. No more audio follows.
  func endAudio() throws { deliver(try intake.finish()) }

  private func deliver(_ samples: [Int16]) {
    guard !samples.isEmpty else { return }
    for run in runs where !run.isRetired { run.append(samples, at: position) }
    position += samples.count
  }

  // MARK: Waiting

  /// Resumes the waiters whose conditions are met.
  func evaluate() {
    flushWhatIsDue()
    let ready = waiters.filter { $0.condition(self) }
    waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Whether cancelling the task ends a wait: not while audio that was received is recognized for a request.
  func isCancellable(waitingFor request: Int?) -> Bool { request.map(ledger.isWaiting) ?? true }

  /// Ends a wait whose task was cancelled, if it is cancellable now.
  func cancelWait(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }),
      isCancellable(waitingFor: waiters[index].request)
    else { return }
    waiters.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}

/// Runs an analyzer and the events of its recognizers on one serial queue.
final class AnalysisExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(priority: TaskPriority?) {
    queue = DispatchQueue(label: "speech.analyzer", qos: DispatchQoS(priority))
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

extension DispatchQoS {
  /// The class of a queue for work of a priority; nil for the default.
  init(_ priority: TaskPriority?) {
    self =
      switch priority {
      case .some(.high): .userInitiated
      case .some(.low): .utility
      case .some(.background): .background
      default: .default
      }
  }
}
