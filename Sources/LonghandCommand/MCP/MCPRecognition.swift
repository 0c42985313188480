import Foundation
import Longhand

/// How a file is transcribed that an agent names, as it can be chosen for the command and the API too.
struct MCPRecognition: Sendable {
  static let parameters = [
    MCPParameter("path", .text, "The path of the file; it begins with a slash.", required: true),
    MCPParameter("language", .text, "Such as 'en-US'; 'auto' or nothing detects it."),
    MCPParameter("model", .text, "The name of an installed model."),
    MCPParameter("vocabulary", .text, "The name of a vocabulary of the library, with names and terms."),
    MCPParameter("words", .texts([]), "Names and terms that may be said."),
    MCPParameter("speakers", .count, "Separate the speakers: their number, or 'auto'."),
    MCPParameter("translate", .flag, "Whether a second text in English is made too."),
  ]

  /// The path, and the file that stays open.
  let path: String
  let file: AudioInput
  let named: NamedFile
  let transcriber: FileTranscriber

  /// - Parameter usual: what transcribes if nothing is chosen.
  /// - Throws: a `Failure`; errors of the library and of the recognizer.
  init(_ arguments: MCPArguments, _ usual: FileTranscriber, _ library: Library) async throws {
    path = try arguments.required("path")
    guard path.hasPrefix("/") else {
      throw Failure(.unreadable, "The path does not begin with a slash.", input: path)
    }
    file = AudioInput(operand: path)
    guard try !file.check() else { throw Failure(.unreadable, "This is a pipe, not a file.", input: path) }
    named = NamedFile(path)
    transcriber = FileTranscriber(options: try await Self.options(arguments, usual.options, library))
  }

  private static func options(
    _ arguments: MCPArguments, _ usual: TranscriptionOptions, _ library: Library
  ) async throws -> TranscriptionOptions {
    func given(_ name: String) -> String? {
      arguments.text(name).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    var choice = RecognitionChoice(model: given("model"), vocabulary: given("vocabulary"))
    if let language = given("language") {
      guard language.isLanguageTag else {
        throw Failure.usage(
          "The argument 'language' cannot be '\(language)'.", hint: "Use one such as en-US.")
      }
      choice.locale = language
    }
    if let count = given("speakers") {
      guard let voices = VoiceCount(rawValue: count) else {
        throw Failure.usage(
          "The argument 'speakers' is 'auto' or a number from 1 to \(VoiceCount.numbers.upperBound).")
      }
      choice.voices = voices
    }
    var options = usual
    do {
      if choice != RecognitionChoice() { options = try await library.options(usual, choice) }
    } catch let error as VocabularyError {
      throw Failure.usage(
        "The vocabulary cannot be used: \(error.problem).",
        hint: "Those of the library: \(library.vocabularies.allNames.joined(separator: ", ")).")
    }
    options.contextualStrings += arguments.texts("words")
    options.translates = options.translates || arguments.flag("translate")
    let resolved = try options.resolved()
    if options.translates { try resolved.checkTranslation() }
    _ = try await EngineFactory(resolved).engine()
    return options
  }
}
