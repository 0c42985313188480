import Foundation
import Longhand

/// `longhand align`: finds the times of the words of a known text.
struct AlignCommand: Verb {
  static let description = VerbDescription(
    name: "align",
    summary: "Find when each word of a known text is said",
    operands: "AUDIO TEXTFILE",
    discussion: """
      TEXTFILE has plain text or subtitles (srt, vtt), or is '-' for standard input.
      The words are printed as they are in TEXTFILE, with a time for each word in
      the formats that have times. Of subtitles only the times change: their cues,
      numbers, lines, tags and notes stay, in the same format. A subtitle that is not
      found, such as [music], moves with its neighbours.
      AUDIO can be hours long, and can have sentences that are not in TEXTFILE.
      Words that are not said are left out. A warning names the first of them;
      --format json lists all of them, and the words that are said and are not in
      TEXTFILE. Numbers can be written as figures or as words, abbreviations too in
      English.
      """,
    options: [.format, .txt, .srt, .vtt, .json, .output, .outputFolder, .force, .locale, .model]
      + [.wordTimestamps, .maximumLineWidth, .maximumLineCount]
      + [
        .jobs.described("recognizer processes for the recording (default: one per processor)"), .progress,
        .quiet,
      ],
    examples: [
      .init(
        purpose: "Write captions that show each word when it is said",
        command: "longhand align talk.wav talk.txt --word-timestamps -o talk.vtt"),
      .init(
        purpose: "Print the times of words for Praat",
        command: "longhand align talk.wav talk.txt --format textgrid"),
      .init(
        purpose: "Correct the times of subtitles",
        command: "longhand align film.mp4 film.srt -o film.timed.srt"),
    ])

  /// The largest text, in bytes.
  private static let maxText = 64 << 20

  private let arguments: ParsedArguments
  private let text: AudioInput

  init(_ arguments: ParsedArguments) throws {
    let operands = try arguments.operands(named: ["AUDIO", "TEXTFILE"])
    guard operands != ["-", "-"] else {
      throw Failure.usage("Standard input can be read only once.", hint: "Name a file with the text.")
    }
    text = AudioInput(operand: operands[1])
    var rest = arguments
    rest.operands = [operands[0]]
    self.arguments = rest
    try checkTextIsSafe(from: TranscribeCommand(rest, text: KnownText("")))
  }

  private func checkTextIsSafe(from command: TranscribeCommand) throws {
    try command.plan.checkAreSafe([text], beside: command.inputs)
  }

  func run(_ console: Console) async throws -> Int32 {
    let contents = try await contents()
    let subtitles = SubtitleFile(contents)
    if subtitles == nil, ["srt", "vtt"].contains(PathName.fileExtension(of: text.operand)) {
      throw Failure(.malformed, "The file has no subtitles.", input: text.name, hint: "Check the file.")
    }
    let known = subtitles.map { KnownText($0) } ?? KnownText(contents)
    guard !known.isEmpty else {
      throw Failure(.empty, "The text has no words.", input: text.name, hint: "Check the file.")
    }
    let command = try TranscribeCommand(subtitles.map(arguments(for:)) ?? arguments, text: known)
    if let format = subtitles?.format, command.plan.formats.contains(format),
      let option = arguments.given([.wordTimestamps, .maximumLineWidth, .maximumLineCount]).first?.option
    {
      throw Failure.usage(
        "The option \(option) would change the subtitles.",
        hint: "Remove it, or write another format than \(format.rawValue).")
    }
    // The format of the subtitles may name other files.
    try checkTextIsSafe(from: command)
    return try await command.run(console)
  }

  /// The arguments with the format of the subtitles, unless another one is named.
  private func arguments(for subtitles: SubtitleFile) -> ParsedArguments {
    let output = arguments.value(.output) ?? "-"
    guard arguments.given([.format, .txt, .srt, .vtt, .json]).isEmpty,
      output == "-" || PathName.fileExtension(of: output).isEmpty
    else { return arguments }
    var arguments = arguments
    arguments.add(subtitles.format.rawValue, of: .format)
    return arguments
  }

  private func contents() async throws -> String {
    let isStream = try text.check()
    let spool = isStream ? try await Spool.copy(text, raw: nil) : nil
    defer { spool?.remove() }
    let data = try NamedFile(text.operand).withURL {
      try Data(contentsOf: spool?.file ?? $0, options: .mappedIfSafe)
    }
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
