import Foundation
import SentenceFormatting

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
    candidates[selection.index].words.giveLengths(within: range)
  }
}

extension Word: TimedWord {}

extension Segment {
  /// Gives the selected candidate the words of its writing, each with a length, whatever the transcript was made by.
  package mutating func writeWords() {
    for index in candidates.indices { candidates[index].words = candidates[index].writtenWords }
    candidates[selection.index].words.giveLengths(within: range)
  }
}

extension Candidate {
  /// The words; those of writing without spaces are divided or joined to words of that writing, which share the times.
  fileprivate var writtenWords: [Word] {
    let own = words.map { $0.text.unicodeScalars.filter { !$0.properties.isWhitespace } }
    guard text.isPartlyUnspaced,
      own.joined().elementsEqual(text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace })
    else { return words }
    var (index, taken) = (0, 0)
    return text.writtenWords.map { range in
      var written = Word(text: String(text[range]), start: 0, end: 0, confidence: 1)
      var isFirst = true
      var missing = text.unicodeScalars.distance(from: range.lowerBound, to: range.upperBound)
      while missing > 0, index < words.count {
        let (word, count) = (words[index], own[index].count)
        let part = min(missing, count - taken)
        let scale = (word.end - word.start) / Double(max(1, count))
        if isFirst { written.start = word.start + scale * Double(taken) }
        written.end = word.start + scale * Double(taken + part)
        written.confidence = written.confidence.flatMap { before in word.confidence.map { min(before, $0) } }
        (written.voice, written.marks) = (word.voice, word.marks)
        isFirst = isFirst && part == 0
        missing -= part
        taken += part
        if taken == count { (index, taken) = (index + 1, 0) }
      }
      return written
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
      guard let place = text.range(of: word.text, options: .literal, range: position..<text.endIndex) else {
        continue
      }
      position = place.upperBound
      let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
      let end = start + text.utf8.distance(from: place.lowerBound, to: place.upperBound)
      if (start..<end).overlaps(range) { found = (found?.lowerBound ?? index)..<index + 1 }
    }
    return found ?? 0..<0
  }
}
