import Foundation
import LonghandTranscripts
import LonghandVocabulary
import Punctuation
import Speech

/// Which installed model recognizes. On Apple platforms the system chooses.
public enum ModelChoice: Sendable, Hashable {
  /// The best that is installed for the language; the environment variable `SPEECH_MODEL` can name another.
  case best
  /// The model with a name; `pocketsphinx` is the one that comes with Longhand.
  case named(String)
  /// A model that was found before. It stays the same, whatever is installed or removed later.
  case found(RecognitionModel)
}

/// A model that was found for a language, and what is installed beside it.
public struct RecognitionModel: Sendable, Hashable {
  /// Its name and digest.
  public let stamp: ModelStamp
  /// Whether it came with its recognizer, so that no user has installed it.
  public let isEmbedded: Bool

  #if os(Linux)
    fileprivate let model: SpeechModel
    /// Writes punctuation and capitals; nil if no model for that is installed.
    let punctuator: NeuralPunctuator?

    fileprivate init(_ model: SpeechModel) {
      stamp = ModelStamp(name: model.name, sha256: model.sha256)
      isEmbedded = model.isEmbedded
      self.model = model
      punctuator = .installed()
    }

    /// Models are the same if they have the same names and digests.
    public static func == (one: RecognitionModel, other: RecognitionModel) -> Bool {
      one.model == other.model
    }

    /// Hashes the model.
    public func hash(into hasher: inout Hasher) { hasher.combine(model) }
  #endif
}

extension TranscriptionOptions {
  /// What is transcribed with: these options, and the model that is found for them now.
  ///
  /// Whatever transcribes does this once, when it begins.
  /// - Throws: `TranscriptionError.notInstalled` if the named model is not installed or does not recognize the language, or if
  ///   the platform chooses the model.
  package func resolved() throws(TranscriptionError) -> ResolvedOptions {
    let name: String?
    switch model {
    case .found: return ResolvedOptions(request: self)
    case .best: name = nil
    case .named(let wanted): name = wanted
    }
    #if os(Linux)
      var options = self
      do {
        if let found = try SpeechModel.resolved(name, for: locale) {
          options.model = .found(RecognitionModel(found))
        }
      } catch {
        throw .notInstalled(
          error.localizedDescription, hint: "'longhand models list' shows the models that can be installed.")
      }
      return ResolvedOptions(request: options)
    #else
      guard let name else { return ResolvedOptions(request: self) }
      throw .notInstalled(
        "The model '\(name)' cannot be selected", hint: "The system chooses the model.")
    #endif
  }

  /// The name and the digest of the model that recognizes if the work begins now; nil if there is none, or if the platform
  /// does not report it.
  public var modelStamp: ModelStamp? { (try? resolved())?.modelStamp }
}

/// What is transcribed with: what was asked for, and the model that was found for it. `TranscriptionOptions.resolved()`
/// makes it. It has every property of the options.
@dynamicMemberLookup
package struct ResolvedOptions: Sendable, Hashable {
  /// What was asked for, with the model that was found: with these options, others are transcribed by the same one.
  package private(set) var request: TranscriptionOptions

  fileprivate init(request: TranscriptionOptions) { self.request = request }

  package subscript<Value>(dynamicMember path: KeyPath<TranscriptionOptions, Value>) -> Value {
    request[keyPath: path]
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<TranscriptionOptions, Value>) -> Value {
    get { request[keyPath: path] }
    set { request[keyPath: path] = newValue }
  }

  /// The model; nil if none is installed for the language, or if the platform does not report it.
  package var found: RecognitionModel? {
    if case .found(let model) = request.model { model } else { nil }
  }

  /// The name and the digest of the model.
  package var modelStamp: ModelStamp? { found?.stamp }

  #if os(Linux)
    var speechModel: SpeechModel? { found?.model }

    /// Writes punctuation and capitals where the recognizer writes none.
    package var punctuator: NeuralPunctuator? {
      guard request.locale.isEnglish, !request.addsPunctuation, let found, !found.model.isPunctuated else {
        return nil
      }
      return found.punctuator
    }
  #else
    var punctuator: (any Punctuator)? { nil }
  #endif

  /// The installed model that writes punctuation and capitals; nil if there is none for the language, or if the recognizer
  /// itself writes them.
  package var punctuation: ModelStamp? {
    #if os(Linux)
      punctuator.map { ModelStamp(name: $0.name, sha256: $0.sha256) }
    #else
      nil
    #endif
  }

  /// Whether the model can prefer words and phrases. Where only its recognizer knows, the recognizer is asked.
  /// - Throws: an error whose `localizedDescription` says why there is no answer.
  package func prefersPhrases() async throws -> Bool {
    #if os(Linux)
      guard let model = speechModel, !model.usesLanguageModels else { return true }
      // Threads of Swift's concurrency must not wait for a process.
      return try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result { try model.capabilities(locale: request.expectedLocale).prefersPhrases })
        }
      }
    #else
      return true
    #endif
  }

  /// The phrases that requests expect. A recognizer without language models of domains expects the terms of the vocabulary.
  /// Letters with accents are one character each, as recognizers write them: they compare bytes.
  var expectedPhrases: [String] {
    #if os(Linux)
      if speechModel?.usesLanguageModels == false {
        return request.spelledTerms.map(\.precomposedStringWithCanonicalMapping)
      }
    #endif
    return request.contextualStrings.map(\.precomposedStringWithCanonicalMapping)
  }

  /// Whether the recognizer's alternatives are hypotheses of one search; on Apple platforms they are.
  var listsHypotheses: Bool {
    #if os(Linux)
      speechModel?.listsHypotheses ?? true
    #else
      true
    #endif
  }

  /// Checks that the recognizer takes all phrases, so that none is left out without a word. One that cannot prefer words
  /// ignores all of them, which is reported elsewhere.
  /// - Throws: `TranscriptionError.tooManyPhrases`.
  func checkPhrases() async throws(TranscriptionError) {
    let count = expectedPhrases.count
    guard count > VocabularyUse.maxPhrases, await (try? prefersPhrases()) != false else { return }
    throw .tooManyPhrases(count, limit: VocabularyUse.maxPhrases)
  }
}

extension TranscriptionOptions {
  /// The installed models with their languages; empty if the system chooses the model.
  package static var models: [(name: String, languages: [String], detectsLanguage: Bool)] {
    #if os(Linux)
      SpeechModel.usable()
    #else
      []
    #endif
  }
}

extension AnalysisContext {
  /// Makes analyzers recognize by a model, and results carry what was recognized; nil leaves the choice to the framework.
  func use(_ model: RecognitionModel?) {
    #if os(Linux)
      self.model = model?.model
      reportsUtterances = true
    #endif
  }
}

extension AnalysisContext {
  /// Makes analyzers detect the language of what follows a time.
  /// - Parameter isKnown: whether it begins with the transcriber's; else that is only expected.
  func detectLanguages(from start: TimeInterval, isKnown: Bool) {
    #if os(Linux)
      detectsLanguages = (start, isKnown)
    #endif
  }
}

extension SFSpeechRecognizer {
  /// Makes tasks recognize by a model; nil leaves the choice to the framework.
  func use(_ model: RecognitionModel?) {
    #if os(Linux)
      self.model = model?.model
    #endif
  }
}
