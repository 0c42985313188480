import Foundation
import Longhand
import Synchronization

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
      guard language.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
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

/// The last transcript of a file that is not in the library, in memory until the connection ends, so that a long one is read in parts.
final class MCPFileTranscripts: Sendable {
  private struct Key: Equatable {
    var arguments: MCPArguments
    var size: Int
    var modified: Date
  }

  private let last = Mutex<(key: Key, transcript: Transcript)?>(nil)

  /// The transcript with the same arguments, if the file is the same; else a new one.
  func transcript(
    _ arguments: MCPArguments, of path: String, make: () async throws -> Transcript
  ) async throws -> Transcript {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let key = Key(
      arguments: arguments.only(MCPRecognition.parameters), size: facts?[.size] as? Int ?? 0,
      modified: facts?[.modificationDate] as? Date ?? .distantPast)
    if let known = last.withLock({ $0?.key == key ? $0?.transcript : nil }) { return known }
    let transcript = try await make()
    last.withLock { $0 = (key, transcript) }
    return transcript
  }
}

/// The tool that transcribes a file and keeps nothing of it.
extension MCPChanges {
  var transcribeTool: MCPTools.Tool {
    let known = MCPFileTranscripts()
    return MCPTools.Tool(
      name: "transcribe", title: "Transcribe a file",
      description:
        "Transcribe an audio or video file of this computer. Nothing is stored: use 'import' for what is to be searched later.",
      parameters: MCPRecognition.parameters + [
        MCPParameter(
          "segment", .integer(0...Int(Int32.max)),
          "The number of the first segment: 'next' of the answer before. The file is not transcribed again."),
        .maxCharacters, MCPForm.include,
      ], isLong: true
    ) { arguments, progress in
      let work = try await MCPRecognition(arguments, try await transcriber(), scope.library)
      let transcript = try await known.transcript(arguments, of: work.path) {
        try await work.transcriber.transcribe(work.named.url) { progress($0.processed, $0.duration) }
      }
      return Self.document(transcript, from: arguments.integer("segment") ?? 0, MCPForm(arguments))
    }
  }

  private static func document(_ transcript: Transcript, from first: Int, _ form: MCPForm) -> JSONValue {
    let names = Dictionary(transcript.speakers.map { ($0.id, $0.name) }) { first, _ in first }
    let written = transcript.writtenInSentences(names: transcript.names).segments
    var items = MCPItems(form)
    for (number, segment) in transcript.segments.enumerated().dropFirst(first) where !items.isFull {
      let shown = ShownSegment(
        number: number, segment: segment, written: written[number], normalized: nil, beginsParagraph: false)
      items.add(.object([("segment", .integer(number))] + MCPScope.members(of: shown, names, form)))
    }
    let next = first + items.values.count
    // The passages of the same part.
    let start = first > 0 ? transcript.segments.dropFirst(first).first?.start ?? .infinity : 0
    let end = transcript.segments.dropFirst(next).first?.start ?? .infinity
    let translation = transcript.translation.map { translation in
      var part = translation
      part.passages = translation.passages.filter { $0.start >= start && $0.start < end }
      return ("translation", JSONDocument.translation(part))
    }
    return MCPScope.document(
      [
        ("source", .string(transcript.source)), ("seconds", .seconds(transcript.duration)),
        ("locale", .string(transcript.locale)), ("segments", .array(items.values)),
        ("next", next < transcript.segments.count ? .integer(next) : .null),
        ("coverage", JSONDocument.coverage(transcript.coverage)),
      ] + (translation.map { [$0] } ?? [])
        + (transcript.warnings.isEmpty ? [] : [("warnings", JSONDocument.warnings(transcript.warnings))]))
  }
}
