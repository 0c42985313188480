/// One explanation of a frame: a fundamental frequency, or none.
struct PitchCandidate: Sendable, Equatable {
  /// In Hz; 0 says that the frame is not voiced.
  var frequency: Double

  /// How well it explains the frame: for a voiced candidate about the height of the autocorrelation, which
  /// is at most 1.
  var strength: Double

  /// Whether the candidate is a fundamental frequency.
  var isVoiced: Bool { frequency > 0 }
}
