import Foundation
import LonghandRecording
import LonghandTranscripts
import Speech

/// Recognizes with the tasks of `SFSpeechRecognizer`, one after the other: a task ends at a pause, when the framework
/// ends it, when it fails, before the framework's limit of a minute, and when it no longer answers.
package struct RollingEngine: TranscriptionEngine {
  /// How tasks follow each other.
  struct Pace: Sendable, Hashable {
    var limits = RollingStateMachine.Limits()
    /// Seconds between two checks of the clock.
    var tick = 0.2
    /// Seconds after which a recognizer that cannot work on this device is refused: it may learn late that it can.
    var deviceWait = 10.0
  }

  /// Which engine it is.
  package let selection = EngineSelection.rolling
  private let options: ResolvedOptions
  private let reportsPartials: Bool
  private(set) var pace: Pace
  private let makeRecognizer: @Sendable (Locale) -> SFSpeechRecognizer?

  /// - Parameters:
  ///   - options: the language, the number of alternatives and the language model.
  ///   - reportsPartials: whether it reports text that may still change.
  package init(_ options: ResolvedOptions, reportsPartials: Bool = true) {
    self.init(options, reportsPartials: reportsPartials, pace: Pace())
  }

  /// An engine for tests, whose recognizers answer at once.
  /// - Parameters:
  ///   - patience: the seconds after which a task that gives no answer counts as dead; the delays between attempts are short in
  ///     proportion.
  ///   - taskLength: seconds of audio of a task after which any quiet ends it, and after which it ends anyway.
  package init(
    _ options: ResolvedOptions, reportsPartials: Bool, patience: TimeInterval,
    taskLength: ClosedRange<TimeInterval>
  ) {
    var pace = Pace(tick: patience / 50)
    pace.limits.stall = patience
    pace.limits.drain = patience
    pace.limits.backoff = patience / 50
    pace.limits.length = taskLength
    self.init(options, reportsPartials: reportsPartials, pace: pace)
  }

  init(
    _ options: ResolvedOptions, reportsPartials: Bool, pace: Pace,
    makeRecognizer: @escaping @Sendable (Locale) -> SFSpeechRecognizer? = { SFSpeechRecognizer(locale: $0) }
  ) {
    self.options = options
    self.reportsPartials = reportsPartials
    self.pace = pace
    self.pace.limits.pause = options.silence.duration
    self.makeRecognizer = makeRecognizer
  }

  /// Recognizes from `start` (seconds) on until the source has ended.
  package func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { emit in
      guard let recognizer = makeRecognizer(options.locale) else {
        throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
      }
      guard try await staysOnDevice(recognizer) || options.allowsServer else {
        throw TranscriptionError.leavesDevice(options.locale.identifier(.bcp47))
      }
      recognizer.use(options.found)
      let session = RollingSession(
        audio, from: start, recognizer: recognizer, options: options, reportsPartials: reportsPartials,
        pace: pace, emit: emit)
      try await session.run()
    }
  }

  /// Whether a recognizer works on this device. Asks again for a while where audio may not leave it.
  private func staysOnDevice(_ recognizer: SFSpeechRecognizer) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(options.allowsServer ? 0 : pace.deviceWait)
    while !recognizer.supportsOnDeviceRecognition {
      guard ContinuousClock.now < deadline else { return false }
      try await Task.sleep(for: .seconds(min(pace.tick, 0.2)))
    }
    return true
  }
}
