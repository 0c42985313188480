import Foundation

/// What became of every second of a recording. The five parts add up to its duration.
public struct Coverage: Sendable, Hashable, Codable {
  /// Seconds whose speech stands in the transcript.
  public var transcribed: TimeInterval
  /// Seconds without speech.
  public var silent: TimeInterval
  /// Seconds that still wait for the recognizer.
  public var pending: TimeInterval
  /// Seconds of speech that the recognizer failed on.
  public var failed: TimeInterval
  /// Seconds that could not be captured.
  public var gaps: TimeInterval

  /// Each field by its name.
  public init(
    transcribed: TimeInterval = 0, silent: TimeInterval = 0, pending: TimeInterval = 0,
    failed: TimeInterval = 0, gaps: TimeInterval = 0
  ) {
    self.transcribed = transcribed
    self.silent = silent
    self.pending = pending
    self.failed = failed
    self.gaps = gaps
  }
}
