import Foundation

extension Segment {
  /// The segment's range, in seconds from the start of the audio.
  var range: ClosedRange<TimeInterval> { start...max(start, end) }

  /// Makes the segment as long as the words of its selected candidate, but not longer than `bounds`, and moves the times
  /// of these words into it.
  /// - Parameters:
  ///   - bounds: seconds from the start of the audio; from the segment before to the one after.
  ///   - widens: whether words may make the segment longer. The range of a segment is that of the recognizer's first
  ///     choice, and another candidate can start earlier or end later.
  mutating func enclose(within bounds: ClosedRange<TimeInterval>, widens: Bool) {
    var range = self.range
    if widens, let first = words.first, let last = words.last {
      range = min(range.lowerBound, first.start)...max(range.upperBound, last.end)
    }
    range = range.clamped(to: bounds)
    (start, end) = (range.lowerBound, range.upperBound)
    candidates[selection.index].words.confine(to: range)
  }
}

extension [Word] {
  /// Moves times into a range. The words stay in order and do not overlap.
  fileprivate mutating func confine(to range: ClosedRange<TimeInterval>) {
    var position = range.lowerBound
    for index in indices {
      self[index].start = Swift.min(Swift.max(self[index].start, position), range.upperBound)
      self[index].end = Swift.min(Swift.max(self[index].end, self[index].start), range.upperBound)
      position = self[index].end
    }
  }
}
