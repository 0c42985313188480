import Foundation

/// A text to score, or the reference to score it against: plain text, or one of NIST's formats `stm` and `ctm`.
package struct ScoredText: Sendable, Hashable {
  /// The format of a text.
  package enum Format: String, Sendable, CaseIterable {
    /// Plain text.
    case txt
    /// Segment time marks: `file channel speaker begin end [<label>] text`.
    case stm
    /// Time-marked words: `file channel begin duration word [confidence]`.
    case ctm
  }

  /// A part of a recording with its text; a single word in a `ctm`.
  package struct Utterance: Sendable, Hashable {
    /// The name of the recording; empty in a `txt`.
    package var file: String = ""
    /// Seconds from the start of the recording; 0 in a `txt`.
    package var start: TimeInterval = 0
    /// Seconds from the start of the recording; 0 in a `txt`.
    package var end: TimeInterval = 0
    /// The text.
    package var text: String
  }

  /// The format of the file.
  package var format: Format
  /// The utterances; those of `stm` and `ctm` are sorted by file and start.
  package var utterances: [Utterance]
  /// The parts of an `stm` that are not scored; their texts mean nothing.
  package var ignored: [Utterance]

  package init(format: Format, utterances: [Utterance], ignored: [Utterance] = []) {
    self.format = format
    self.utterances = utterances
    self.ignored = ignored
  }

  package init(text: String) { self.init(format: .txt, utterances: [Utterance(text: text)]) }

  /// The texts of all utterances in order, separated by spaces.
  package var text: String { utterances.map(\.text).joined(separator: " ") }

  /// The names of the recordings, sorted; a single empty name for a `txt`.
  package var files: [String] {
    format == .txt ? [""] : Set((utterances + ignored).map(\.file)).sorted()
  }

  /// Reads a file and takes its format from the file extension.
  ///
  /// - Throws: `EvaluationInputError`, with the line of the error.
  package static func read(contentsOf url: URL) throws -> ScoredText {
    guard let format = Format(rawValue: url.pathExtension.lowercased()) else {
      throw EvaluationInputError(file: url.path, reason: .unknownFormat(url.pathExtension))
    }
    return try read(try InputLines.data(of: url), format: format, file: url.path)
  }

  /// Reads the contents of a file; `file` is its name in errors.
  ///
  /// - Throws: `EvaluationInputError`, with the line of the error.
  package static func read(_ data: Data, format: Format, file: String) throws -> ScoredText {
    let lines = try InputLines.lines(of: data, file: file)
    return switch format {
    case .txt: ScoredText(text: lines.joined(separator: "\n"))
    case .stm: try TimeMarkReader(file: file).segments(lines)
    case .ctm: try TimeMarkReader(file: file).words(lines)
    }
  }
}
