/// How a model chooses its words, and how long an answer may be.
///
/// ```swift
/// import FoundationModels
///
/// let options = GenerationOptions(sampling: .greedy, maximumResponseTokens: 100)
/// let answer = try await LanguageModelSession().respond(to: "Name three openings.", options: options)
/// print(answer.content)
/// ```
public struct GenerationOptions: Sendable, Equatable {
  /// How each token is chosen from the likely ones.
  public struct SamplingMode: Sendable, Equatable {
    enum Choice: Equatable {
      case greedy
      case top(Int, seed: UInt64?)
      case threshold(Double, seed: UInt64?)
    }

    let choice: Choice

    /// Always the most likely token.
    public static var greedy: SamplingMode { .init(choice: .greedy) }

    /// A random token from the `k` most likely ones.
    /// - Parameters:
    ///   - k: the number of tokens to choose from.
    ///   - seed: the same seed gives the same answer, if the server supports seeds.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      .init(choice: .top(k, seed: seed))
    }

    /// A random token from the most likely ones that together reach a probability.
    /// - Parameters:
    ///   - probabilityThreshold: the probability, from 0 to 1.
    ///   - seed: the same seed gives the same answer, if the server supports seeds.
    public static func random(probabilityThreshold: Double, seed: UInt64? = nil) -> SamplingMode {
      .init(choice: .threshold(probabilityThreshold, seed: seed))
    }
  }

  /// How each token is chosen; nil leaves it to the server.
  public var sampling: SamplingMode?
  /// The randomness of the choice, from 0; nil leaves it to the server.
  public var temperature: Double?
  /// The maximum length of an answer in tokens; a longer text is cut. nil: as long as the context allows.
  public var maximumResponseTokens: Int?

  /// Creates options. Everything that is nil is left to the server.
  public init(
    sampling: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.sampling = sampling
    self.temperature = temperature
    self.maximumResponseTokens = maximumResponseTokens
  }
}
