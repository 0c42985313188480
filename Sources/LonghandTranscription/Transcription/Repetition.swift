import Foundation
import LonghandTranscripts
import SentenceFormatting

/// A sentence that is recognized again directly after it was committed.
///
/// That the words are the same does not say that they were not said again, by another person even at once. So the second one
/// is left out only where the audio has no room for it.
struct Repetition {
  /// The fewest words of a sentence. Fewer are often said twice.
  private static let minWords = 4
  /// Seconds between the two at most.
  private static let maxGap = 0.5
  /// Words per second: that of fast speech, and above which nothing was said.
  private static let rates = 5.0...8.0

  let text: String
  let range: ClosedRange<TimeInterval>
  /// Whether the audio after the first saying is long enough for these words.
  let hasRoom: Bool

  /// Nil if the event is no such sentence, or if there is enough time for it, or if it is the same result again.
  init?(_ event: TranscriptionEvent, after accumulator: TranscriptAccumulator) {
    guard case .final(let start, let end, let candidates, let selection) = event, event.isPossible,
      let last = accumulator.last, candidates.indices.contains(selection.index),
      start > last.start, end > last.end, start - last.end <= Self.maxGap
    else { return nil }
    text = candidates[selection.index].text
    let words = SpokenText(text)
    // Where writing has no spaces, the words of `SpokenText` are letters.
    let count = text.isPartlyUnspaced ? text.writtenWords.count : words.count
    guard count >= Self.minWords, words.key() == SpokenText(last.text).key(),
      !accumulator.isRepeated(text, from: start, to: end)
    else { return nil }
    let rate = Double(count) / max(0.001, end - max(start, last.end))
    guard rate > Self.rates.lowerBound else { return nil }
    range = start...end
    hasRoom = rate <= Self.rates.upperBound
  }
}
