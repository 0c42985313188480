import Foundation
import Observation
import Synchronization

/// The language model that sessions use.
///
/// ```swift
/// import FoundationModels
///
/// let model = SystemLanguageModel.default
/// switch model.availability {
/// case .available: print("ready, with a context of", model.contextSize, "tokens")
/// case .unavailable(.deviceNotEligible): print("Set FOUNDATION_MODEL_ENDPOINT.")
/// case .unavailable(.appleIntelligenceNotEnabled): print("The endpoint must not be contacted.")
/// case .unavailable(.modelNotReady): print("The server is not running.")
/// }
/// ```
///
/// On Linux the model runs in an OpenAI-compatible server that the user starts, such as llama.cpp, Ollama, LM Studio
/// or vLLM. `FOUNDATION_MODEL_ENDPOINT` is its address, such as `http://127.0.0.1:8080/v1`. The optional variables are
/// `FOUNDATION_MODEL_NAME`, `FOUNDATION_MODEL_KEY` and `FOUNDATION_MODEL_CONTEXT_SIZE`. Without an endpoint no socket
/// is opened. Other machines are contacted only with `FOUNDATION_MODEL_REMOTE=allowed`.
final public class SystemLanguageModel: Sendable {
  /// The purpose of a model.
  public struct UseCase: Sendable, Equatable {
    let preamble: String?

    /// General use.
    public static let general = UseCase(preamble: nil)
    /// Finding the topics of a text. On Linux this adds an instruction in words.
    public static let contentTagging = UseCase(
      preamble: "You tag content: name the topics, objects, actions and emotions of a text in few words each."
    )
  }

  /// Which content is blocked. On Linux the server decides, and guardrails have no effect.
  public struct Guardrails: Sendable {
    /// The default of Apple's framework.
    public static let `default` = Guardrails()
    /// Allows transforming texts that the model would not write itself.
    public static let permissiveContentTransformations = Guardrails()
  }

  private static let shared = Mutex<SystemLanguageModel?>(nil)

  let configuration: ModelConfiguration
  let useCase: UseCase
  private let probe = Mutex<(time: ContinuousClock.Instant, isReachable: Bool)?>(nil)

  init(configuration: ModelConfiguration, useCase: UseCase = .general) {
    self.configuration = configuration
    self.useCase = useCase
  }

  /// The model that the environment configures at the time of the call.
  public static var `default`: SystemLanguageModel {
    let configuration = ModelConfiguration(environment: ProcessInfo.processInfo.environment)
    return shared.withLock { shared in
      if let shared, shared.configuration == configuration { return shared }
      let model = SystemLanguageModel(configuration: configuration)
      shared = model
      return model
    }
  }

  /// Creates the model that the environment configures at the time of the call.
  public convenience init(useCase: UseCase = .general, guardrails: Guardrails = Guardrails.default) {
    self.init(
      configuration: ModelConfiguration(environment: ProcessInfo.processInfo.environment), useCase: useCase)
  }

  /// Whether the model can answer.
  ///
  /// On Linux it is `deviceNotEligible` without an endpoint, `appleIntelligenceNotEnabled` if the endpoint must not be
  /// contacted, and `modelNotReady` if no server accepts connections there. The last check is repeated after a second.
  final public var availability: Availability {
    switch configuration {
    case .none: return .unavailable(.deviceNotEligible)
    case .refused: return .unavailable(.appleIntelligenceNotEnabled)
    case .endpoint(let endpoint):
      let isReachable = probe.withLock { probe in
        if let probe, probe.time.duration(to: .now) < .seconds(1) { return probe.isReachable }
        let isReachable = endpoint.isReachable()
        probe = (.now, isReachable)
        return isReachable
      }
      return isReachable ? .available : .unavailable(.modelNotReady)
    }
  }

  /// Whether the model can answer.
  final public var isAvailable: Bool { availability == .available }

  /// The languages that the model may know. Servers do not report them: on Linux these are all languages with a code
  /// of two letters.
  final public var supportedLanguages: Set<Locale.Language> {
    Set(
      Locale.LanguageCode.isoLanguageCodes.filter { $0.identifier.count == 2 }.map {
        Locale.Language(languageCode: $0)
      })
  }

  /// Whether the model may know the language of a locale.
  final public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    guard let code = locale.language.languageCode else { return false }
    return supportedLanguages.contains(Locale.Language(languageCode: code))
  }

  /// The size of the model's context in tokens: `FOUNDATION_MODEL_CONTEXT_SIZE`, or 4096.
  final public var contextSize: Int {
    if case .endpoint(let endpoint) = configuration { return endpoint.contextSize }
    return ModelEndpoint.defaultContextSize
  }

  /// The server to send requests to.
  /// - Throws: `LanguageModelSession.GenerationError.assetsUnavailable` with the reason and what to do.
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
              "No language model is configured. Start an OpenAI-compatible server, such as llama.cpp, and set "
              + "FOUNDATION_MODEL_ENDPOINT to its address, such as http://127.0.0.1:8080/v1."))
      }
    }
  }
}

extension SystemLanguageModel: nonisolated Observable {}

extension SystemLanguageModel {
  /// Whether a model can be asked.
  @frozen public enum Availability: Equatable, Sendable {
    /// Why the model cannot answer.
    public enum UnavailableReason: Equatable, Hashable, Sendable {
      /// On Linux: `FOUNDATION_MODEL_ENDPOINT` is not set.
      case deviceNotEligible
      /// On Linux: the server must not be contacted, because it is on another machine and that is not allowed, or it is
      /// behind a proxy, or its address is not valid.
      case appleIntelligenceNotEnabled
      /// On Linux: no server accepts connections at the address.
      case modelNotReady
    }

    /// The model can answer.
    case available
    /// The model cannot answer.
    case unavailable(UnavailableReason)
  }
}

/// Servers have no common way to count tokens. On Linux these are estimates of one token for three bytes of UTF-8, which
/// is usually more than an English text needs. They send nothing and never throw.
extension SystemLanguageModel {
  /// Estimates the tokens of a prompt.
  nonisolated(nonsending) final public func tokenCount(for prompt: some PromptRepresentable) async throws
    -> Int
  {
    Self.estimate(prompt.promptRepresentation.text)
  }

  /// Estimates the tokens of instructions.
  nonisolated(nonsending) final public func tokenCount(for instructions: Instructions) async throws -> Int {
    Self.estimate(instructions.text)
  }

  /// Estimates the tokens of the descriptions of tools.
  nonisolated(nonsending) final public func tokenCount(for tools: [any Tool]) async throws -> Int {
    tools.reduce(0) {
      $0 + Self.estimate($1.name + $1.description + $1.parameters.document(.strict).jsonString)
    }
  }

  /// Estimates the tokens of a schema.
  nonisolated(nonsending) final public func tokenCount(for schema: GenerationSchema) async throws -> Int {
    Self.estimate(schema.document(.strict).jsonString)
  }

  /// Estimates the tokens of the entries of a transcript.
  nonisolated(nonsending) final public func tokenCount(
    for transcriptEntries: some Collection<Transcript.Entry>
  ) async throws -> Int {
    transcriptEntries.reduce(0) { $0 + Self.estimate($1.description) }
  }

  private static func estimate(_ text: String) -> Int { (text.utf8.count + 2) / 3 }
}
