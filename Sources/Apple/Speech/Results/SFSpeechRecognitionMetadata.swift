import Foundation
import VoiceMeasurement

/// How the speech of a final result was spoken.
open class SFSpeechRecognitionMetadata: NSObject, NSCopying, NSSecureCoding {
  /// Words a minute, from the first word's start to the last word's end.
  open private(set) var speakingRate: Double
  /// Seconds of the average pause between words.
  open private(set) var averagePauseDuration: TimeInterval
  /// Where the first word starts, in seconds from the start of the audio.
  open private(set) var speechStartTimestamp: TimeInterval
  /// Seconds from the first word's start to the last word's end.
  open private(set) var speechDuration: TimeInterval
  private let utterances: [UtteranceAnalytics]
  private let decodedAnalytics: SFVoiceAnalytics?

  init(timing: SpeechTiming, utterances: [UtteranceAnalytics]) {
    speakingRate = timing.speakingRate
    averagePauseDuration = timing.averagePauseDuration
    speechStartTimestamp = timing.start
    speechDuration = timing.duration
    self.utterances = utterances
    decodedAnalytics = nil
    super.init()
  }

  /// Metadata without speech, for subclasses.
  public override init() {
    speakingRate = 0
    averagePauseDuration = 0
    speechStartTimestamp = 0
    speechDuration = 0
    utterances = []
    decodedAnalytics = nil
    super.init()
  }

  /// The voice, frame by frame from `speechStartTimestamp` on for `speechDuration`; pauses are unvoiced.
  /// Computed at each use. nil if the audio was too long to be kept (half an hour).
  open var voiceAnalytics: SFVoiceAnalytics? {
    guard !utterances.isEmpty else { return decodedAnalytics }
    return UtteranceAnalytics.joined(utterances, from: speechStartTimestamp, duration: speechDuration)
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads what `encode(with:)` wrote.
  public required init?(coder: NSCoder) {
    speakingRate = coder.decodeDouble(forKey: "speakingRate")
    averagePauseDuration = coder.decodeDouble(forKey: "averagePauseDuration")
    speechStartTimestamp = coder.decodeDouble(forKey: "speechStartTimestamp")
    speechDuration = coder.decodeDouble(forKey: "speechDuration")
    utterances = []
    decodedAnalytics = coder.decodeObject(of: SFVoiceAnalytics.self, forKey: "voiceAnalytics")
    super.init()
  }

  /// Writes everything, the voice analytics too.
  open func encode(with coder: NSCoder) {
    coder.encode(speakingRate, forKey: "speakingRate")
    coder.encode(averagePauseDuration, forKey: "averagePauseDuration")
    coder.encode(speechStartTimestamp, forKey: "speechStartTimestamp")
    coder.encode(speechDuration, forKey: "speechDuration")
    coder.encode(voiceAnalytics, forKey: "voiceAnalytics")
  }

  /// The same object: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension SpeechTiming {
  init(_ segments: [SFTranscriptionSegment]) {
    self.init(segments.map { (start: $0.timestamp, end: $0.timestamp + $0.duration) })
  }
}
