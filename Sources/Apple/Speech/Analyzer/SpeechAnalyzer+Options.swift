import RecognitionCore

extension SpeechAnalyzer {
  /// How an analyzer works.
  public struct Options: Sendable, Equatable {
    /// How urgent the analysis is.
    public let priority: TaskPriority
    /// How long models stay in memory.
    public let modelRetention: SpeechAnalyzer.Options.ModelRetention
    /// Whether the analysis starts even if too many are running. Each analysis with volatile results has a process of
    /// the speech service for itself, which takes 100 MB and more; without memory for it, the analysis fails.
    public let ignoresResourceLimits: Bool

    /// How long models stay in memory. On Linux: how long processes of the speech service wait for the next analyzer.
    public enum ModelRetention: CaseIterable, Sendable, Equatable, Hashable {
      /// While an analyzer uses them.
      case whileInUse
      /// Half a minute longer.
      case lingering
      /// Until the program ends or calls `SpeechModels.endRetention()`.
      case processLifetime
    }

    /// Creates options with a priority and a retention.
    public init(priority: TaskPriority, modelRetention: SpeechAnalyzer.Options.ModelRetention) {
      self.init(priority: priority, modelRetention: modelRetention, ignoresResourceLimits: false)
    }

    /// Creates options that may ignore the limit to the number of analyses.
    public init(
      priority: TaskPriority, modelRetention: SpeechAnalyzer.Options.ModelRetention,
      ignoresResourceLimits: Bool
    ) {
      self.priority = priority
      self.modelRetention = modelRetention
      self.ignoresResourceLimits = ignoresResourceLimits
    }
  }
}

extension SpeechAnalyzer.Options {
  /// The default options.
  static let standard = SpeechAnalyzer.Options(priority: .medium, modelRetention: .whileInUse)

  /// Creates the recognizers for a session with these options.
  func recognizers(pool: SpeechServicePool) -> AnalysisSession.RecognizerFactory {
    let retention: SpeechServicePool.Retention =
      switch modelRetention {
      case .whileInUse: .none
      case .lingering: .lingering
      case .processLifetime: .unlimited
      }
    return { [ignoresResourceLimits] configuration, detection, emit in
      switch configuration.mode {
      case .stream:
        StreamRecognition(
          configuration: configuration, pool: pool, retention: retention, ignoresLimit: ignoresResourceLimits,
          detection: detection, emit: emit)
      case .recording:
        UtteranceRecognition(
          configuration: configuration, pool: pool, retention: retention, detection: detection, emit: emit)
      }
    }
  }
}

/// The models that analyzers keep in memory.
public enum SpeechModels {
  /// Releases the models that no analyzer uses: ends the idle processes of the speech service. Analyzers that are at work
  /// keep theirs until they finish.
  public static func endRetention() async { SpeechServicePool.shared.endIdle() }
}
