/// The models that analyzers keep in memory.
public enum SpeechModels {
  /// Lets go of models that are kept for later: of services that are idle. Those at work end with their analyzers.
  public static func endRetention() async { SpeechServicePool.shared.endIdle() }
}
