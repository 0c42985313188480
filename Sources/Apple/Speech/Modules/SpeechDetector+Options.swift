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
  /// The levels of the segmenter's state machine.
  var segmentation: SpeechSegmenter.Configuration {
    switch self {
    case .low: SpeechSegmenter.Configuration(onset: 12, release: 8, dynamicRange: 30, minimumOnset: 0.12)
    case .medium: SpeechSegmenter.Configuration()
    case .high: SpeechSegmenter.Configuration(onset: 6, release: 4, dynamicRange: 45, minimumOnset: 0.04)
    }
  }
}
