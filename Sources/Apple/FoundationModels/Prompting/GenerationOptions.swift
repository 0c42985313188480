/// How a model chooses its words, and how long an answer may be.
///
/// ```swift
/// import FoundationModels
///
/// let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 100)
/// let answer = try await LanguageModelSession().respond(to: "Name three openings.", options: options)
/// print(answer.content)
/// ```
public struct GenerationOptions: Sendable, Equatable {
  /// How each token is chosen from the likely ones.
  public struct SamplingMode: Sendable, Equatable {
    /// What a mode is, for those that send it to a model.
    public enum Kind: Sendable, Equatable {
      /// Always the most likely token.
      case greedy
      /// A random token from so many of the most likely ones.
      case randomTopK(_: Int, seed: UInt64?)
      /// A random token from the most likely ones that together reach a probability.
      case randomProbabilityThreshold(_: Double, seed: UInt64?)
    }

    /// What the mode is.
    public let kind: Kind

    /// Always the most likely token.
    public static var greedy: SamplingMode { .init(kind: .greedy) }

    /// A random token from the `k` most likely ones.
    /// - Parameters:
    ///   - k: the number of tokens to choose from.
    ///   - seed: the same seed gives the same answer, if the server supports seeds.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      .init(kind: .randomTopK(k, seed: seed))
    }

    /// A random token from the most likely ones that together reach a probability.
    /// - Parameters:
    ///   - probabilityThreshold: the probability, from 0 to 1.
    ///   - seed: the same seed gives the same answer, if the server supports seeds.
    public static func random(probabilityThreshold: Double, seed: UInt64? = nil) -> SamplingMode {
      .init(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
    }
  }

  /// Whether the model calls tools.
  public struct ToolCallingMode: Sendable, Equatable {
    /// What a mode is, for those that send it to a model.
    public enum Kind: Sendable, Equatable, Hashable {
      /// The model may call tools.
      case allowed
      /// The model must call a tool before it answers.
      case required
      /// The model must not call tools.
      case disallowed
    }

    /// What the mode is.
    public var kind: Kind

    /// The model may call tools: the default.
    public static let allowed = ToolCallingMode(kind: .allowed)
    /// The model must call at least one tool before it answers.
    public static let required = ToolCallingMode(kind: .required)
    /// The model must not call tools.
    public static let disallowed = ToolCallingMode(kind: .disallowed)
  }

  /// The same as `samplingMode`, under its name before 2026.
  public var sampling: SamplingMode? {
    get { samplingMode }
    set { samplingMode = newValue }
  }
  /// How each token is chosen; nil leaves it to the server.
  public var samplingMode: SamplingMode?
  /// The randomness of the choice, from 0; nil leaves it to the server.
  public var temperature: Double?
  /// The maximum length of an answer in tokens; a longer text is cut. nil: as long as the context allows.
  public var maximumResponseTokens: Int?
  /// Whether the model calls the session's tools; nil for `allowed`.
  public var toolCallingMode: ToolCallingMode?

  /// Creates options. Everything that is nil is left to the server.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.init(
      samplingMode: samplingMode, temperature: temperature, maximumResponseTokens: maximumResponseTokens,
      toolCallingMode: nil)
  }

  /// Creates options that say whether tools are called.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil,
    toolCallingMode: ToolCallingMode?
  ) {
    self.samplingMode = samplingMode
    self.temperature = temperature
    self.maximumResponseTokens = maximumResponseTokens
    self.toolCallingMode = toolCallingMode
  }

  /// Creates options by the name of `samplingMode` before 2026.
  public init(sampling: SamplingMode?, temperature: Double? = nil, maximumResponseTokens: Int? = nil) {
    self.init(
      samplingMode: sampling, temperature: temperature, maximumResponseTokens: maximumResponseTokens)
  }
}
