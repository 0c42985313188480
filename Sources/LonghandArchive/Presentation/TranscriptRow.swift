import CoreMedia
import Foundation
import LonghandTranscripts
import Observation
import Speech

/// A committed segment as a row of a list. A correction changes only its own row.
///
/// A row belongs to its `TranscriptViewModel` and must be used on the same thread or actor.
@Observable public final class TranscriptRow: Identifiable {
  /// The index of the segment in the transcript, from 0.
  public let id: Int
  /// The current version of the segment.
  public internal(set) var segment: Segment
  /// The pause before the segment in seconds; 0 for the first row.
  public internal(set) var pauseBefore: TimeInterval = 0

  /// The second text, once the language model has written it; nil before, and without a model.
  public internal(set) var normalized: NormalizedTranscript?

  init(_ segment: Segment) {
    id = segment.id
    self.segment = segment
  }

  /// The text of the segment. On macOS 26, iOS 26 and Linux, each word has its time (`audioTimeRange`) and the recognizer's confidence
  /// (`transcriptionConfidence`, 0 to 1), as in the results of a transcriber.
  public var text: AttributedString {
    var text = AttributedString(segment.text)
    guard #available(macOS 26, iOS 26, *) else { return text }
    var rest = text.startIndex
    for word in segment.words {
      guard let range = text[rest...].range(of: word.text) else { continue }
      text[range].audioTimeRange = CMTimeRange(
        start: CMTime(seconds: word.start, preferredTimescale: Self.timescale),
        end: CMTime(seconds: word.end, preferredTimescale: Self.timescale))
      text[range].transcriptionConfidence = word.confidence
      rest = range.upperBound
    }
    return text
  }

  /// The index in `segment.words` of the word at a time, in seconds from the start of the audio; nil between words.
  public func word(at time: TimeInterval) -> Int? {
    segment.words.firstIndex { $0.start <= time && time < $0.end }
  }

  private static let timescale: CMTimeScale = 1_000_000
}
