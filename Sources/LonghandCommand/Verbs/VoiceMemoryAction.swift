import Foundation
import Longhand

/// What `longhand speakers` does with the voices that are remembered beyond a session.
enum VoiceMemoryAction: Sendable {
  /// Lists them.
  case list(isJSON: Bool)
  /// Erases those of the named people; without names, all.
  case forget([String], isJSON: Bool)

  private static let file = RememberedVoices.defaultLocation

  /// Reads the action; nil if the operands name a session.
  init?(_ arguments: ParsedArguments) throws {
    let isJSON = arguments.has(.reportJSON)
    switch arguments.operands.first {
    case "remembered":
      _ = try arguments.operands(named: ["remembered"])
      self = .list(isJSON: isJSON)
    case "forget": self = .forget(Array(arguments.operands.dropFirst()), isJSON: isJSON)
    default: return nil
    }
  }

  func run(_ console: Console) throws -> Int32 {
    do {
      switch self {
      case .list(let isJSON): try Self.list(isJSON, console)
      case .forget(let names, let isJSON): try Self.forget(names, isJSON, console)
      }
    } catch let error as RememberedVoicesError {
      throw Self.failure(error)
    }
    return ExitStatus.done
  }

  private struct Listing: Encodable {
    struct Voice: Encodable {
      var name: String
      var seconds: TimeInterval
      /// Whether it is recognized by the networks, or the method, that separate voices now.
      var known: Bool
    }

    var file: String
    var voices: [Voice]
  }

  private static func list(_ isJSON: Bool, _ console: Console) throws {
    let network = RememberedVoices.installedNetwork
    let voices = try RememberedVoices(at: file).voices.map { voice in
      Listing.Voice(name: voice.name, seconds: voice.seconds, known: voice.isKnown(to: network))
    }
    if isJSON {
      return try console.output.write(JSONLine.string(Listing(file: file.path, voices: voices)) + "\n")
    }
    for voice in voices {
      let hint =
        voice.known
        ? "" : ", not recognized: remember it again, for another network or method separates voices now"
      try console.output.write(
        "\(voice.name.escapingControls)  \(Int(clamping: voice.seconds)) s of speech\(hint)\n")
    }
    if voices.isEmpty {
      console.note("No voice is remembered. Example: longhand speakers last --remember Anna")
    }
  }

  private struct Erasure: Encodable {
    var forgotten: [String]
  }

  private static func forget(_ names: [String], _ isJSON: Bool, _ console: Console) throws {
    let forgotten: [String]
    do {
      forgotten = try RememberedVoices.forget(names, at: file)
    } catch RememberedVoicesError.damaged where names.isEmpty {
      // The file cannot be read, so it is not known whose voices are in it. They are erased anyway.
      try RememberedVoices.eraseAll(at: file)
      return console.note("The file of the remembered voices was damaged. It was erased.")
    }
    if isJSON { return try console.output.write(JSONLine.string(Erasure(forgotten: forgotten)) + "\n") }
    for name in forgotten { try console.output.write("Forgot the voice of \(name.escapingControls).\n") }
    if forgotten.isEmpty { console.note("No voice is remembered.") }
  }

  /// Remembers the voice of a speaker of a session.
  /// - Throws: a `Failure`.
  static func remember(
    _ name: String, in session: RecordedSession, _ library: Library, _ console: Console
  ) async throws {
    let id = String(session.id.prefix(8))
    do {
      let voice = try await library.rememberVoice(of: name, in: session.id, at: file)
      console.note(
        "The voice of \(voice.name) is remembered from \(Int(clamping: voice.seconds)) s of speech.")
    } catch let error as RememberedVoicesError {
      throw failure(error).about(id)
    } catch let error as SpeakerError {
      throw Failure(
        .notFound, error.description, input: id, hint: "'longhand speakers \(id)' lists the speakers.")
    }
  }

  private static func failure(_ error: RememberedVoicesError) -> Failure {
    switch error {
    case .damaged:
      Failure(.malformed, error.description, hint: "Erase it: longhand speakers forget")
    case .system: Failure(.output, error.description, hint: "Check the folder and its permissions.")
    case .unknown:
      Failure(.notFound, error.description, hint: "'longhand speakers remembered' lists them.")
    case .tooLittle:
      Failure(.empty, error.description, hint: "Remember the voice from a session in which it speaks longer.")
    case .noAudio: Failure(.empty, error.description, hint: "Choose a session with audio.")
    case .unfinished:
      Failure(
        .library, error.description,
        hint: "If it is not being recorded now, finish it with 'longhand recover'.")
    }
  }
}
