/// A form in which a transcript can be written to a file.
public enum TranscriptFormat: String, CaseIterable, Sendable {
  /// Plain text: a segment a line.
  case txt
  /// SubRip captions.
  case srt
  /// WebVTT captions (W3C).
  case vtt
  /// One JSON document with everything that is known; `Schemas/transcript.schema.json` describes it.
  case json
  /// JSON lines, as live transcription prints them.
  case jsonl
  /// Tab-separated values: `start end text`, in milliseconds.
  case tsv
  /// NIST's time-marked conversation form, for scoring tools.
  case ctm
  /// Praat's TextGrid, for phoneticians.
  case textgrid
  /// Markdown: paragraphs that begin with their time.
  case md

  /// Whether it has a place for the normalized text, beside the transcript.
  public var hasNormalizedText: Bool { self == .txt || self == .json || self == .md }

  /// What a file of this format ends in, without the dot.
  public var fileExtension: String { rawValue }
}
