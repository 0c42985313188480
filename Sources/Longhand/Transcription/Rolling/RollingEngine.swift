import Foundation
import Speech

/// Listens with the recognition tasks of `SFSpeechRecognizer`, one after the other: a task is given up at a pause, when
/// the framework ends it, when it fails, before the framework's limit of a minute, and when it says nothing any more.
public struct RollingEngine: TranscriptionEngine {
  /// How it goes from task to task.
  struct Pace: Sendable, Hashable {
    var limits = RollingStateMachine.Limits()
    /// Seconds from one look at the clock to the next.
    var tick = 0.2
  }

  /// Which engine it is.
  public let selection = EngineSelection.rolling
  private let options: FileTranscriber.Options
  private let reportsPartials: Bool
  private let pace: Pace

  /// - Parameters:
  ///   - options: how it listens.
  ///   - reportsPartials: whether it tells what may still change.
  public init(_ options: FileTranscriber.Options = .init(), reportsPartials: Bool = true) {
    self.init(options, reportsPartials: reportsPartials, pace: Pace())
  }

  /// - Parameter patience: seconds without an answer after which a task counts as dead; the times between attempts are
  ///   short in proportion. For tests, whose recognizers need not be waited for.
  public init(
    _ options: FileTranscriber.Options = .init(), reportsPartials: Bool = true, patience: TimeInterval
  ) {
    self.init(
      options, reportsPartials: reportsPartials, patience: patience,
      taskLength: RollingStateMachine.Limits().length)
  }

  /// - Parameter taskLength: seconds of sound of a task after which any quiet ends it, and after which it ends anyway.
  package init(
    _ options: FileTranscriber.Options, reportsPartials: Bool, patience: TimeInterval,
    taskLength: ClosedRange<TimeInterval>
  ) {
    var pace = Pace(tick: patience / 50)
    pace.limits.stall = patience
    pace.limits.drain = patience
    pace.limits.backoff = patience / 50
    pace.limits.length = taskLength
    self.init(options, reportsPartials: reportsPartials, pace: pace)
  }

  init(_ options: FileTranscriber.Options, reportsPartials: Bool, pace: Pace) {
    self.options = options
    self.reportsPartials = reportsPartials
    self.pace = pace
  }

  /// Listens from `start` (seconds) on until the recording has ended.
  public func events(
    of audio: RecordingAudio, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { emit in
      guard let recognizer = SFSpeechRecognizer(locale: options.locale) else {
        throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
      }
      let session = RollingSession(
        audio, from: start, recognizer: recognizer, options: options, reportsPartials: reportsPartials,
        pace: pace, emit: emit)
      try await session.run()
    }
  }
}
