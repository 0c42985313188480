extension SpeechDetector {
  /// How readily audio is taken for speech.
  public enum SensitivityLevel: Int, CaseIterable, Sendable, Equatable, Hashable {
    /// Only clear speech.
    case low
    /// Speech as it is spoken in rooms.
    case medium
    /// Faint speech too, and more that is none.
    case high
  }

  /// How speech is detected.
  public struct DetectionOptions: Sendable, Equatable, Hashable {
    /// How readily audio is taken for speech.
    public let sensitivityLevel: SpeechDetector.SensitivityLevel

    /// Options of a sensitivity.
    public init(sensitivityLevel: SpeechDetector.SensitivityLevel) {
      self.sensitivityLevel = sensitivityLevel
    }
  }
}

extension SpeechDetector.SensitivityLevel {
  /// The levels at which there is sound, and the evidence for speech that it needs.
  var detection: SpeechDetection {
    let threshold = SpeechEvidence.threshold
    return switch self {
    case .low:
      SpeechDetection(
        segmentation: .init(onset: 12, release: 8, dynamicRange: 30, minimumOnset: 0.12),
        threshold: threshold + 0.5)
    case .medium: SpeechDetection(threshold: threshold)
    case .high:
      SpeechDetection(
        segmentation: .init(onset: 6, release: 4, dynamicRange: 45, minimumOnset: 0.04),
        threshold: threshold - 1)
    }
  }
}
