/// Writes transcripts in one of the formats.
///
/// ```swift
/// let captions = TranscriptFormatter(format: .srt, layout: CaptionLayout(maxLineWidth: 42, maxLineCount: 2))
/// try captions.string(for: transcript).write(to: file, atomically: true, encoding: .utf8)
/// ```
///
/// Whatever the text holds, the document is well-formed: line ends and control characters become spaces (in JSON
/// they are escaped), and what a format gives a meaning to is escaped or, where it knows no escapes, parted.
/// Times are rounded to milliseconds, halves upwards. Segments without text are left out, except of JSON.
public struct TranscriptFormatter: Sendable {
  /// The format of the document.
  public var format: TranscriptFormat
  /// How captions are broken; formats other than `srt` and `vtt` pay no heed to it.
  public var layout: CaptionLayout
  /// Whether every word's time is written out:
  /// - `txt`: a word a line, after its start and its end in seconds, parted by tabs;
  /// - `srt`: a caption a word, whatever the layout;
  /// - `vtt`: a timestamp tag before every word that begins inside its caption;
  /// - `tsv`: a row a word;
  /// - `jsonl`: `words` in every final line;
  /// - `json`, `ctm` and `textgrid` always have the words, `md` never has.
  ///
  /// A segment whose words' times are not known is written as if this were off.
  public var wordTimestamps: Bool
  /// The most alternatives of a segment in `json` and `jsonl`, nil for all; the selected one is never left out.
  public var alternatives: Int?

  /// Each field by its name.
  public init(
    format: TranscriptFormat, layout: CaptionLayout = CaptionLayout(), wordTimestamps: Bool = false,
    alternatives: Int? = nil
  ) {
    self.format = format
    self.layout = layout
    self.wordTimestamps = wordTimestamps
    self.alternatives = alternatives
  }

  /// The whole document; ends with a newline unless it is empty.
  public func string(for transcript: Transcript) -> String {
    switch format {
    case .txt: PlainTextDocument(wordTimestamps: wordTimestamps).string(for: transcript)
    case .srt: SubRipDocument(layout: layout, wordTimestamps: wordTimestamps).string(for: transcript)
    case .vtt: WebVTTDocument(layout: layout, wordTimestamps: wordTimestamps).string(for: transcript)
    case .json: JSONDocument(alternatives: alternatives).string(for: transcript)
    case .jsonl:
      JSONLinesDocument(wordTimestamps: wordTimestamps, alternatives: alternatives).string(for: transcript)
    case .tsv: TabSeparatedDocument(wordTimestamps: wordTimestamps).string(for: transcript)
    case .ctm: TimeMarkedDocument().string(for: transcript)
    case .textgrid: TextGridDocument().string(for: transcript)
    case .md: MarkdownDocument().string(for: transcript)
    }
  }
}
