import Foundation
import Longhand

/// `longhand vocabulary compile`: from a vocabulary file to a language model.
struct CompileVocabulary: Verb {
  private static let folder = Option(
    "-o", "--output", value: "DIR", does: "the folder to put the language model in")

  static let description = VerbDescription(
    name: "vocabulary",
    summary: "Compiles a vocabulary file to a language model",
    operands: "compile FILE -o DIR",
    discussion: """
      FILE says what a domain sounds like: words and how they are pronounced, phrases,
      patterns of phrases. DIR is then what --language-model takes. It may be there
      already if it is empty, or holds a language model; then that is replaced.
      """,
    options: [folder],
    examples: [
      .init(
        purpose: "once, for many recordings", command: "longhand vocabulary compile chess.json5 -o chess")
    ])

  private let file: String
  private let folder: String

  init(_ arguments: ParsedArguments) throws {
    let operands = try arguments.operands(named: ["compile", "FILE"])
    guard operands[0] == "compile" else {
      throw Failure.usage("vocabulary does not know '\(operands[0])'", hint: arguments.listing)
    }
    file = operands[1]
    guard let folder = arguments.value(Self.folder) else {
      throw Failure.usage("-o is missing", hint: arguments.listing)
    }
    self.folder = folder
  }

  func run(_ console: Console) async throws -> Int32 {
    let place = URL(fileURLWithPath: folder)
    let content = try? FileManager.default.contentsOfDirectory(atPath: folder)
    let isOurs = (try? LanguageModelFolder(place)) != nil
    if FileManager.default.fileExists(atPath: folder), content?.isEmpty != true, !isOurs {
      throw Failure(
        .outputExists, "it is there, and no language model is in it", input: folder,
        hint: "choose another folder")
    }
    do {
      try await LanguageModelFolder.compile(URL(fileURLWithPath: file), into: place)
    } catch {
      throw Failure(vocabulary: error, file: file)
    }
    return ExitStatus.done
  }
}
