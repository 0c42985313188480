import Foundation
import SentenceFormatting

/// The text of one recording: its segments in order, and what became of every second.
///
/// `FileTranscriber` and `TranscriptStore` create transcripts; `TranscriptFormatter` writes them to files.
///
/// ```swift
/// let transcript = try await FileTranscriber().transcribe(URL(fileURLWithPath: "talk.wav"))
/// for segment in transcript.segments where (segment.confidence ?? 1) < 0.5 {
///   print(segment.start, segment.text, segment.candidates.map(\.text))
/// }
/// print(transcript.coverage.transcribed, "of", transcript.duration, "seconds have text")
/// ```
public struct Transcript: Sendable, Hashable {
  /// The name of the recording for a reader, usually its file name.
  public var source: String
  /// The name that a person gave it; nil if it has none.
  public var title: String?
  /// When the recording started; nil if it is not known.
  public var date: Date?
  /// The language of the recognizer, such as `en-US` (BCP 47).
  public var locale: String
  /// The engine that produced the transcript, such as `analyzer`.
  public var engine: String
  /// The model of the recognizer; nil if it is not known.
  public var model: ModelStamp?
  /// The installed model that wrote punctuation and capitals; nil if rules did, or the recognizer itself.
  public var punctuation: ModelStamp?
  /// The length of the recording in seconds.
  public var duration: TimeInterval
  /// The segments, ordered by their start.
  public var segments: [Segment]
  /// The seconds of the recording by what became of them.
  public var coverage: Coverage
  /// What became of each part of the recording, in order; empty if only the sums are known.
  public var spans: [CoverageSpan]
  /// The vocabulary that was used; nil if there was none.
  public var vocabulary: VocabularyStamp?
  /// A second text in the spelling of a domain; nil if there is none.
  public var normalized: NormalizedTranscript?
  /// A second text in English; nil if there is none.
  public var translation: Translation?
  /// The length that the file states, in seconds; nil if it states none, or the same within half a second.
  public var statedDuration: TimeInterval?
  /// The time code with which the recording begins, for `edl` and `fcpxml`; nil if it is not known.
  public var timecode: Timecode?
  /// What readers should know about the audio.
  public var warnings: [TranscriptWarning]
  /// The audio tracks of the file, if it has several.
  public var tracks: [TranscriptTrack] = []
  /// Measures of the speech; nil unless it was measured, see `measureVoice(in:)`.
  public var voice: TranscriptVoice?
  /// The speakers; empty if they are unknown. Segments and words have the IDs of these speakers.
  public var speakers: [Speaker] = []
  /// Who speaks when by the voices, in order, also several at once and where no words were recognized. What a person or a
  /// channel says of the speakers of words is not in it.
  public var turns: [SpeakerTurn] = []
  /// Terms in the spelling of their domain, which count when the transcript is written in sentences.
  package var names: [String] = []

  /// Creates a transcript for which only the sums of the coverage are known.
  public init(
    source: String, locale: String, engine: String, model: ModelStamp? = nil, duration: TimeInterval,
    segments: [Segment], coverage: Coverage, vocabulary: VocabularyStamp? = nil,
    normalized: NormalizedTranscript? = nil,
    statedDuration: TimeInterval? = nil, warnings: [TranscriptWarning] = []
  ) {
    self.source = source
    self.locale = locale
    self.engine = engine
    self.model = model
    self.duration = duration
    self.segments = segments
    self.coverage = coverage
    spans = []
    self.vocabulary = vocabulary
    self.normalized = normalized
    self.statedDuration = statedDuration
    self.warnings = warnings
  }

  /// Creates a transcript.
  public init(
    source: String, locale: String, engine: String, model: ModelStamp? = nil, duration: TimeInterval,
    segments: [Segment], spans: [CoverageSpan], vocabulary: VocabularyStamp? = nil,
    normalized: NormalizedTranscript? = nil,
    statedDuration: TimeInterval? = nil, warnings: [TranscriptWarning] = []
  ) {
    self.init(
      source: source, locale: locale, engine: engine, model: model, duration: duration, segments: segments,
      coverage: Coverage(spans), vocabulary: vocabulary, normalized: normalized,
      statedDuration: statedDuration, warnings: warnings)
    self.spans = spans
  }

  /// The texts of the segments, separated by spaces.
  public var text: String { segments.map(\.text).joinedWords() }
}

/// Identifies the recognizer's model of a transcript.
public struct ModelStamp: Sendable, Hashable, Codable {
  /// The name by which users select the model.
  public var name: String
  /// A SHA-256 digest of its files, in lower-case hexadecimal digits; nil for a model that comes with its recognizer.
  public var sha256: String?

  package init(name: String, sha256: String?) {
    self.name = name
    self.sha256 = sha256
  }
}

/// Identifies the vocabulary of a transcript.
public struct VocabularyStamp: Sendable, Hashable, Codable {
  /// The name of the vocabulary.
  public var name: String
  /// The SHA-256 digest of its file, in lower-case hexadecimal digits.
  public var sha256: String

  package init(name: String, sha256: String) {
    self.name = name
    self.sha256 = sha256
  }
}
