extension LanguageModelSession {
  /// The number of tokens that requests took. On Linux it is 0 where the server or the model's executor reports none.
  public struct Usage: Sendable {
    /// The tokens that the model read.
    public struct Input: Sendable {
      /// All of them.
      public var totalTokenCount: Int
      /// Those that the model still knew from before.
      public var cachedTokenCount: Int

      /// Creates counts.
      public init(totalTokenCount: Int, cachedTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.cachedTokenCount = cachedTokenCount
      }
    }

    /// The tokens that the model wrote.
    public struct Output: Sendable {
      /// All of them.
      public var totalTokenCount: Int
      /// Those of its thoughts.
      public var reasoningTokenCount: Int

      /// Creates counts.
      public init(totalTokenCount: Int, reasoningTokenCount: Int) {
        self.totalTokenCount = totalTokenCount
        self.reasoningTokenCount = reasoningTokenCount
      }
    }

    /// The tokens that the model read.
    public var input: Input
    /// The tokens that the model wrote.
    public var output: Output
    /// What the model's executor added.
    public var metadata: [String: GeneratedContent]

    /// Creates counts.
    public init(
      input: Input, output: Output, metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) {
      self.input = input
      self.output = output
      self.metadata = metadata.contents
    }

    /// All tokens.
    public var totalTokenCount: Int { input.totalTokenCount + output.totalTokenCount }
  }
}

extension LanguageModelSession.Usage {
  init() {
    self.init(
      input: .init(totalTokenCount: 0, cachedTokenCount: 0),
      output: .init(totalTokenCount: 0, reasoningTokenCount: 0))
  }

  /// The counts of a server's answer.
  init(_ usage: GeneratedContent) {
    func count(_ name: String, _ details: String? = nil) -> Int {
      let container = details.map { usage[$0] } ?? usage
      return container?[name]?.number.flatMap { Int(exactly: $0) } ?? 0
    }
    self.init(
      input: .init(
        totalTokenCount: count("prompt_tokens"),
        cachedTokenCount: count("cached_tokens", "prompt_tokens_details")),
      output: .init(
        totalTokenCount: count("completion_tokens"),
        reasoningTokenCount: count("reasoning_tokens", "completion_tokens_details")))
  }

  /// The counts of both.
  static func + (first: Self, second: Self) -> Self {
    var sum = first
    sum.input.totalTokenCount += second.input.totalTokenCount
    sum.input.cachedTokenCount += second.input.cachedTokenCount
    sum.output.totalTokenCount += second.output.totalTokenCount
    sum.output.reasoningTokenCount += second.output.reasoningTokenCount
    sum.metadata.merge(second.metadata) { $1 }
    return sum
  }
}
