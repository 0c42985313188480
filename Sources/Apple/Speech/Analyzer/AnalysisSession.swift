import AVFAudio
import CoreMedia
import SpeechServiceProtocol

/// What an analyzer does: takes audio, has it recognized for each module, and keeps the books of what is final.
///
/// `@unchecked Sendable`: everything that changes is used only on the executor's queue, which is also the
/// analyzer's.
final class AnalysisSession: @unchecked Sendable {
  /// Makes what recognizes; a test's may be another.
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
    var condition: (AnalysisSession) -> Bool
    var continuation: CheckedContinuation<Void, any Error>
  }

  /// Samples that may wait to be recognized: enough of the longest utterances for many processors.
  static let mostWaiting = 240 * SpeechSegmenter.sampleRate

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
  /// The place of the next sample.
  var place = 0
  var failures: [Range<TimeInterval>] = []
  var failureReason = ""
  /// The number of the input sequence that is read; those with another are not any more.
  var input = 0
  var isInputActive = false
  /// Where the audio of the current input sequence ends; nil before it gave any.
  var inputEnd: CMTime?
  /// The request whose answer ends the session.
  var last: Int?
  private var intake = AudioIntake()
  private var handler: ((CMTimeRange, Bool, Bool) -> Void)?
  private var lastNumber = 0

  init(executor: AnalysisExecutor, makeRecognizer: @escaping RecognizerFactory) {
    self.executor = executor
    self.makeRecognizer = makeRecognizer
  }

  /// A number that nothing else has.
  func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  var isFinished: Bool { if case .finished = state { true } else { false } }

  /// - Throws: what the session failed of.
  func check() throws {
    if case .finished(let error?) = state { throw error }
  }

  func setHandler(_ handler: ((CMTimeRange, Bool, Bool) -> Void)?) { self.handler = handler }

  func report(changedStart: Bool, changedEnd: Bool) {
    guard changedStart || changedEnd, let range = timeline.volatileRange else { return }
    handler?(range, changedStart, changedEnd)
  }

  // MARK: Audio

  /// Whether more audio may be taken now.
  var hasRoom: Bool {
    let behind = runs.map { $0.sink == nil ? place : $0.processed }.min() ?? place
    return place - behind <= Self.mostWaiting
  }

  /// Takes audio; what is wrong with it ends the session.
  func take(_ input: AnalyzerInput) throws {
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
    let buffer = input.buffer
    guard AnalyzerAudioFormats.isSupported(buffer.format) else {
      let text = "The analyzer does not take audio of \(buffer.format)."
      throw SFSpeechError(.unexpectedAudioFormat, userInfo: [NSLocalizedDescriptionKey: text])
    }
    guard buffer.frameLength > 0 else { return }
    let isFirst = timeline.end == nil
    let placement = try timeline.place(
      frames: Int(buffer.frameLength), rate: buffer.format.sampleRate, start: input.bufferStartTime)
    inputEnd = timeline.end
    startRuns()
    if isFirst, case .gap(let start) = placement { place = start }
    for run in runs { run.open(at: place) }
    if !isFirst {
      switch placement {
      case .contiguous: break
      case .dropout(let count):
        deliver(try intake.finish())
        // Faint noise: digital silence is nothing that a recognizer has learned.
        deliver((0..<count).map { $0.isMultiple(of: 2) ? 1 : -1 })
      case .gap(let start):
        deliver(try intake.finish())
        place = max(place, start)
        for run in runs where !run.isRetired { run.skip(to: place) }
      }
    }
    deliver(try intake.convert(buffer))
    report(changedStart: false, changedEnd: true)
  }

  /// Takes what the conversion still holds back: no more audio comes.
  func endAudio() throws { deliver(try intake.finish()) }

  private func deliver(_ samples: [Int16]) {
    guard !samples.isEmpty else { return }
    for run in runs where !run.isRetired { run.take(samples, at: place) }
    place += samples.count
  }

  // MARK: Waiting

  /// Resumes whoever has what was waited for.
  func evaluate() {
    flushWhatIsDue()
    let ready = waiters.filter { $0.condition(self) }
    waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
    for waiter in ready { waiter.continuation.resume() }
  }

  func resume(_ id: Int, throwing error: any Error) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(throwing: error)
  }
}
