import Foundation
import Longhand

/// `longhand align`: finds the times of the words of a known text.
struct AlignCommand: Verb {
  static let description = VerbDescription(
    name: "align",
    summary: "Find when each word of a known text is said",
    operands: "AUDIO TEXT",
    discussion: """
      TEXT is a file with plain text, or '-' for standard input. The words are printed
      as they are in TEXT, with a time for each word in the formats that have times.
      AUDIO can be hours long, and can have sentences that are not in TEXT. Words that
      are not said are left out. A warning names the first of them; --format json
      lists all of them, and the words that are said and are not in TEXT. Numbers can
      be written as figures or as words, abbreviations too in English.
      """,
    options: [.format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .locale, .model]
      + [.wordTimestamps, .maximumLineWidth, .maximumLineCount, .jobs, .progress, .quiet],
    examples: [
      .init(
        purpose: "Write captions that show each word when it is said",
        command: "longhand align talk.wav talk.txt --word-timestamps -o talk.vtt"),
      .init(
        purpose: "Print the times of words for Praat",
        command: "longhand align talk.wav talk.txt --format textgrid"),
    ])

  /// The largest text, in bytes.
  private static let maxText = 64 << 20

  private let arguments: ParsedArguments
  private let text: AudioInput

  init(_ arguments: ParsedArguments) throws {
    let operands = try arguments.operands(named: ["AUDIO", "TEXT"])
    guard operands != ["-", "-"] else {
      throw Failure.usage("Standard input can be read only once.", hint: "Name a file with the text.")
    }
    text = AudioInput(operand: operands[1])
    var rest = arguments
    rest.operands = [operands[0]]
    self.arguments = rest
    _ = try TranscribeCommand(rest, text: KnownText(""))
  }

  func run(_ console: Console) async throws -> Int32 {
    let known = KnownText(try await contents())
    guard !known.isEmpty else {
      throw Failure(.empty, "The text has no words.", input: text.name, hint: "Check the file.")
    }
    return try await TranscribeCommand(arguments, text: known).run(console)
  }

  private func contents() async throws -> String {
    let isStream = try text.check()
    let spool = isStream ? try await Spool.copy(text, raw: nil) : nil
    defer { spool?.remove() }
    let file = NamedFile(text.operand)
    let data = try Data(contentsOf: spool?.file ?? file.url, options: .mappedIfSafe)
    guard data.count <= Self.maxText else {
      throw Failure(.malformed, "The text is longer than \(Self.maxText >> 20) MB.", input: text.name)
    }
    guard let contents = String(validating: data, as: UTF8.self) else {
      throw Failure(
        .malformed, "The text is not UTF-8.", input: text.name, hint: "Is it a text file? Example: talk.txt")
    }
    return contents
  }
}
