import CoreMedia
import Foundation
import Observation
import Speech

/// A committed segment as a row of a list. A correction changes the row that it is about, and no other.
///
/// It belongs to its `TranscriptViewModel`, and to one thread or actor with it.
@Observable public final class TranscriptRow: Identifiable {
  /// The segment's place in the transcript, from 0.
  public let id: Int
  /// The segment as it is now.
  public internal(set) var segment: Segment
  /// Seconds in which nothing was said before it, as far as the row before is known.
  public internal(set) var pauseBefore: TimeInterval = 0

  init(_ segment: Segment) {
    id = segment.id
    self.segment = segment
  }

  /// The text, plain. Each word has its time (`audioTimeRange`) and how sure the recognizer is of it
  /// (`transcriptionConfidence`, 0 to 1), as a transcriber's results have them.
  public var text: AttributedString {
    var text = AttributedString(segment.text)
    var rest = text.startIndex
    for word in segment.words {
      guard let place = text[rest...].range(of: word.text) else { continue }
      text[place].audioTimeRange = CMTimeRange(
        start: CMTime(seconds: word.start, preferredTimescale: Self.timescale),
        end: CMTime(seconds: word.end, preferredTimescale: Self.timescale))
      text[place].transcriptionConfidence = word.confidence
      rest = place.upperBound
    }
    return text
  }

  /// The word that is heard at a time, in seconds from the start of the audio, by its place in `segment.words`; nil
  /// between words.
  public func word(at time: TimeInterval) -> Int? {
    segment.words.firstIndex { $0.start <= time && time < $0.end }
  }

  private static let timescale: CMTimeScale = 1_000_000
}
