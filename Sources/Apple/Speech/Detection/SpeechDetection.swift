/// How speech is told from pauses, and from other sound.
struct SpeechDetection: Sendable, Equatable {
  /// Where sound is.
  var segmentation = SpeechSegmenter.Configuration()
  /// The evidence (`SpeechEvidence`) above which sound is speech; nil takes every sound for speech.
  var threshold: Double?
  /// Judges by the threshold, if there is one.
  var judge: SpeechClassifier? { threshold.map(SpeechClassifier.init) }
}
