import Foundation

/// What a person wrote in place of some segments, divided among them. Words that stay keep their times; new words share
/// the time of those that they replace.
struct EditedText {
  /// Words of one paragraph in the time of one segment.
  struct Part {
    /// The index of the segment.
    var segment: Int
    /// The index of the paragraph.
    var paragraph: Int
    /// As they were written.
    var words: [Word] = []
    /// The words of the segment that it consists of, if it has no others.
    var kept: Range<Int>?
  }

  /// A word of the segments as it is shown.
  private struct Old {
    var segment: Int
    /// The index in the segment.
    var index: Int
    var word: Word
  }

  /// In order; those of one segment follow each other.
  private(set) var parts: [Part] = []

  private let old: [Old]
  private let ranges: [ClosedRange<TimeInterval>]

  /// - Parameters:
  ///   - paragraphs: what was written.
  ///   - segments: the segments as they are shown, at least one.
  init(_ paragraphs: [String], in segments: [Segment]) {
    old = segments.enumerated().flatMap { number, segment in
      segment.timedWords.enumerated().map { Old(segment: number, index: $0, word: $1) }
    }
    ranges = segments.map(\.range)
    let isUnspaced = !segments.contains { $0.text.contains(where: \.isWhitespace) }
    let written = paragraphs.enumerated().flatMap { paragraph, text in
      Self.words(of: text, isUnspaced ? old.map(\.word.text) : []).map { (paragraph: paragraph, text: $0) }
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
      keep(before - 1, paragraph: written[now - 1].paragraph)
    }
    endDifference()
  }

  /// The words of a text. In writing without spaces they are the known ones at both ends, and what is between them.
  private static func words(of text: String, _ known: [String]) -> [String] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 1, known.count > 1, var rest = words.first?[...] else { return words }
    var (first, last): ([String], [String]) = ([], [])
    for word in known where rest.hasPrefix(word) {
      first.append(word)
      rest = rest.dropFirst(word.count)
    }
    for word in known.reversed() where rest.hasSuffix(word) {
      last.append(word)
      rest = rest.dropLast(word.count)
    }
    return first + (rest.isEmpty ? [] : [String(rest)]) + last.reversed()
  }

  // MARK: Words and their places

  private mutating func add(_ word: Word, kept index: Int? = nil, in segment: Int, paragraph: Int) {
    if parts.last?.segment != segment || parts.last?.paragraph != paragraph {
      parts.append(Part(segment: segment, paragraph: paragraph, kept: index.map { $0..<$0 }))
    }
    let last = parts.count - 1
    parts[last].words.append(word)
    if let index, let kept = parts[last].kept, kept.upperBound == index {
      parts[last].kept = kept.lowerBound..<index + 1
    } else {
      parts[last].kept = nil
    }
  }

  private mutating func keep(_ index: Int, paragraph: Int) {
    add(old[index].word, kept: old[index].index, in: old[index].segment, paragraph: paragraph)
  }

  /// Adds new words that replace old ones.
  private mutating func place(
    _ words: ArraySlice<(paragraph: Int, text: String)>, from first: Int, in range: Range<Int>
  ) {
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
    _ time: ClosedRange<TimeInterval>, among words: ArraySlice<(paragraph: Int, text: String)>,
    in segment: Int
  ) {
    let new = Word.sharing(time.lowerBound, time.upperBound, words.map(\.text))
    for (word, (paragraph, _)) in zip(new, words) { add(word, in: segment, paragraph: paragraph) }
  }

  /// Which old words are replaced by which new ones, by the distance of their letters. No group has words of two segments.
  private func groups(
    _ range: Range<Int>, _ words: ArraySlice<(paragraph: Int, text: String)>
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
  var timedWords: [Word] {
    let text = TimedText(self)
    guard !text.isTimed else { return words.filter { !LineText.of($0.text).isEmpty } }
    return text.tokens.map {
      Word(text: $0.text, start: $0.start.seconds, end: $0.end.seconds, confidence: nil)
    }
  }
}
