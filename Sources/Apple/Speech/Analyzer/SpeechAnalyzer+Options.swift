extension SpeechAnalyzer {
  /// How an analyzer works.
  public struct Options: Sendable, Equatable {
    /// How urgent the analysis is.
    public let priority: TaskPriority
    /// How long models are kept in memory.
    public let modelRetention: SpeechAnalyzer.Options.ModelRetention

    /// How long models stay in memory.
    ///
    /// On Linux each analyzer loads its own in half a second, in processes that end with it: the cases do not
    /// differ yet.
    public enum ModelRetention: CaseIterable, Sendable, Equatable, Hashable {
      /// As long as an analyzer uses them.
      case whileInUse
      /// A while longer.
      case lingering
      /// As long as the program runs.
      case processLifetime
    }

    /// Options of a priority and a retention.
    public init(priority: TaskPriority, modelRetention: SpeechAnalyzer.Options.ModelRetention) {
      self.priority = priority
      self.modelRetention = modelRetention
    }
  }
}
