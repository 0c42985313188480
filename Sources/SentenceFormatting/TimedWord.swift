/// A word with its time in seconds, as each layer has it.
package protocol TimedWord {
  var text: String { get }
  var start: Double { get set }
  var end: Double { get set }
}

/// Seconds. Whisper's attention gives many words no length, or one frame.
private let minWordLength = 0.02

extension MutableCollection where Self: RandomAccessCollection, Element: TimedWord, Index == Int {
  /// Moves the times into a range, in order, and gives each word a length of at least 20 ms, unless the range has no room for
  /// that. A word without a length gets a share of the pause beside it, or else of its longer neighbor.
  package mutating func giveLengths(within range: ClosedRange<Double>) {
    var position = range.lowerBound
    for index in indices {
      self[index].start = Swift.min(Swift.max(self[index].start, position), range.upperBound)
      self[index].end = Swift.min(Swift.max(self[index].end, self[index].start), range.upperBound)
      position = self[index].end
    }
    guard contains(where: \.isShort) else { return }
    var first = startIndex
    while first < endIndex {
      let last = self[first...].prefix(while: \.isShort).endIndex
      if last > first { giveLengths(to: first..<last, within: range) }
      first = Swift.max(last, first + 1)
    }
    // What got no room from its neighbors.
    let least = Swift.min(minWordLength, (range.upperBound - range.lowerBound) / Double(Swift.max(1, count)))
    position = range.lowerBound
    for index in indices {
      self[index].start = Swift.max(self[index].start, position)
      self[index].end = Swift.max(self[index].end, self[index].start + least)
      position = self[index].end
    }
    position = range.upperBound
    for index in indices.reversed() {
      self[index].end = Swift.min(self[index].end, position)
      self[index].start = Swift.min(self[index].start, self[index].end - least)
      position = self[index].start
    }
  }

  /// Gives words without lengths, one after another, room.
  private mutating func giveLengths(to words: Range<Int>, within range: ClosedRange<Double>) {
    let wanted = self[words].reduce(0) { $0 + $1.usualLength }
    let before = words.lowerBound > startIndex ? words.lowerBound - 1 : nil
    let after = words.upperBound < endIndex ? words.upperBound : nil
    let (early, late) = (
      before.map { self[$0].end } ?? range.lowerBound, after.map { self[$0].start } ?? range.upperBound
    )
    var start = self[words.lowerBound].start
    var end = Swift.min(Swift.max(self[words.upperBound - 1].end, start + wanted), late)
    start = Swift.max(Swift.min(start, end - wanted), early)
    let missing = wanted - (end - start)
    let neighbor = [before, after].compactMap(\.self).max { self[$0].length < self[$1].length }
    if missing > 1e-6, let neighbor {
      let letters = self[words].reduce(0) { $0 + $1.text.count }
      let share =
        self[neighbor].length * Double(letters) / Double(Swift.max(1, letters + self[neighbor].text.count))
      let taken = Swift.min(missing, share)
      if neighbor == before {
        (start, self[neighbor].end) = (early - taken, early - taken)
      } else {
        (end, self[neighbor].start) = (late + taken, late + taken)
      }
    }
    for index in words {
      self[index].start = start
      start +=
        (end - start) * self[index].usualLength
        / self[index..<words.upperBound].reduce(0) { $0 + $1.usualLength }
      self[index].end = start
    }
  }
}

extension TimedWord {
  fileprivate var length: Double { end - start }
  /// Seconds that a word without a length gets where there is room.
  fileprivate var usualLength: Double { Swift.max(0.1, 0.06 * Double(text.count)) }
  /// Times are rounded here and there.
  fileprivate var isShort: Bool { length < minWordLength - 0.0005 }
}
