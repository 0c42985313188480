import ChildProcesses
import Foundation

/// A recognizer: a program that serves models, and what its client knows before the program runs. What the program can do
/// with a model, it says in `ready`.
///
/// A new recognizer is a new row of the table below and a program that answers the messages of this module.
public struct Recognizer: Sendable, Hashable, Codable {
  /// How many services decode at a time.
  public enum Parallelism: String, Sendable, Codable {
    /// One for each processor.
    case processPerCore
    /// One, which needs much memory and decodes on several processors.
    case oneProcess
  }

  /// Another recognizer that is asked about the same audio.
  public struct Assistant: Sendable, Hashable, Codable {
    /// What it is asked.
    public enum Task: String, Sendable, Codable {
      /// The words of speech in which the first recognizer finds none.
      case secondTry
      /// What is said of the domain of a vocabulary.
      case domain
      /// When the words of the first recognizer are said.
      case times
    }

    /// The ID of the recognizer.
    public var recognizer: String
    /// What it is asked.
    public var tasks: [Task]
  }

  /// The name in the descriptions of models, such as `sherpa-onnx`.
  public var id: String
  /// The name of the executable.
  public var program: String
  /// The environment variable that names the executable.
  public var variable: String
  /// How many services decode at a time.
  public var parallelism: Parallelism
  /// Loading a model takes as long as decoding this many seconds of audio, at most.
  public var loading: TimeInterval
  /// Seconds of audio that the recognizer decodes best at once; nil if every utterance is decoded by itself.
  public var window: TimeInterval?
  /// The languages (BCP 47) of the model that comes with the recognizer; empty if users install its models.
  public var ownLanguages: [String] = []
  /// Whether it uses the language model of a domain, by itself or by its assistant. The others expect the terms of the domain as phrases.
  public var usesLanguageModels = false
  /// The recognizer that is asked beside this one, in the languages of its own model; nil for none.
  public var assistant: Assistant?
  /// What its words need to be kept.
  public var words: WordPolicy
  /// Whether its alternatives are hypotheses of one search, in the order of their likelihood, so that rules may choose among
  /// them; nil for no. Those of a recognizer that decodes several times are not.
  public var listsHypotheses: Bool?
}

extension Recognizer {
  /// Finds the program.
  package var locator: ProgramLocator { ProgramLocator(name: program, variable: variable) }

  /// PocketSphinx, whose model for English comes with it.
  public static let pocketSphinx = Recognizer(
    id: "pocketsphinx", program: "pocketsphinx-service", variable: "SPEECH_SERVICE_PATH",
    parallelism: .processPerCore, loading: 5, ownLanguages: ["en-US"], usesLanguageModels: true,
    words: .byConfidence, listsHypotheses: true)

  /// sherpa-onnx. A model's files can have a gigabyte.
  public static let sherpaOnnx = Recognizer(
    id: "sherpa-onnx", program: "sherpa-service", variable: "NEURAL_SPEECH_SERVICE_PATH",
    parallelism: .oneProcess, loading: 30,
    assistant: Assistant(recognizer: pocketSphinx.id, tasks: [.secondTry]), words: .bySound)

  /// whisper.cpp. It writes words in whatever it gets, and its windows of half a minute cost less than single utterances.
  public static let whisper = Recognizer(
    id: "whisper", program: "whisper-service", variable: "WHISPER_SERVICE_PATH",
    parallelism: .processPerCore, loading: 30, window: 28, usesLanguageModels: true,
    assistant: Assistant(recognizer: pocketSphinx.id, tasks: [.secondTry, .domain, .times]),
    words: .byLikelihood, listsHypotheses: true)

  /// The recognizers of this package: what is built and installed.
  public static let builtIn = [pocketSphinx, whisper, sherpaOnnx]

  /// The environment variable that names a file with further rows, a JSON array: recognizers that are not of this package.
  public static let additionsVariable = "SPEECH_RECOGNIZERS"

  /// All recognizers. A file of additions that cannot be read adds none; see `additionsProblem`.
  public static let all = builtIn + additions(ProcessInfo.processInfo.environment)

  /// Why the file of additions cannot be read, as a sentence; nil if it can, or if there is none.
  public static let additionsProblem = additionsProblem(ProcessInfo.processInfo.environment)

  /// The recognizer with an ID; nil if there is none.
  public static func named(_ id: String) -> Recognizer? { all.first { $0.id == id } }

  static func additions(_ environment: [String: String]) -> [Recognizer] {
    guard let path = environment[additionsVariable], !path.isEmpty,
      let data = FileManager.default.contents(atPath: path)
    else { return [] }
    return (try? JSONDecoder().decode([Recognizer].self, from: data)) ?? []
  }

  static func additionsProblem(_ environment: [String: String]) -> String? {
    guard let path = environment[additionsVariable], !path.isEmpty else { return nil }
    func problem(_ why: String) -> String {
      "The file \(path) of \(additionsVariable) \(why), so that its recognizers are not used."
    }
    guard let data = FileManager.default.contents(atPath: path) else { return problem("cannot be read") }
    do {
      _ = try JSONDecoder().decode([Recognizer].self, from: data)
      return nil
    } catch DecodingError.keyNotFound(let key, _) {
      return problem("has a row without '\(key.stringValue)'")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return problem("has a value of another type\(place.isEmpty ? "" : " at \(place)")")
    } catch {
      return problem("is not a JSON array of recognizers")
    }
  }
}

/// A model and the recognizer that loads it.
public struct ModelReference: Sendable, Hashable, Codable {
  /// The recognizer.
  public var recognizer: Recognizer
  /// The path of the model's folder; empty for the model that comes with the recognizer.
  public var folder: String
  /// A digest of the model's files: another model in the same folder has another digest. Empty for the model that comes
  /// with the recognizer.
  public var digest: String
  /// The path of the folder of another model, which the recognizer asks where this one is in doubt; nil for none.
  public var witness: String?

  package init(_ recognizer: Recognizer, folder: String, digest: String, witness: String? = nil) {
    (self.recognizer, self.folder, self.digest, self.witness) = (recognizer, folder, digest, witness)
  }

  /// The model that comes with PocketSphinx.
  public static let pocketSphinx = ModelReference(.pocketSphinx, folder: "", digest: "")

  /// The model that is asked beside this one, and its language; nil for none. For times the region does not matter.
  public func assistant(
    for task: Recognizer.Assistant.Task, locale: String
  ) -> (model: ModelReference, locale: String)? {
    guard let assistant = recognizer.assistant, assistant.tasks.contains(task),
      let recognizer = Recognizer.named(assistant.recognizer)
    else { return nil }
    let code = { (locale: String) in locale.split { "-_".contains($0) }.first?.lowercased() }
    let language = recognizer.ownLanguages.first {
      $0 == locale || (task == .times && code($0) == code(locale))
    }
    return language.map { (ModelReference(recognizer, folder: "", digest: ""), $0) }
  }
}
