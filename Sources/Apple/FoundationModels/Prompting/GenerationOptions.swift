/// How a model chooses its words.
public struct GenerationOptions: Sendable, Equatable {
  /// Which of the likely words it takes.
  public struct SamplingMode: Sendable, Equatable {
    enum Choice: Equatable {
      case greedy
      case top(Int, seed: UInt64?)
      case threshold(Double, seed: UInt64?)
    }

    let choice: Choice

    /// Always the likeliest.
    public static var greedy: SamplingMode { .init(choice: .greedy) }

    /// One of the likeliest.
    /// - Parameters:
    ///   - k: of how many.
    ///   - seed: the same seed gives the same answer, as far as the server keeps to it.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      .init(choice: .top(k, seed: seed))
    }

    /// One of the likeliest that together have a probability.
    /// - Parameters:
    ///   - probabilityThreshold: the probability, 0 to 1.
    ///   - seed: the same seed gives the same answer, as far as the server keeps to it.
    public static func random(probabilityThreshold: Double, seed: UInt64? = nil) -> SamplingMode {
      .init(choice: .threshold(probabilityThreshold, seed: seed))
    }
  }

  /// Which of the likely words it takes; nil leaves it to the server.
  public var sampling: SamplingMode?
  /// How much chance there is, from 0; nil leaves it to the server.
  public var temperature: Double?
  /// The longest answer, in tokens; a text is cut there. nil: as long as the context allows.
  public var maximumResponseTokens: Int?

  /// Options.
  public init(
    sampling: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.sampling = sampling
    self.temperature = temperature
    self.maximumResponseTokens = maximumResponseTokens
  }
}
