import Foundation

/// A text to be scored, or the reference to score it by: `txt`, or one of NIST's forms `stm` and `ctm`.
public struct ScoredText: Sendable, Hashable {
  /// How a text is written down.
  public enum Format: String, Sendable, CaseIterable {
    /// Plain text.
    case txt
    /// Segment time marks: `file channel speaker begin end [<label>] text`.
    case stm
    /// Time-marked words: `file channel begin duration word [confidence]`.
    case ctm
  }

  /// A stretch of a recording with its text; a single word in a `ctm`.
  public struct Utterance: Sendable, Hashable {
    /// The recording's name; empty in a `txt`.
    public var file: String
    /// Seconds from the start of the recording; 0 in a `txt`.
    public var start: TimeInterval
    /// Seconds from the start of the recording; 0 in a `txt`.
    public var end: TimeInterval
    /// The text, as it was written.
    public var text: String

    /// Each field by its name.
    public init(file: String = "", start: TimeInterval = 0, end: TimeInterval = 0, text: String) {
      self.file = file
      self.start = start
      self.end = end
      self.text = text
    }
  }

  /// How the text was written down.
  public var format: Format
  /// What was said; of `stm` and `ctm` sorted by file and start.
  public var utterances: [Utterance]
  /// The stretches of an `stm` that are not to be scored; their texts mean nothing.
  public var ignored: [Utterance]

  /// Each field by its name.
  public init(format: Format, utterances: [Utterance], ignored: [Utterance] = []) {
    self.format = format
    self.utterances = utterances
    self.ignored = ignored
  }

  /// A plain text.
  public init(text: String) { self.init(format: .txt, utterances: [Utterance(text: text)]) }

  /// All that was said, in order, parted by spaces.
  public var text: String { utterances.map(\.text).joined(separator: " ") }

  /// The recordings' names, sorted; a single empty one for a `txt`.
  public var files: [String] {
    format == .txt ? [""] : Set((utterances + ignored).map(\.file)).sorted()
  }

  /// Reads a file and takes its format from the file extension.
  ///
  /// - Throws: `EvaluationInputError`, with the line of the mistake.
  public static func read(contentsOf url: URL) throws -> ScoredText {
    guard let format = Format(rawValue: url.pathExtension.lowercased()) else {
      throw EvaluationInputError(file: url.path, reason: .unknownForm(url.pathExtension))
    }
    return try read(try InputLines.data(of: url), format: format, file: url.path)
  }

  /// Reads what a file holds; `file` names it in errors.
  ///
  /// - Throws: `EvaluationInputError`, with the line of the mistake.
  public static func read(_ data: Data, format: Format, file: String) throws -> ScoredText {
    let lines = try InputLines.lines(of: data, file: file)
    return switch format {
    case .txt: ScoredText(text: lines.joined(separator: "\n"))
    case .stm: try SegmentTimeMarks(file: file).read(lines)
    case .ctm: try TimeMarkedWords(file: file).read(lines)
    }
  }
}
