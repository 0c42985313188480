import CoreMedia
import Foundation

extension SpeechTranscriber {
  /// What was said in a stretch of audio.
  ///
  /// Finals follow each other without overlap: each begins where the one before ended. A volatile result replaces
  /// the volatile ones before it. The text of every final but the first begins with the space that parts it from
  /// the one before.
  public struct Result: SpeechModuleResult, Sendable, CustomStringConvertible, Equatable, Hashable {
    /// The audio that the result is about, on the analyzer's timeline.
    public let range: CMTimeRange
    /// The audio before this time is final.
    public let resultsFinalizationTime: CMTime
    /// What was most likely said; empty if nothing was, which revokes volatile results over `range`.
    public var text: AttributedString { alternatives.first ?? AttributedString() }
    /// What may have been said, the likeliest first; never empty.
    public let alternatives: [AttributedString]

    init(_ output: TranscriptComposer.Output) {
      range = output.range
      resultsFinalizationTime = output.finalizationTime
      alternatives = output.alternatives
    }

    /// The range in seconds, whether it is final, and the text.
    public var description: String {
      ResultDescription.text(of: self, String(text.characters))
    }
  }
}
