import Foundation
import SentenceFormatting

/// What a person wrote in place of some segments, divided among them. Words that stay keep their times; new words share
/// the time of those that they replace.
package struct EditedText {
  /// Words of one paragraph in the time of one segment.
  package struct Part {
    /// The index of the segment.
    package var segment: Int
    /// The index of the paragraph.
    package var paragraph: Int
    /// As they were written.
    package var words: [Word] = []
    /// The words with the spaces between them.
    package var text = ""
    /// The words of the segment that it consists of, if it has no others.
    package var kept: Range<Int>?
  }

  /// A word of the segments as it is shown.
  private struct Old {
    var segment: Int
    /// The index in the segment.
    var index: Int
    var word: Word
  }

  /// A word of what was written.
  private struct Written {
    var paragraph: Int
    var text: String
    var isSpaced: Bool
  }

  /// In order; those of one segment follow each other.
  package private(set) var parts: [Part] = []

  private let old: [Old]
  private let ranges: [ClosedRange<TimeInterval>]

  /// - Parameters:
  ///   - paragraphs: what was written.
  ///   - segments: the segments as they are shown, at least one.
  package init(_ paragraphs: [String], in segments: [Segment]) {
    old = segments.enumerated().flatMap { number, segment in
      segment.timedWords.enumerated().map { Old(segment: number, index: $0, word: $1) }
    }
    ranges = segments.map(\.range)
    let written = paragraphs.enumerated().flatMap { paragraph, text in
      Self.words(of: text, old.map(\.word.text)).map {
        Written(
          paragraph: paragraph, text: String(text[$0]),
          isSpaced: $0.lowerBound > text.startIndex && text[text.index(before: $0.lowerBound)].isWhitespace)
      }
    }
    let operations = WordAlignment(reference: old.map(\.word.text), hypothesis: written.map(\.text))
      .operations
    var (before, now) = (0, 0)
    var difference: (old: Range<Int>, new: Range<Int>) = (0..<0, 0..<0)
    func endDifference() {
      place(written[difference.new], from: difference.new.lowerBound, in: difference.old)
      difference = (before..<before, now..<now)
    }
    for operation in operations {
      if operation != .insertion { before += 1 }
      if operation != .deletion { now += 1 }
      guard operation == .match else {
        difference = (difference.old.lowerBound..<before, difference.new.lowerBound..<now)
        continue
      }
      difference = (difference.old.lowerBound..<before - 1, difference.new.lowerBound..<now - 1)
      endDifference()
      keep(before - 1, as: written[now - 1])
    }
    endDifference()
  }

  /// The words of a text. In writing without any spaces they are the known ones at both ends, and those between them.
  private static func words(of text: String, _ known: [String]) -> [Range<String.Index>] {
    let words = text.writtenWords
    guard text.isPartlyUnspaced, !text.contains(where: \.isWhitespace) else { return words }
    var rest = text[...]
    var (first, last): ([Range<String.Index>], [Range<String.Index>]) = ([], [])
    for word in known where rest.hasPrefix(word) {
      let start = rest.startIndex
      rest = rest.dropFirst(word.count)
      first.append(start..<rest.startIndex)
    }
    for word in known.reversed() where rest.hasSuffix(word) {
      let end = rest.endIndex
      rest = rest.dropLast(word.count)
      last.append(rest.endIndex..<end)
    }
    let between = words.map { $0.clamped(to: rest.startIndex..<rest.endIndex) }.filter { !$0.isEmpty }
    return first + between + last.reversed()
  }

  // MARK: Words and their places

  private mutating func add(_ word: Word, kept index: Int? = nil, in segment: Int, as written: Written) {
    if parts.last?.segment != segment || parts.last?.paragraph != written.paragraph {
      parts.append(Part(segment: segment, paragraph: written.paragraph, kept: index.map { $0..<$0 }))
    }
    let last = parts.count - 1
    parts[last].text += (written.isSpaced && !parts[last].text.isEmpty ? " " : "") + word.text
    parts[last].words.append(word)
    if let index, let kept = parts[last].kept, kept.upperBound == index {
      parts[last].kept = kept.lowerBound..<index + 1
    } else {
      parts[last].kept = nil
    }
  }

  private mutating func keep(_ index: Int, as written: Written) {
    add(old[index].word, kept: old[index].index, in: old[index].segment, as: written)
  }

  /// Adds new words that replace old ones.
  private mutating func place(_ words: ArraySlice<Written>, from first: Int, in range: Range<Int>) {
    guard let paragraph = words.first?.paragraph else { return }
    if range.isEmpty {
      let before = range.lowerBound > 0 ? old[range.lowerBound - 1] : nil
      let after = range.lowerBound < old.count ? old[range.lowerBound] : nil
      // Where a paragraph begins, they belong to what follows.
      let isAfter = parts.last?.paragraph != paragraph && after != nil
      let segment = (isAfter ? after : before ?? after)?.segment ?? parts.last?.segment ?? 0
      let home = ranges[max(segment, parts.last?.segment ?? 0)]
      let start = before.map { min(max($0.word.end, home.lowerBound), home.upperBound) } ?? home.lowerBound
      let end = after.map { min(max($0.word.start, start), home.upperBound) } ?? home.upperBound
      return share(start...max(start, end), among: words, in: max(segment, parts.last?.segment ?? 0))
    }
    for (own, new) in groups(range, words) {
      let segment = old[own.lowerBound].segment
      let start = old[own.lowerBound].word.start
      // Recognized words may overlap a little.
      let next = own.upperBound < old.count ? old[own.upperBound].word.start : .infinity
      share(
        start...max(start, min(next, old[own.upperBound - 1].word.end)), among: words[new], in: segment)
    }
  }

  /// Divides a time among words by the numbers of their letters.
  private mutating func share(
    _ time: ClosedRange<TimeInterval>, among words: ArraySlice<Written>, in segment: Int
  ) {
    let new = Word.sharing(time.lowerBound, time.upperBound, words.map(\.text))
    for (word, written) in zip(new, words) { add(word, in: segment, as: written) }
  }

  /// Which old words are replaced by which new ones, by the distance of their letters. No group has words of two segments.
  private func groups(
    _ range: Range<Int>, _ words: ArraySlice<Written>
  ) -> [(old: Range<Int>, new: Range<Int>)] {
    let isLong = range.count * words.count > Self.maxTableSize
    let operations =
      isLong
      ? Array(repeating: .substitution, count: min(range.count, words.count))
        + Array(
          repeating: range.count > words.count ? .deletion : .insertion, count: abs(range.count - words.count)
        )
      : EditDistance(costs: LetterCosts()).operations(
        from: old[range].map { Array($0.word.text.lowercased().utf8) },
        to: words.map { Array($0.text.lowercased().utf8) })
    var groups: [(old: Range<Int>, new: Range<Int>)] = []
    // Words before the first group, or of another segment than the last one, belong to the next.
    var (first, firstNew) = (range.lowerBound, words.startIndex)
    var (index, new) = (first, firstNew)
    for operation in operations {
      if operation != .insertion { index += 1 }
      if operation != .deletion { new += 1 }
      switch operation {
      case .match, .substitution:
        // Of the words that are waiting, those of the same segment; none if the word has the same letters.
        while old[first].segment != old[index - 1].segment { first += 1 }
        if operation == .match { first = index - 1 }
        groups.append((first..<index, firstNew..<new))
      case .deletion where !groups.isEmpty && firstNew == new:
        let last = groups.count - 1
        guard old[groups[last].old.lowerBound].segment == old[index - 1].segment,
          groups[last].old.upperBound == index - 1
        else { continue }
        groups[last].old = groups[last].old.lowerBound..<index
      case .insertion where !groups.isEmpty:
        groups[groups.count - 1].new = groups[groups.count - 1].new.lowerBound..<new
      case .deletion, .insertion: continue
      }
      (first, firstNew) = (index, new)
    }
    return groups
  }

  /// The number of cells in the largest table of letters' distances.
  private static let maxTableSize = 1 << 12

  /// Two words are rather the same one in another spelling than a removed and a new one.
  private struct LetterCosts: EditCosts {
    func removal(of element: [UInt8]) -> Int32 { 60 }
    func insertion(of element: [UInt8]) -> Int32 { 60 }
    func replacement(of element: [UInt8], with other: [UInt8]) -> Int32 {
      var distance = LetterDistance()
      return Int32(100 * (1 - distance.similarity(element[...], other[...])))
    }
  }
}

extension Segment {
  /// The words that have letters, with their times; estimated times if the recognizer reports none.
  package var timedWords: [Word] {
    let text = TimedText(self)
    guard !text.isTimed else { return words.filter { !LineText.of($0.text).isEmpty } }
    return text.tokens.map {
      Word(text: $0.text, start: $0.start.seconds, end: $0.end.seconds, confidence: nil)
    }
  }
}
