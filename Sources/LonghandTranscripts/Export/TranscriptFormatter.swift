import Foundation

/// Writes transcripts in one of the formats of `TranscriptFormat`.
///
/// ```swift
/// let captions = TranscriptFormatter(format: .srt, layout: CaptionLayout(maxLineWidth: 42, maxLineCount: 2))
/// let file = URL(fileURLWithPath: "talk.srt")
/// try captions.string(for: transcript).write(to: file, atomically: true, encoding: .utf8)
/// ```
///
/// The document is well-formed for any text: line ends and control characters become spaces (in JSON they are escaped), and
/// characters with a meaning in the format are escaped or, if the format has no escapes, split by a space. Times are
/// rounded to milliseconds, halves up. Segments without text are left out, except in JSON.
///
/// Where a transcript has speakers, `txt` and `md` have "Anna: " before each paragraph or line, `srt` has it where the speaker
/// changes, `vtt` has a voice span `<v Anna>`, `textgrid` has tiers for each speaker, and `json` and `jsonl` have the labels. Without speakers the
/// documents have none of it.
public struct TranscriptFormatter: Sendable {
  /// The format of the document.
  public var format: TranscriptFormat
  /// The size of captions, for `srt` and `vtt`; other formats ignore it.
  public var layout: CaptionLayout
  /// Whether the time of each word is written:
  /// - `txt`: one line for each word, with its start and its end in seconds, separated by tabs;
  /// - `srt`: one caption for each word, whatever the layout;
  /// - `vtt`: a timestamp tag before each word that starts inside its caption;
  /// - `tsv`: one row for each word;
  /// - `jsonl`: `words` in each final line;
  /// - `json`, `ctm` and `textgrid` always have the words, `md` never has them.
  ///
  /// If the times of a segment's words are not known, the segment is written as if this were off.
  public var wordTimestamps: Bool
  /// The most alternatives of a segment in `json` and `jsonl`; nil for all. The selected one is always included.
  public var alternatives: Int?
  /// How texts are written; `tsv`, `ctm`, `textgrid`, `rttm` and `jsonl` have the words as recognized, and `json` has both.
  public var style: TextStyle
  /// Terms in the spelling of their domain, such as the names of a vocabulary, for `TextStyle.sentences`.
  public var names: [String]
  /// Whether `txt`, `srt`, `vtt` and `md` have a line or a caption such as `[no words recognized 0:05–0:07]` for each part
  /// with speech in which no words were recognized; nil for `md` only. `json` has the sum, and `jsonl` a line for each.
  public var marksWordless: Bool?
  /// Whether words are written that are echoes of another channel. `json` and `jsonl` always have them, marked as `echo`; in the
  /// whole `text` of `json` they are as in the other formats.
  public var hasEcho = false
  /// How numbers are written; nil as the recognizer writes them. `json`, `jsonl` and `rttm` ignore it.
  public var numbers: NumberForm?
  /// Seconds that are added to all times, for a part of a longer recording.
  public var offset: TimeInterval = 0

  /// Creates a formatter.
  public init(
    format: TranscriptFormat, layout: CaptionLayout = CaptionLayout(), wordTimestamps: Bool = false,
    alternatives: Int? = nil, marksWordless: Bool? = nil, style: TextStyle = .sentences,
    names: [String] = []
  ) {
    self.format = format
    self.layout = layout
    self.wordTimestamps = wordTimestamps
    self.alternatives = alternatives
    self.marksWordless = marksWordless
    self.style = style
    self.names = names
  }

  /// The whole document as a file.
  public func data(for transcript: Transcript) -> Data {
    guard format == .docx else { return Data(string(for: transcript).utf8) }
    return WordDocument().data(for: written(transcript.moved(by: offset)))
  }

  /// The transcript as paragraphs and captions have it.
  private func written(_ transcript: Transcript) -> Transcript {
    let said = hasEcho ? transcript.inParagraphs : transcript.inParagraphs.withoutEcho
    return inNumbers(style == .sentences ? said.writtenInSentences(names: names) : said).dividedBySpeaker
  }

  private func inNumbers(_ transcript: Transcript) -> Transcript {
    numbers.map(transcript.withNumbers) ?? transcript
  }

  /// The whole document; of `docx` the part with the text, see `data(for:)`. It ends with a newline unless it is empty.
  public func string(for transcript: Transcript) -> String {
    let moved = transcript.moved(by: offset)
    let isMarked = marksWordless ?? (format == .md)
    let isMarkedUp = format == .json || format == .jsonl
    let transcript = hasEcho || isMarkedUp ? moved : moved.withoutEcho
    // Half of the formats need neither.
    lazy var written = self.written(moved)
    lazy var marked = isMarked ? written.withWordlessMarks : written
    return switch format {
    case .txt where style == .sentences && !wordTimestamps:
      PlainTextDocument.paragraphs(of: written, marksWordless: isMarked)
    case .txt: PlainTextDocument(wordTimestamps: wordTimestamps).string(for: marked)
    case .srt: SubRipDocument(layout: layout, wordTimestamps: wordTimestamps).string(for: marked)
    case .vtt: WebVTTDocument(layout: layout, wordTimestamps: wordTimestamps).string(for: marked)
    case .json:
      JSONDocument(alternatives: alternatives, names: names, hasEcho: hasEcho).string(for: transcript)
    case .jsonl:
      JSONLinesDocument(wordTimestamps: wordTimestamps, alternatives: alternatives).string(for: transcript)
    case .tsv: TabSeparatedDocument(wordTimestamps: wordTimestamps).string(for: inNumbers(transcript))
    case .ctm: TimeMarkedDocument().string(for: inNumbers(transcript))
    case .textgrid: TextGridDocument().string(for: inNumbers(transcript))
    case .rttm: TurnDocument().string(for: transcript)
    case .md: MarkdownDocument(marksWordless: isMarked).string(for: written)
    case .html: HTMLDocument().string(for: written)
    case .docx: WordDocument().string(for: written)
    case .edl: EditListDocument().string(for: written)
    case .fcpxml: FinalCutDocument().string(for: written)
    case .eaf: AnnotationDocument().string(for: inNumbers(transcript))
    case .otr: OTranscribeDocument().string(for: written)
    }
  }
}

/// How the text of a transcript is written.
public enum TextStyle: String, CaseIterable, Sendable {
  /// Sentences with capitals and marks, in paragraphs. The words are the recognizer's.
  case sentences
  /// The words as the recognizer writes them, a segment a line.
  case words
}

/// A file format for transcripts.
public enum TranscriptFormat: String, CaseIterable, Sendable {
  /// Plain text: paragraphs, or one line for each segment.
  case txt
  /// SubRip captions.
  case srt
  /// WebVTT captions (W3C).
  case vtt
  /// One JSON document with the whole transcript, described by `Schemas/transcript.schema.json`.
  case json
  /// JSON lines, as in live transcription.
  case jsonl
  /// Tab-separated values: `start end text`, in milliseconds.
  case tsv
  /// NIST's time-marked conversation format, for scoring tools.
  case ctm
  /// Praat's TextGrid, for phoneticians.
  case textgrid
  /// Markdown: paragraphs that start with their time.
  case md
  /// NIST's Rich Transcription Time Marked: the turns of the speakers, for tools that score diarization.
  case rttm
  /// A page for browsers: paragraphs whose times are links into the audio.
  case html
  /// A document for word processors, as the page.
  case docx
  /// An edit decision list with a marker for each segment, for programs that edit film.
  case edl
  /// A timeline of Final Cut Pro with the same markers.
  case fcpxml
  /// ELAN's annotations, for linguists.
  case eaf
  /// A document of oTranscribe, for transcribing by hand.
  case otr

  /// Whether the format can hold the normalized text beside the transcript.
  public var hasNormalizedText: Bool { [.txt, .json, .md, .html, .docx].contains(self) }

  /// Whether it can be written with numbers in another form than the recognizer's: whether it has a text, and not the
  /// recognizer's words themselves.
  public var hasNumberForms: Bool { ![.json, .jsonl, .rttm].contains(self) }

  /// Whether it is a text file.
  public var isText: Bool { self != .docx }

  /// The file extension, without the dot.
  public var fileExtension: String { rawValue }
}

/// How much text a caption of `srt` or `vtt` shows at once.
///
/// With both limits, captions begin and end at sentences, phrases and pauses, whatever the segments; they have 1 to 7 s and
/// no more columns a second than can be read in their language (20 in English) where the speech allows. Without `maxLineWidth` each segment is a caption of one line.
/// Without `maxLineCount` a segment is a caption with as many lines as it needs.
public struct CaptionLayout: Sendable, Hashable {
  /// The most columns in a line, at least 1; nil for no limit. A character has one, and one of Chinese, Japanese or Korean two.
  ///
  /// A longer word is alone on its line and is not split.
  public var maxLineWidth: Int?
  /// The most lines in a caption, at least 1; nil for no limit.
  public var maxLineCount: Int?
  /// How captions show what several people say at once.
  public var overlap: CaptionOverlap

  /// Each segment is a caption of one line.
  public static let segments = CaptionLayout(maxLineWidth: nil, maxLineCount: nil)

  /// Creates a layout: by default two lines of 42 columns, as broadcasters have them.
  public init(maxLineWidth: Int? = 42, maxLineCount: Int? = 2, overlap: CaptionOverlap = .together) {
    self.maxLineWidth = maxLineWidth
    self.maxLineCount = maxLineCount
    self.overlap = overlap
  }
}

/// How captions show what several people say at once.
public enum CaptionOverlap: String, CaseIterable, Sendable {
  /// As captions of their own that are shown at the same time; players put one above the other.
  case together
  /// As one caption with a line for each, which begins with a dash, where there is room for it.
  case dashes
  /// As captions one after another: the second one waits until the first can be read.
  case turns
}
