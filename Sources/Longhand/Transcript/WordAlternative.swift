import Foundation

/// What a candidate of a segment has in place of one or more words of the selected candidate.
///
/// All alternatives of a segment are a confusion network: the selected candidate's words with what the recognizer found at
/// the same time.
public struct WordAlternative: Sendable, Hashable, Codable {
  /// The words, separated by spaces; empty if the candidate has no word there.
  public var text: String
  /// The probability of these words, 0 to 1: of the least sure one. Nil if the recognizer reports none, or if there is no
  /// word.
  public var confidence: Double?
  /// The words of the selected candidate that it replaces; never empty.
  public var replaced: Range<Int>
  /// The index in `candidates` of the first candidate that has the words.
  public var candidate: Int
  /// The words in that candidate.
  public var words: Range<Int>
}

extension Segment {
  /// For each word of the selected candidate, what the other candidates have at the same time: the likeliest first, each
  /// text once. An alternative that replaces several words is listed with each of them.
  ///
  /// ```swift
  /// for (word, others) in zip(segment.words, segment.wordAlternatives) {
  ///   print(word.text, others.map(\.text))
  /// }
  /// ```
  public var wordAlternatives: [[WordAlternative]] {
    var found: [[WordAlternative]] = words.map { _ in [] }
    for (index, candidate) in candidates.enumerated()
    where index != selection.index && candidate.composition == nil && !candidate.words.isEmpty {
      for place in ConfusionAlignment.differences(between: words, and: candidate.words) {
        let alternative = alternative(place, in: candidate, at: index)
        for word in place.replaced { found[word].add(alternative) }
      }
    }
    return found.map { $0.sorted { ($0.confidence ?? -1) > ($1.confidence ?? -1) } }
  }

  private func alternative(
    _ place: ConfusionAlignment.Difference, in candidate: Candidate, at index: Int
  ) -> WordAlternative {
    let own = candidate.words[place.words]
    let confidences = own.compactMap(\.confidence)
    // What is left over beside the words that it replaces.
    let rest = 1 - (words[place.replaced].compactMap(\.confidence).max() ?? 0)
    let confidence = confidences.count == own.count ? confidences.min().map { min($0, rest) } : nil
    return WordAlternative(
      text: own.map(\.text).joined(separator: " "), confidence: confidence, replaced: place.replaced,
      candidate: index, words: place.words)
  }
}

extension [WordAlternative] {
  /// Adds an alternative, unless there is one with the same words for the same words. The higher confidence counts.
  fileprivate mutating func add(_ new: WordAlternative) {
    guard let index = firstIndex(where: { $0.text == new.text && $0.replaced == new.replaced }) else {
      return append(new)
    }
    if let confidence = new.confidence {
      self[index].confidence = Swift.max(self[index].confidence ?? 0, confidence)
    }
  }
}

/// Compares the words of two candidates by their times.
enum ConfusionAlignment {
  /// A place where two candidates have different words.
  struct Difference: Equatable {
    /// Words of the first candidate; never empty.
    var replaced: Range<Int>
    /// Words of the second candidate.
    var words: Range<Int>
  }

  /// Seconds between the ends of two words that end at the same time.
  private static let tolerance = 0.06

  /// The places where the candidates differ, in order. They are cut where words of both end at the same time, and equal
  /// words at their ends do not belong to them. A word that only the second candidate has belongs to the word after it, or
  /// before it at the end.
  static func differences(between first: [Word], and second: [Word]) -> [Difference] {
    guard !first.isEmpty else { return [] }
    var differences: [Difference] = []
    var (start, other) = (0, 0)
    var (end, otherEnd) = (0, 0)
    while end < first.count || otherEnd < second.count {
      let time = end < first.count ? first[end].end : .infinity
      let otherTime = otherEnd < second.count ? second[otherEnd].end : .infinity
      if time <= otherTime + tolerance { end += 1 }
      if otherTime <= time + tolerance { otherEnd += 1 }
      let isOver = end == first.count && otherEnd == second.count
      guard abs(time - otherTime) <= tolerance || isOver else { continue }
      if start == end {
        // Words after the last one of the first candidate.
        if other > 0, isSame(first[start - 1], second[other - 1]) {
          differences.append(Difference(replaced: start - 1..<start, words: other - 1..<otherEnd))
        }
      } else if let place = difference(start..<end, of: first, other..<otherEnd, of: second) {
        differences.append(place)
      }
      (start, other) = (end, otherEnd)
    }
    return differences
  }

  /// The difference without the equal words at its ends; nil if there is none.
  private static func difference(
    _ range: Range<Int>, of first: [Word], _ otherRange: Range<Int>, of second: [Word]
  ) -> Difference? {
    var (own, other) = (range, otherRange)
    while let left = own.last, let right = other.last, isSame(first[left], second[right]) {
      own.removeLast()
      other.removeLast()
    }
    while let left = own.first, let right = other.first, isSame(first[left], second[right]) {
      own.removeFirst()
      other.removeFirst()
    }
    guard !own.isEmpty || !other.isEmpty else { return nil }
    guard own.isEmpty else { return Difference(replaced: own, words: other) }
    if own.upperBound < range.upperBound {
      // The word after it is the same in both.
      return Difference(
        replaced: own.lowerBound..<own.lowerBound + 1, words: other.lowerBound..<other.upperBound + 1)
    }
    if own.lowerBound > range.lowerBound {
      return Difference(
        replaced: own.lowerBound - 1..<own.lowerBound, words: other.lowerBound - 1..<other.upperBound)
    }
    return nil
  }

  private static func isSame(_ first: Word, _ second: Word) -> Bool {
    first.text == second.text && first.start < second.end && second.start < first.end
  }
}
