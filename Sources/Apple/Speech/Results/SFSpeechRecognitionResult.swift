import Foundation

/// What was recognized: the best reading, and others.
open class SFSpeechRecognitionResult: NSObject, NSCopying, NSSecureCoding {
  /// The likeliest reading.
  open var bestTranscription: SFTranscription { best }
  private let best: SFTranscription
  /// The readings, the likeliest first.
  public let transcriptions: [SFTranscription]
  /// Whether this will not change any more.
  public let isFinal: Bool
  /// How it was spoken; nil before the final result.
  public let speechRecognitionMetadata: SFSpeechRecognitionMetadata?

  init(
    best: SFTranscription, others: [SFTranscription] = [], isFinal: Bool,
    metadata: SFSpeechRecognitionMetadata? = nil
  ) {
    self.best = best
    transcriptions = [best] + others
    self.isFinal = isFinal
    speechRecognitionMetadata = metadata
    super.init()
  }

  /// Always true.
  public static var supportsSecureCoding: Bool { true }

  /// Reads what `encode(with:)` wrote; nil if it is not that.
  public required init?(coder: NSCoder) {
    guard
      let transcriptions = coder.decodeObject(
        of: [NSArray.self, SFTranscription.self], forKey: "transcriptions")
        as? [SFTranscription], let first = transcriptions.first
    else { return nil }
    best = first
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
