import RecognitionCore
import Foundation

/// One word of a transcription: its range in the text, and when it was said.
open class SFTranscriptionSegment: NSObject, NSCopying, NSSecureCoding {
  /// The word, with the mark after it if there is one.
  open private(set) var substring: String
  /// Its range in `formattedString`, in UTF-16 units.
  open private(set) var substringRange: NSRange
  /// Seconds from the start of the audio.
  open private(set) var timestamp: TimeInterval
  /// Seconds that the word takes.
  open private(set) var duration: TimeInterval
  /// How sure the recognizer is of the word, 0 to 1; 0 in results that are not final, and if the recognizer
  /// reports none.
  open var confidence: Float { Float(knownConfidence ?? 0) }
  /// As `confidence`; nil if the recognizer reports none.
  let knownConfidence: Double?
  /// What other hypotheses have at this time, the likeliest first.
  open private(set) var alternativeSubstrings: [String]
  private let analytics: UtteranceAnalytics?
  private let decodedAnalytics: SFVoiceAnalytics?

  init(
    substring: String, substringRange: NSRange, word: RecognizedWord, alternativeSubstrings: [String],
    analytics: UtteranceAnalytics?
  ) {
    self.substring = substring
    self.substringRange = substringRange
    timestamp = word.start
    duration = word.end - word.start
    knownConfidence = word.confidence
    self.alternativeSubstrings = alternativeSubstrings
    self.analytics = analytics
    decodedAnalytics = nil
    super.init()
  }

  /// A segment without a word, for subclasses.
  public override init() {
    substring = ""
    substringRange = NSRange(location: 0, length: 0)
    timestamp = 0
    duration = 0
    knownConfidence = nil
    alternativeSubstrings = []
    analytics = nil
    decodedAnalytics = nil
    super.init()
  }

  private init(_ other: SFTranscriptionSegment, substring: String, substringRange: NSRange) {
    self.substring = substring
    self.substringRange = substringRange
    timestamp = other.timestamp
    duration = other.duration
    knownConfidence = other.knownConfidence
    alternativeSubstrings = other.alternativeSubstrings
    analytics = other.analytics
    decodedAnalytics = other.decodedAnalytics
    super.init()
  }

  /// The segment with a mark after its word.
  func extended(by mark: String) -> SFTranscriptionSegment { written(substring + mark) }

  /// The segment with its word written in another way, in the same place.
  func written(_ substring: String) -> SFTranscriptionSegment {
    let range = NSRange(location: substringRange.location, length: substring.utf16.count)
    return SFTranscriptionSegment(self, substring: substring, substringRange: range)
  }

  /// The voice while the word was said; nil in results that are not final.
  @available(*, deprecated, message: "Use SFSpeechRecognitionMetadata's voiceAnalytics")
  open var voiceAnalytics: SFVoiceAnalytics? { voice }

  private var voice: SFVoiceAnalytics? {
    analytics.map { $0.analysis.voiceAnalytics(from: timestamp - $0.start, duration: duration) }
      ?? decodedAnalytics
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads what `encode(with:)` wrote; nil if the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let substring = coder.decodeObject(of: NSString.self, forKey: "substring"),
      let alternatives = coder.decodeObject(
        of: [NSArray.self, NSString.self], forKey: "alternativeSubstrings")
        as? [String]
    else { return nil }
    self.substring = substring as String
    substringRange = NSRange(
      location: coder.decodeInteger(forKey: "location"), length: coder.decodeInteger(forKey: "length"))
    timestamp = coder.decodeDouble(forKey: "timestamp")
    duration = coder.decodeDouble(forKey: "duration")
    knownConfidence = Double(coder.decodeFloat(forKey: "confidence"))
    alternativeSubstrings = alternatives
    analytics = nil
    decodedAnalytics = coder.decodeObject(of: SFVoiceAnalytics.self, forKey: "voiceAnalytics")
    super.init()
  }

  /// Writes everything, the voice analytics too.
  open func encode(with coder: NSCoder) {
    coder.encode(substring as NSString, forKey: "substring")
    coder.encode(substringRange.location, forKey: "location")
    coder.encode(substringRange.length, forKey: "length")
    coder.encode(timestamp, forKey: "timestamp")
    coder.encode(duration, forKey: "duration")
    coder.encode(confidence, forKey: "confidence")
    coder.encode(alternativeSubstrings as NSArray, forKey: "alternativeSubstrings")
    coder.encode(voice, forKey: "voiceAnalytics")
  }

  /// The same object: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
