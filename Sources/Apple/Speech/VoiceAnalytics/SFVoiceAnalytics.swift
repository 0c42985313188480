import Foundation

/// Four measures of a voice, each with one value for every 10 ms.
///
/// All four features have the same number of frames. The measures are those of phonetics, computed as in Praat: P. Boersma, "Accurate short-term analysis of the fundamental frequency and the
/// harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17 (1993), and Praat's manual, "Voice".
// `@unchecked` because the class is open, as on Apple's platforms. Its stored property is immutable and is set once, in the
// initializers.
open class SFVoiceAnalytics: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let features: [Measure: SFAcousticFeature]

  private enum Measure: String, CaseIterable, Sendable { case jitter, shimmer, pitch, voicing }

  /// How much the length of the glottal periods varies around each frame, in per cent: the mean absolute
  /// difference between consecutive periods, divided by the mean period, over 0.1 s.
  ///
  /// 0 in unvoiced frames.
  open var jitter: SFAcousticFeature { feature(.jitter) }

  /// How much the amplitude of the glottal periods varies around each frame, in decibels: the mean absolute
  /// level difference between consecutive periods, over 0.1 s.
  ///
  /// 0 in unvoiced frames.
  open var shimmer: SFAcousticFeature { feature(.shimmer) }

  /// How high the voice is in each frame: the natural logarithm of the fundamental frequency divided by the
  /// median fundamental frequency of the utterance's voiced frames.
  ///
  /// For every speaker 0 is the median, and `log(2)`, about 0.69, is an octave above it. Unvoiced frames have no pitch and
  /// the value 0; see ``voicing``. Apple documents the logarithm of a "normalized pitch estimate", but not how it is
  /// normalized; the median is the choice of this module.
  open var pitch: SFAcousticFeature { feature(.pitch) }

  /// The probability that each frame is voiced, that is, produced with vibrating vocal folds: from 0 to 1.
  ///
  /// A frame counts as voiced from 0.5 on. Exactly these frames have a pitch.
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

  /// Decodes analytics from an archive that ``encode(with:)`` wrote.
  ///
  /// - Returns: `nil` if one of the four features is missing or damaged.
  public required init?(coder: NSCoder) {
    var features: [Measure: SFAcousticFeature] = [:]
    for measure in Measure.allCases {
      // Decoding a missing key ends the program, unless the coder is set to report errors.
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

  /// Encodes the four features.
  open func encode(with coder: NSCoder) {
    for measure in Measure.allCases { coder.encode(feature(measure), forKey: measure.rawValue) }
  }

  // MARK: Copying and comparing

  /// Returns the same object, because it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object has the same four features.
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
