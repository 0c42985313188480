import Foundation

extension Segment {
  /// The segment's range, in seconds from the start of the audio.
  package var range: ClosedRange<TimeInterval> { start...max(start, end) }

  /// Makes the segment as long as the words of its selected candidate, but not longer than `bounds`, and moves the times
  /// of these words into it.
  /// - Parameters:
  ///   - bounds: seconds from the start of the audio; from the segment before to the one after.
  ///   - widens: whether words may make the segment longer. The range of a segment is that of the recognizer's first
  ///     choice, and another candidate can start earlier or end later.
  package mutating func enclose(within bounds: ClosedRange<TimeInterval>, widens: Bool) {
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

extension Segment {
  /// When the words in a range of the text were said, in seconds; the segment's range if there is no word.
  /// - Parameter range: offsets into the UTF-8 of `text`.
  public func range(of range: Range<Int>) -> ClosedRange<TimeInterval> {
    let said = words[words(in: range)]
    guard let first = said.map(\.start).min(), let last = said.map(\.end).max() else {
      return start...max(start, end)
    }
    return first...max(first, last)
  }

  /// The indices of the words in a range of the text.
  /// - Parameter range: offsets into the UTF-8 of `text`.
  func words(in range: Range<Int>) -> Range<Int> {
    var position = text.startIndex
    var found: Range<Int>?
    for (index, word) in words.enumerated() {
      guard let place = text.range(of: word.text, range: position..<text.endIndex) else { continue }
      position = place.upperBound
      let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
      let end = start + text.utf8.distance(from: place.lowerBound, to: place.upperBound)
      if (start..<end).overlaps(range) { found = (found?.lowerBound ?? index)..<index + 1 }
    }
    return found ?? 0..<0
  }
}
