import Foundation

/// What became of one stretch of a recording.
public struct CoverageSpan: Sendable, Hashable, Codable {
  /// What can become of audio.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Speech that stands in the transcript.
    case transcribed
    /// No speech.
    case silent
    /// It waits for the recognizer.
    case pending
    /// Speech that the recognizer failed on.
    case failed
    /// It could not be captured.
    case gap
  }

  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// What became of it.
  public var kind: Kind
  /// Why, in words; empty where the kind says all.
  public var reason: String

  /// Each field by its name.
  public init(start: TimeInterval, end: TimeInterval, kind: Kind, reason: String = "") {
    self.start = start
    self.end = end
    self.kind = kind
    self.reason = reason
  }
}

extension Coverage {
  /// The seconds of each kind, added up.
  public init(_ spans: [CoverageSpan]) {
    func seconds(_ kind: CoverageSpan.Kind) -> TimeInterval {
      spans.reduce(0) { $1.kind == kind ? $0 + ($1.end - $1.start) : $0 }
    }
    self.init(
      transcribed: seconds(.transcribed), silent: seconds(.silent), pending: seconds(.pending),
      failed: seconds(.failed), gaps: seconds(.gap))
  }
}
