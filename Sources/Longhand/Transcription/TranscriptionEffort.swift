/// How much processor time a transcription may take for fewer errors.
public enum TranscriptionEffort: String, Sendable, Hashable, Codable, CaseIterable {
  /// Everything is recognized once.
  case fast
  /// Where audio has ended, the recognizer also learns of the voices, if it can, and recognizes everything again. That takes up
  /// to twice as long.
  case balanced
}
