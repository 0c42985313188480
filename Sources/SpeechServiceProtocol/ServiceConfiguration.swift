/// How a speech service decodes the pieces that follow.
public struct ServiceConfiguration: Sendable, Equatable, Codable {
  /// How the audio of a piece arrives.
  public enum Mode: String, Sendable, Codable {
    /// Whole pieces of a recording, in any order.
    case recording
    /// Audio as it is spoken, with partial results while it comes. What is known of the voice is carried from piece to
    /// piece.
    case stream
  }

  /// The language, such as `en-US` (BCP 47).
  public var locale: String
  /// How the audio arrives.
  public var mode: Mode
  /// The most hypotheses to give for a piece, at least 1.
  public var alternatives: Int
  /// Phrases that are likely to be said.
  public var contextualStrings: [String]

  /// Each field by its name.
  public init(
    locale: String = "en-US", mode: Mode = .recording, alternatives: Int = 5, contextualStrings: [String] = []
  ) {
    self.locale = locale
    self.mode = mode
    self.alternatives = alternatives
    self.contextualStrings = contextualStrings
  }
}
