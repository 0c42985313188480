import Foundation
import Observation
import Synchronization

/// The language model that answers.
///
/// On Linux it is a model that the user runs, behind an OpenAI-compatible server (llama.cpp's, Ollama, LM Studio,
/// vLLM). `FOUNDATION_MODEL_ENDPOINT` names it, such as `http://127.0.0.1:8080/v1`; `FOUNDATION_MODEL_NAME`,
/// `FOUNDATION_MODEL_KEY` and `FOUNDATION_MODEL_CONTEXT_SIZE` say more. Without an endpoint no socket is opened, and
/// without `FOUNDATION_MODEL_REMOTE=allowed` only addresses of this machine are contacted.
final public class SystemLanguageModel: Sendable {
  /// What a model is used for.
  public struct UseCase: Sendable, Equatable {
    let preamble: String?

    /// Anything.
    public static let general = UseCase(preamble: nil)
    /// Finding what a text is about. On Linux the model is asked for it in words.
    public static let contentTagging = UseCase(
      preamble: "You tag content: name the topics, objects, actions and emotions of a text in few words each."
    )
  }

  /// What a model holds back. On Linux that is the server's choice, and these say nothing to it.
  public struct Guardrails: Sendable {
    /// What Apple's framework does if nothing is said.
    public static let `default` = Guardrails()
    /// Texts may be changed that could not be asked for.
    public static let permissiveContentTransformations = Guardrails()
  }

  private static let shared = Mutex<SystemLanguageModel?>(nil)

  let configuration: ModelConfiguration
  let useCase: UseCase
  private let probe = Mutex<(time: ContinuousClock.Instant, isListening: Bool)?>(nil)

  init(configuration: ModelConfiguration, useCase: UseCase = .general) {
    self.configuration = configuration
    self.useCase = useCase
  }

  /// The model that the environment names now.
  public static var `default`: SystemLanguageModel {
    let configuration = ModelConfiguration(environment: ProcessInfo.processInfo.environment)
    return shared.withLock { shared in
      if let shared, shared.configuration == configuration { return shared }
      let model = SystemLanguageModel(configuration: configuration)
      shared = model
      return model
    }
  }

  /// The model that the environment names now, for a use.
  public convenience init(useCase: UseCase = .general, guardrails: Guardrails = Guardrails.default) {
    self.init(
      configuration: ModelConfiguration(environment: ProcessInfo.processInfo.environment), useCase: useCase)
  }

  /// Whether the model can be asked.
  ///
  /// On Linux: `deviceNotEligible` if no endpoint is configured, `appleIntelligenceNotEnabled` if the one that is must
  /// not be contacted, `modelNotReady` if nobody listens there, of which the answer is remembered for a second.
  final public var availability: Availability {
    switch configuration {
    case .none: return .unavailable(.deviceNotEligible)
    case .refused: return .unavailable(.appleIntelligenceNotEnabled)
    case .endpoint(let endpoint):
      let isListening = probe.withLock { probe in
        if let probe, probe.time.duration(to: .now) < .seconds(1) { return probe.isListening }
        let isListening = endpoint.isListening()
        probe = (.now, isListening)
        return isListening
      }
      return isListening ? .available : .unavailable(.modelNotReady)
    }
  }

  /// Whether the model can be asked.
  final public var isAvailable: Bool { availability == .available }

  /// The languages that the model may speak. Which ones it does, no server tells: on Linux all that have a code of
  /// two letters.
  final public var supportedLanguages: Set<Locale.Language> {
    Set(
      Locale.LanguageCode.isoLanguageCodes.filter { $0.identifier.count == 2 }.map {
        Locale.Language(languageCode: $0)
      })
  }

  /// Whether the model may speak a locale's language.
  final public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    guard let code = locale.language.languageCode else { return false }
    return supportedLanguages.contains(Locale.Language(languageCode: code))
  }

  /// How many tokens the model keeps in mind: what `FOUNDATION_MODEL_CONTEXT_SIZE` says, or 4096.
  final public var contextSize: Int {
    if case .endpoint(let endpoint) = configuration { return endpoint.contextSize }
    return ModelEndpoint.defaultContextSize
  }

  /// The server to ask.
  /// - Throws: `LanguageModelSession.GenerationError.assetsUnavailable`, which says what to do.
  var endpoint: ModelEndpoint {
    get throws {
      switch configuration {
      case .endpoint(let endpoint): return endpoint
      case .refused(let reason):
        throw LanguageModelSession.GenerationError.assetsUnavailable(.init(debugDescription: reason))
      case .none:
        throw LanguageModelSession.GenerationError.assetsUnavailable(
          .init(
            debugDescription:
              "No language model is configured. Start an OpenAI-compatible server, such as llama.cpp's, and set "
              + "FOUNDATION_MODEL_ENDPOINT to its address, such as http://127.0.0.1:8080/v1."))
      }
    }
  }
}

extension SystemLanguageModel: nonisolated Observable {}
