import Foundation
import LonghandTranscripts
import SentenceFormatting
import Synchronization

/// The text that is recognized and not final yet. Its transcriber has finals of its own, which come before the finals
/// of the transcript and are kept until then.
@available(macOS 26, iOS 26, *)
final class PartialText: Sendable {
  private struct State {
    var finalizedThrough = 0.0
    /// In the order of the audio; the last may still change.
    var parts: [(range: ClosedRange<TimeInterval>, text: String)] = []

    mutating func finalize(through end: TimeInterval) {
      finalizedThrough = max(finalizedThrough, end)
      parts.removeAll { ($0.range.lowerBound + $0.range.upperBound) / 2 < finalizedThrough }
    }
  }

  private let state = Mutex(State())

  /// Reports that everything up to this time is final.
  func finalize(through end: TimeInterval) { state.withLock { $0.finalize(through: end) } }

  /// Takes a result and returns all text that is not final; nil if there is none.
  func take(_ result: AnalyzerModules.Result) -> TranscriptAccumulator.Partial? {
    let text = result.text
    return state.withLock { state in
      state.parts.removeAll { $0.range.upperBound > result.range.lowerBound }
      if !text.isEmpty { state.parts.append((result.range, text)) }
      state.finalize(through: state.finalizedThrough)
      guard let first = state.parts.first, let last = state.parts.last else { return nil }
      return TranscriptAccumulator.Partial(
        start: first.range.lowerBound, end: last.range.upperBound,
        text: state.parts.map(\.text).joinedWords())
    }
  }
}
