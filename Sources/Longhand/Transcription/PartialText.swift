import Foundation
import Synchronization

/// What was heard and is not final yet. The transcriber that tells it has finals of its own, which come before those
/// that count and stand until then.
final class PartialText: Sendable {
  private struct State {
    var settled = 0.0
    /// In the order of the sound; the last may still change.
    var parts: [(range: ClosedRange<TimeInterval>, text: String)] = []

    mutating func settle(through end: TimeInterval) {
      settled = max(settled, end)
      parts.removeAll { ($0.range.lowerBound + $0.range.upperBound) / 2 < settled }
    }
  }

  private let state = Mutex(State())

  /// Everything up to this time is final.
  func settle(through end: TimeInterval) { state.withLock { $0.settle(through: end) } }

  /// Takes what was heard; gives all that is not final, nil if there is nothing.
  func take(_ heard: AnalyzerModules.Heard) -> TranscriptAccumulator.Partial? {
    let text = heard.readings.first.map { String($0.characters).trimmingCharacters(in: .whitespaces) } ?? ""
    return state.withLock { state in
      state.parts.removeAll { $0.range.upperBound > heard.range.lowerBound }
      if !text.isEmpty { state.parts.append((heard.range, text)) }
      state.settle(through: state.settled)
      guard let first = state.parts.first, let last = state.parts.last else { return nil }
      return TranscriptAccumulator.Partial(
        start: first.range.lowerBound, end: last.range.upperBound,
        text: state.parts.map(\.text).joined(separator: " "))
    }
  }
}
