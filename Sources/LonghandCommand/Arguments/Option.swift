/// One option of a verb: its names, whether it takes a value, and its help text.
struct Option: Sendable, Hashable {
  /// The names with their dashes. Errors and help use the last one.
  var names: [String]
  /// What the help calls the value; `nil` when the option takes none.
  var value: String?
  /// The help text, a few words.
  var summary: String

  init(_ names: String..., value: String? = nil, summary: String) {
    self.names = names
    self.value = value
    self.summary = summary
  }

  /// The name that errors and help use.
  var name: String { names.last ?? "" }

  /// The same option, with what it means for one verb.
  func described(_ summary: String) -> Option {
    var option = self
    option.summary = summary
    return option
  }

  /// Whether options have this one, however a verb describes it.
  func isAmong(_ options: some Sequence<Option>) -> Bool { options.contains { $0.names == names } }
}

/// The options that several verbs share. Each is declared once, so that it means the same everywhere.
extension Option {
  static let help = Option("-h", "--help", summary: "show this help")
  static let jsonErrors = Option("--json-errors", summary: "print errors as JSON on standard error")
  static let quiet = Option("-q", "--quiet", summary: "print only the result and errors")
  static let progress = Option(
    "--progress", value: "json", summary: "print progress as JSON lines on standard error")

  static let format = Option(
    "--format", value: "F[,F…]",
    summary:
      "formats, txt by default: txt srt vtt json jsonl tsv ctm textgrid md rttm html docx edl fcpxml eaf otr")
  static let txt = Option("--txt", summary: "same as --format txt (plain text)")
  static let srt = Option("--srt", summary: "same as --format srt (subtitles)")
  static let vtt = Option("--vtt", summary: "same as --format vtt (subtitles for the web)")
  static let json = Option("--json", summary: "same as --format json (everything, with times)")

  static let withEcho = Option(
    "--with-echo",
    summary:
      "also print echoes: words of another channel that the microphone picked up from a loudspeaker"
  )

  static let outputFolder = Option(
    "--output-dir", value: "DIR", summary: "write into this folder, one file per input and format")
  static let output = Option(
    "-o", "--output", value: "FILE", summary: "write this file; its extension selects the format")
  static let force = Option("--force", summary: "replace existing output files")

  static let library = Option(
    "--library", value: "DIR",
    summary: "folder of the library (default: $LONGHAND_LIBRARY if it is set, else the folder longhand in "
      + "your data folder)")
  static let locale = Option(
    "--locale", value: "L",
    summary: "spoken language, such as de-DE (default: auto, which detects it where the model can)")
  static let model = Option(
    "--model", value: "NAME",
    summary:
      "recognizer's model; 'longhand models list' lists them (default: $LONGHAND_MODEL if it is set, else "
      + "the best installed model for the language)")
  static let engine = Option(
    "--engine", value: "E",
    summary: "recognition method: analyzer (SpeechAnalyzer), rolling (the older SFSpeechRecognizer, in "
      + "overlapping parts of up to 55 seconds), or automatic, which uses analyzer if it is available, else "
      + "rolling (default: automatic)")
  static let alternatives = Option(
    "--alternatives", value: "N",
    summary: "alternative texts to keep for each segment, 1 to 100 (default: 5)")
  static let log = Option(
    "--log", value: "elections",
    summary:
      "print the alternative texts of each segment on standard error, and why one was chosen; the log "
      + "contains what people said")
  static let reranking = Option(
    "--reranking", value: "R",
    summary: "how to choose among the alternative texts: conservative uses a few fixed rules, and a large "
      + "language model if $FOUNDATION_MODEL_ENDPOINT is set; disabled always uses the first alternative "
      + "(default: conservative)")
  static let normalize = Option(
    "--normalize",
    summary: "also make a second text with corrected names and terms, in txt, md, json, html "
      + "and docx; \(normalizeNeeds)")
  private static let normalizeNeeds = "needs --vocabulary or $FOUNDATION_MODEL_ENDPOINT"
  /// `normalize` of a verb that does not write documents.
  /// - Parameter use: what is done with the second text.
  static func normalizing(_ use: String) -> Option {
    normalize.described("also make a second text with corrected names and terms\(use); \(normalizeNeeds)")
  }
  static let entities = Option(
    "--entities", value: "FILE",
    summary:
      "names to find for the second text: one a line, or what a database prints (ID and name as CSV or JSON)")
  static let onlyNormalized = Option(
    "--only-normalized", summary: "the second text instead of the first")
  static let translate = Option(
    "--translate", summary: "also make a second text in English, by the model")
  static let onlyTranslation = Option("--only-translation", summary: "the English text instead of the first")
  static let allowServer = Option(
    "--allow-server",
    summary:
      "let the system's server recognize a language that has no model on this device; has no effect on Linux")
  static let taskHint = Option(
    "--task-hint", value: "HINT",
    summary:
      "kind of speech, for --engine rolling: dictation, search (a few words) or confirmation (\"yes\", \"no\")"
  )
  static let punctuation = Option(
    "--punctuation",
    summary:
      "let the recognizer write punctuation, and turn a spoken \"comma\" into a comma (with --engine rolling, "
      + "spoken punctuation needs --task-hint dictation)")
  static let silenceThreshold = Option(
    "--silence-threshold", value: "DBFS",
    summary:
      "with --engine rolling: audio up to this level counts as silence, -90 to -6 (default: depends on the "
      + "measured noise of the room)")
  static let silenceDuration = Option(
    "--silence-duration", value: "SECONDS",
    summary:
      "with --engine rolling: how much silence after speech ends a recognition task, 0.1 to 10 (default: "
      + "0.5)")
  static let channels = Option(
    "--channels", value: "MODE",
    summary:
      "mix: transcribe the mix of the channels; separate: each by itself, with a speaker of its own (default: two "
      + "channels of a file are compared, and are separate if each has speech of its own, as in a call)")
  static let tracks = Option(
    "--tracks", value: "N,N",
    summary:
      "numbers of the audio tracks of a file to transcribe, or all (the default); each track is like a channel"
  )
  static let listTracks = Option("--list-tracks", summary: "list the audio tracks of the files, then exit")
  static let speakerNames = Option(
    "--speaker-names", value: "A,B",
    summary: "names of the speakers, in the order of the channels, which are then transcribed one by one")
  static let voices = Option(
    "--speakers", value: "N",
    summary:
      "separate the speakers in each channel by their voices, after the transcription; N is their number, 1 to 30, or "
      + "auto; the labels are guesses")
  static let context = Option(
    "--context", value: "WORDS", summary: "words and phrases that are likely to be said, separated by commas")
  static let vocabulary = Option(
    "--vocabulary", value: "NAME|FILE", summary: "names and terms: a vocabulary's name, or a file")
  static let languageModel = Option(
    "--language-model", value: "PATH",
    summary:
      "language model: a folder written by 'longhand vocabulary compile' or 'prepareCustomLanguageModel', or a "
      + "file exported by 'SFCustomLanguageModelData'")
  static let languageModelWeight = Option(
    "--language-model-weight", value: "W",
    summary: "how strongly to prefer the words of the vocabulary or language model, from 0 to 1 "
      + "(default: 0.04)")
  static let offset = Option(
    "--offset", value: "SECONDS", summary: "add SECONDS to all times, for a part of a longer recording")
  static let join = Option(
    "--join", summary: "join the files, in this order, to one recording")
  static let wordTimestamps = Option(
    "--word-timestamps",
    summary: "write the time of each word in txt, srt, vtt, tsv and jsonl; json, ctm and textgrid always "
      + "have it, md never")
  static let style = Option(
    "--style", value: "STYLE",
    summary: "how to write text: sentences, with capitals and punctuation (the default), or words, as "
      + "recognized")
  static let numbers = Option(
    "--numbers", value: "FORM", summary: "write numbers as spoken words or as written figures")
  static let voiceAnalytics = Option(
    "--voice-analytics",
    summary:
      "also write measures of the speech into json: words a minute, pauses, pitch, jitter, shimmer, voicing")
  static let markWordless = Option(
    "--mark-wordless",
    summary:
      "mark speech without recognized words in txt, srt and vtt: [no words recognized 0:05–0:07]; always "
      + "in md")
  static let jobs = Option(
    "--jobs", value: "N", summary: "recordings at once (default: one per processor)")
  static let maximumLineWidth = Option(
    "--max-line-width", value: "N",
    summary: "columns of a subtitle line; a Chinese or Japanese character has two (default: 42)")
  static let maximumLineCount = Option(
    "--max-line-count", value: "N", summary: "lines per subtitle (default: 2)")
  static let captionOverlap = Option(
    "--caption-overlap", value: "WAY",
    summary: "overlapping speech: together (default), dashes, turns")
  static let recursive = Option("--recursive", summary: "also process the files in subfolders")
  static let filesFrom = Option(
    "--files-from", value: "LIST",
    summary: "file with the names of the inputs, one per line or each followed by a zero byte; - is standard "
      + "input")
  static let resume = Option(
    "--resume", value: "DIR",
    summary: "write into this folder, and skip inputs whose output is finished there")
  static let raw = Option(
    "--raw", value: "E:RATE:CH",
    summary:
      "format of standard input if it has no header: encoding, samples per second and channels; for "
      + "example, s16le:16000:1 is 16-bit, 16 kHz, one channel")

  static let from = Option(
    "--from", value: "SOURCE",
    summary:
      "device to record, or - for standard input (default: the microphone); if it is given more than once, each "
      + "device is a channel: --from microphone --from monitor records you and the other side of a call"
  )
  static let listSources = Option("--list-sources", summary: "list the devices, then exit")
  static let duration = Option("--for", value: "SECONDS", summary: "stop after this many seconds")
  static let liveFormat = Option("--format", value: "F", summary: "txt or jsonl (default: txt)")

  /// The options of every verb that recognizes speech.
  static let recognition: [Option] =
    usualRecognition + [
      .languageModel, .languageModelWeight, .punctuation,
      .alternatives, .reranking,
      .engine, .silenceThreshold, .silenceDuration, .taskHint, .allowServer,
    ]
  /// The options of recognition that the page of each verb explains.
  static let usualRecognition: [Option] = [.locale, .model, .vocabulary, .context]
  /// The options that `longhand help recognition` explains.
  static let recognitionPage: [Option] = recognition + speakers + [.log, .entities]
  /// The options of the verbs that separate speakers.
  static let speakers: [Option] = [.channels, .speakerNames, .voices]
  /// The options that every verb takes.
  static let everywhere: [Option] = [.jsonErrors, .help]
}

/// The options of the verbs that print a report.
extension Option {
  static let reportJSON = Option("--json", summary: "print JSON")
  static let exact = Option(
    "--exact",
    summary: "also count other spellings of the same words as errors, such as 5 for five; use it for "
      + "languages other than English")
  static let reference = Option(
    "--reference", value: "R", summary: "file with the correct text (txt, stm or ctm)")
  static let terms = Option(
    "--terms", value: "FILE",
    summary: "file with one term per line; the report says how many of them were recognized")
  static let baseline = Option(
    "--baseline", value: "FILE",
    summary: "earlier report, written with --json; the new report names the recordings that have more errors "
      + "now")
}
