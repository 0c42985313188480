import Foundation
import VoiceMeasurement

/// A transcription of speech: its text, and its words with their times.
open class SFTranscription: NSObject, NSCopying, NSSecureCoding {
  /// The whole text.
  open private(set) var formattedString: String
  /// The words in order.
  open private(set) var segments: [SFTranscriptionSegment]

  init(formattedString: String, segments: [SFTranscriptionSegment]) {
    self.formattedString = formattedString
    self.segments = segments
    super.init()
  }

  /// A transcription without words, for subclasses.
  public override init() {
    formattedString = ""
    segments = []
    super.init()
  }

  /// Words a minute.
  @available(*, deprecated, message: "Use SFSpeechRecognitionMetadata's speakingRate")
  open var speakingRate: Double { SpeechTiming(segments).speakingRate }
  /// Seconds of the average pause between words.
  @available(*, deprecated, message: "Use SFSpeechRecognitionMetadata's averagePauseDuration")
  open var averagePauseDuration: TimeInterval { SpeechTiming(segments).averagePauseDuration }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads what `encode(with:)` wrote; nil if the archive holds something else.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "formattedString"),
      let segments = coder.decodeObject(of: [NSArray.self, SFTranscriptionSegment.self], forKey: "segments")
        as? [SFTranscriptionSegment]
    else { return nil }
    formattedString = text as String
    self.segments = segments
    super.init()
  }

  /// Writes the text and the segments.
  open func encode(with coder: NSCoder) {
    coder.encode(formattedString as NSString, forKey: "formattedString")
    coder.encode(segments as NSArray, forKey: "segments")
  }

  /// The same object: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
