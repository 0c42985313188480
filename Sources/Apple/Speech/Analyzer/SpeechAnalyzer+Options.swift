extension SpeechAnalyzer {
  /// How an analyzer works.
  public struct Options: Sendable, Equatable {
    /// How urgent the analysis is.
    public let priority: TaskPriority
    /// How long models are kept in memory.
    public let modelRetention: SpeechAnalyzer.Options.ModelRetention

    /// How long models stay in memory: on Linux, how long services stay warm.
    public enum ModelRetention: CaseIterable, Sendable, Equatable, Hashable {
      /// As long as an analyzer uses them.
      case whileInUse
      /// Half a minute longer.
      case lingering
      /// As long as the program runs, or until `SpeechModels.endRetention()`.
      case processLifetime
    }

    /// Options of a priority and a retention.
    public init(priority: TaskPriority, modelRetention: SpeechAnalyzer.Options.ModelRetention) {
      self.priority = priority
      self.modelRetention = modelRetention
    }
  }
}

extension SpeechAnalyzer.Options {
  /// The options of an analyzer that was given none.
  static let standard = SpeechAnalyzer.Options(priority: .medium, modelRetention: .whileInUse)

  /// What recognizes for a session of these options.
  func recognizers(pool: SpeechServicePool) -> AnalysisSession.RecognizerFactory {
    let retention: SpeechServicePool.Retention =
      switch modelRetention {
      case .whileInUse: .none
      case .lingering: .lingering
      case .processLifetime: .unlimited
      }
    return { configuration, detection, emit in
      switch configuration.mode {
      case .stream:
        StreamRecognition(
          configuration: configuration, pool: pool, retention: retention, detection: detection, emit: emit)
      case .recording:
        UtteranceRecognition(
          configuration: configuration, pool: pool, retention: retention, detection: detection, emit: emit)
      }
    }
  }
}
