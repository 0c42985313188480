import FileSupport
import Foundation
import Longhand

/// The option `--resume`: outputs go into a folder, and those that are finished are not made again.
struct ResumeOption: Sendable {
  /// The options that change no output, or not its contents. All others do.
  private static let irrelevant: Set<Option> = [
    .output, .outputFolder, .force, .resume, .recursive, .filesFrom, .raw, .join, .listTracks, .log, .jobs,
    .progress, .quiet,
  ]

  /// The folder.
  let folder: String
  private let arguments: [String]
  /// The SHA-256 digest of the file of names; nil if there is none.
  private let names: String?

  /// Reads the option; nil if it is not given.
  init?(_ arguments: ParsedArguments, inputs: [AudioInput]) throws {
    guard let folder = arguments.value(.resume) else { return nil }
    guard !arguments.has(.output), !arguments.has(.outputFolder) else {
      throw Failure.usage(
        "The option --resume names the folder for the output.", hint: "Remove --output and --output-dir.")
    }
    if inputs.contains(where: \.isStandardInput) {
      throw Failure.usage("Standard input cannot be transcribed with --resume.", hint: "Name a file.")
    }
    self.folder = folder
    self.arguments = arguments.arguments(
      of: TranscribeCommand.description.options.filter { !Self.irrelevant.contains($0) })
    names = arguments.value(.entities).flatMap { path in
      try? NamedFile(path).withURL { try SHA256.hash(contentsOf: $0).hexadecimal }
    }
  }

  /// What is known of an input's output, with its audio as it is now.
  /// - Throws: an error of Foundation if the input cannot be read; `CancellationError`.
  func entry(for input: AudioInput, _ options: TranscriptionOptions) throws -> ResumeRecord.Entry {
    let model = options.modelStamp
    // The name of a vocabulary or a file of names may stay the same while its contents change.
    let all =
      arguments + [
        HelpPage.version, model?.name ?? "", model?.sha256 ?? "", options.languageModel?.stamp.sha256 ?? "",
        names ?? "",
      ]
    return ResumeRecord.Entry(
      output: input.stem, source: PathName.absolute(input.operand), isDone: true,
      sha256: try NamedFile(input.operand).withURL { try SHA256.hash(contentsOf: $0).hexadecimal },
      options: SHA256.hash(data: Data(all.joined(separator: "\n").utf8)).hexadecimal)
  }
}
