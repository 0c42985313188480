import Foundation

/// What was recognized: the best transcription, and alternatives.
open class SFSpeechRecognitionResult: NSObject, NSCopying, NSSecureCoding {
  /// The likeliest transcription.
  open private(set) var bestTranscription: SFTranscription
  /// All transcriptions, the likeliest first.
  open private(set) var transcriptions: [SFTranscription]
  /// Whether this is the last result, which will not change.
  open private(set) var isFinal: Bool
  /// How it was spoken; nil before the final result.
  open private(set) var speechRecognitionMetadata: SFSpeechRecognitionMetadata?

  init(
    best: SFTranscription, others: [SFTranscription] = [], isFinal: Bool,
    metadata: SFSpeechRecognitionMetadata? = nil
  ) {
    bestTranscription = best
    transcriptions = [best] + others
    self.isFinal = isFinal
    speechRecognitionMetadata = metadata
    super.init()
  }

  /// An empty result, for subclasses.
  public override init() {
    bestTranscription = SFTranscription()
    transcriptions = []
    isFinal = false
    speechRecognitionMetadata = nil
    super.init()
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads what `encode(with:)` wrote; nil if the archive holds something else.
  public required init?(coder: NSCoder) {
    guard
      let transcriptions = coder.decodeObject(
        of: [NSArray.self, SFTranscription.self], forKey: "transcriptions")
        as? [SFTranscription]
    else { return nil }
    bestTranscription = transcriptions.first ?? SFTranscription()
    self.transcriptions = transcriptions
    isFinal = coder.decodeBool(forKey: "isFinal")
    speechRecognitionMetadata = coder.decodeObject(of: SFSpeechRecognitionMetadata.self, forKey: "metadata")
    super.init()
  }

  /// Writes everything.
  open func encode(with coder: NSCoder) {
    coder.encode(transcriptions as NSArray, forKey: "transcriptions")
    coder.encode(isFinal, forKey: "isFinal")
    coder.encode(speechRecognitionMetadata, forKey: "metadata")
  }

  /// The same object: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
