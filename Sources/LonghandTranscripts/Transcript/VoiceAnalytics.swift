/// Measures of the speech: its speed, its pauses and the voice. For feedback on speech.
///
/// The measures of the voice are those of phonetics, computed as in Praat.
public struct VoiceAnalytics: Sendable, Hashable, Codable {
  /// Words a minute, from the first word's start to the last word's end; 0 without words.
  public var speakingRate: Double
  /// Seconds of the average pause between two words, of those that last 0.05 s or more; 0 without pauses.
  public var averagePause: Double
  /// The median of the voice's fundamental frequency, in Hz; nil if no voice was found.
  public var pitch: Double?
  /// How much the length of the glottal periods varies, in per cent; nil if there are too few.
  public var jitter: Double?
  /// How much the amplitude of the glottal periods varies, in decibels; nil if there are too few.
  public var shimmer: Double?
  /// The share of the time in which the vocal folds vibrate, 0 to 1; nil without audio.
  public var voicing: Double?

  package init(
    speakingRate: Double, averagePause: Double, pitch: Double? = nil, jitter: Double? = nil,
    shimmer: Double? = nil, voicing: Double? = nil
  ) {
    self.speakingRate = speakingRate
    self.averagePause = averagePause
    self.pitch = pitch
    self.jitter = jitter
    self.shimmer = shimmer
    self.voicing = voicing
  }
}

/// The voice analytics of a transcript; `Transcript.measureVoice(in:)` makes them.
public struct TranscriptVoice: Sendable, Hashable, Codable {
  /// The whole transcript. Its pauses include those between segments.
  public var whole: VoiceAnalytics
  /// Each segment, in the order of the transcript.
  public var segments: [VoiceAnalytics]

  package init(whole: VoiceAnalytics, segments: [VoiceAnalytics]) {
    self.whole = whole
    self.segments = segments
  }
}
