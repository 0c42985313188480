/// One option of a verb: its names, whether it takes a value, and what it does.
struct Option: Sendable, Hashable {
  /// The names with their dashes, the one that errors and help speak of last.
  var names: [String]
  /// What the help calls the value; `nil` when the option takes none.
  var value: String?
  /// What it does, in a few words.
  var summary: String

  init(_ names: String..., value: String? = nil, does summary: String) {
    self.names = names
    self.value = value
    self.summary = summary
  }

  /// The name that errors and help speak of.
  var name: String { names.last ?? "" }
}

/// The options that several verbs share, each declared once so that it means the same everywhere.
extension Option {
  static let help = Option("-h", "--help", does: "shows this help")
  static let jsonErrors = Option("--json-errors", does: "errors as JSON objects on standard error")
  static let quiet = Option("-q", "--quiet", does: "no progress")
  static let progress = Option("--progress", value: "json", does: "progress as JSON lines on standard error")

  static let format = Option(
    "--format", value: "F[,F…]", does: "txt srt vtt json jsonl tsv ctm textgrid md")
  static let txt = Option("--txt", does: "short for --format txt")
  static let srt = Option("--srt", does: "short for --format srt")
  static let vtt = Option("--vtt", does: "short for --format vtt")
  static let json = Option("--json", does: "short for --format json")

  static let outputFolder = Option(
    "--output-dir", value: "DIR", does: "one file an input and format, in this folder")
  static let output = Option(
    "-o", "--output", value: "FILE", does: "one file; its extension names the format")
  static let force = Option("--force", does: "writes over files that exist")

  static let library = Option(
    "--library", value: "DIR", does: "the library (default: $LONGHAND_LIBRARY, or the user's)")
  static let locale = Option("--locale", value: "L", does: "the language to listen for (default: en-US)")
  static let engine = Option(
    "--engine", value: "E", does: "automatic, analyzer or rolling (default: automatic)")
  static let alternatives = Option(
    "--alternatives", value: "N", does: "candidates kept for a segment, 1 to 100 (default: 5)")
  static let reranking = Option(
    "--reranking", value: "R", does: "conservative or disabled (default: conservative)")
  static let normalize = Option(
    "--normalize", does: "the domain's spellings too, beside the transcript (txt, md, json)")
  static let vocabulary = Option(
    "--vocabulary", value: "FILE", does: "a domain's words and phrases (a vocabulary file)")
  static let languageModel = Option(
    "--language-model", value: "DIR", does: "what 'longhand vocabulary compile' made")
  static let languageModelWeight = Option(
    "--language-model-weight", value: "W", does: "how likely the domain is, 0 to 1 (default: 0.04)")
  static let wordTimestamps = Option(
    "--word-timestamps", does: "the time of every word, where the format has room")
  static let jobs = Option(
    "--jobs", value: "N", does: "how much is done at once (default: one per processor)")
  static let maximumLineWidth = Option(
    "--max-line-width", value: "N", does: "characters in a line of a caption")
  static let maximumLineCount = Option("--max-line-count", value: "N", does: "lines in a caption")
  static let raw = Option(
    "--raw", value: "E:RATE:CH", does: "standard input is raw samples, such as s16le:16000:1")

  static let from = Option("--from", value: "SOURCE", does: "a device's name, or - (default: the microphone)")
  static let listSources = Option("--list-sources", does: "lists what can be recorded, and ends")
  static let duration = Option("--for", value: "SECONDS", does: "ends by itself after so long")
  static let liveFormat = Option("--format", value: "F", does: "txt or jsonl (default: txt)")

  /// What every verb takes.
  static let everywhere: [Option] = [.jsonErrors, .help]
}

/// The options of the verbs that score.
extension Option {
  static let reportJSON = Option("--json", does: "the report as JSON")
  static let reference = Option("--reference", value: "R", does: "what was said: a txt, stm or ctm file")
  static let terms = Option("--terms", value: "FILE", does: "terms to look for, one a line")
  static let baseline = Option(
    "--baseline", value: "FILE", does: "an earlier report (--json); names the clips made worse")
}
