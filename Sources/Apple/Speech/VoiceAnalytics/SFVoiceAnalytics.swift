import Foundation

/// What can be heard in a voice besides its words: four measures, each with one value for every 10 ms.
///
/// All four features have the same number of frames. The measures are those of phonetics, and are computed
/// as Praat computes them: P. Boersma, "Accurate short-term analysis of the fundamental frequency and the
/// harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17 (1993), and Praat's manual, "Voice".
// `@unchecked` because the class is open, as on Apple's platforms: all it stores is set once, in its
// initialisers, and is itself immutable, so there is nothing for a lock to guard.
open class SFVoiceAnalytics: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let features: [Measure: SFAcousticFeature]

  private enum Measure: String, CaseIterable, Sendable { case jitter, shimmer, pitch, voicing }

  /// How much the length of the glottal periods varies around each frame, in per cent: the mean absolute
  /// difference between consecutive periods, divided by the mean period, over 0.1 s.
  ///
  /// 0 in frames that are not voiced.
  open var jitter: SFAcousticFeature { feature(.jitter) }

  /// How much the amplitude of the glottal periods varies around each frame, in decibels: the mean absolute
  /// level difference between consecutive periods, over 0.1 s.
  ///
  /// 0 in frames that are not voiced.
  open var shimmer: SFAcousticFeature { feature(.shimmer) }

  /// How high the voice is in each frame: the natural logarithm of the fundamental frequency divided by the
  /// median fundamental frequency of the utterance's voiced frames.
  ///
  /// 0 is thus the speaker's middle, and `log(2)`, about 0.69, an octave above it, whoever speaks. Frames
  /// that are not voiced have no pitch and say 0 too: ``voicing`` tells them apart. Apple documents the
  /// logarithm of a "normalized pitch estimate" and not what it is normalized by; the median is this
  /// module's choice.
  open var pitch: SFAcousticFeature { feature(.pitch) }

  /// How likely each frame is voiced, that is, sounded by the vocal folds: from 0 to 1.
  ///
  /// A frame counts as voiced from 0.5 upwards; exactly those frames have a pitch.
  open var voicing: SFAcousticFeature { feature(.voicing) }

  /// Creates analytics without frames.
  public override init() {
    features = [:]
    super.init()
  }

  init(
    jitter: SFAcousticFeature, shimmer: SFAcousticFeature, pitch: SFAcousticFeature,
    voicing: SFAcousticFeature
  ) {
    features = [.jitter: jitter, .shimmer: shimmer, .pitch: pitch, .voicing: voicing]
    super.init()
  }

  private func feature(_ measure: Measure) -> SFAcousticFeature {
    features[measure] ?? SFAcousticFeature()
  }

  // MARK: Coding

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads analytics back from an archive that ``encode(with:)`` wrote.
  ///
  /// - Returns: `nil` if one of the four features is missing or damaged.
  public required init?(coder: NSCoder) {
    var features: [Measure: SFAcousticFeature] = [:]
    for measure in Measure.allCases {
      // Asking for what is not there ends the program, unless the coder was told to report errors.
      guard coder.containsValue(forKey: measure.rawValue),
        let feature = coder.decodeObject(of: SFAcousticFeature.self, forKey: measure.rawValue)
      else {
        return nil
      }
      features[measure] = feature
    }
    self.features = features
    super.init()
  }

  /// Writes the four features.
  open func encode(with coder: NSCoder) {
    for measure in Measure.allCases { coder.encode(feature(measure), forKey: measure.rawValue) }
  }

  // MARK: Copying and comparing

  /// Returns the analytics themselves: they cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same four features.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SFVoiceAnalytics else { return false }
    return jitter == other.jitter && shimmer == other.shimmer && pitch == other.pitch
      && voicing == other.voicing
  }

  /// A hash of the four features.
  open override var hash: Int {
    var hasher = Hasher()
    for feature in [jitter, shimmer, pitch, voicing] { hasher.combine(feature) }
    return hasher.finalize()
  }
}
