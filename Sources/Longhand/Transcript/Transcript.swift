import Foundation

/// What was said in one recording: its segments in order, and what became of every second.
public struct Transcript: Sendable, Hashable {
  /// The recording's name, as a reader knows it (usually its file name).
  public var source: String
  /// The language that was listened for, such as `en-US` (BCP 47).
  public var locale: String
  /// The engine that wrote it, such as `recognizer`.
  public var engine: String
  /// The length of the recording in seconds.
  public var duration: TimeInterval
  /// The segments, in the order of their start.
  public var segments: [Segment]
  /// What became of every second.
  public var coverage: Coverage
  /// The vocabulary that it was made with, if there was one.
  public var vocabulary: VocabularyStamp?
  /// A second text, as a domain writes it, if it was asked for.
  public var normalized: NormalizedTranscript?

  /// Each field by its name.
  public init(
    source: String, locale: String, engine: String, duration: TimeInterval, segments: [Segment],
    coverage: Coverage, vocabulary: VocabularyStamp? = nil, normalized: NormalizedTranscript? = nil
  ) {
    self.source = source
    self.locale = locale
    self.engine = engine
    self.duration = duration
    self.segments = segments
    self.coverage = coverage
    self.vocabulary = vocabulary
    self.normalized = normalized
  }

  /// The segments' texts, parted by spaces.
  public var text: String { segments.map(\.text).joined(separator: " ") }
}
