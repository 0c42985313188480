import Foundation
import LonghandTranscripts
import SentenceFormatting

/// Merges the results of two tasks that recognized the same half second of audio. It compares the times of words and never
/// their text, so that a word that was said twice stays twice.
///
/// The last word of the first task and the first word of the second task may be cut off. Words that both tasks recognized
/// are matched in order. Of each pair, the word further from the edge of its task's audio is kept. A word that only one
/// task recognized is kept at its time.
struct SeamMerger: Sendable {
  /// Seconds by which the two times of a word's start or end may differ.
  private static let tolerance = 0.125
  /// Seconds from the edge of a task's audio within which the edge may have cut a word.
  private static let edge = 0.03

  /// The audio that both tasks recognized, in seconds.
  let overlap: ClosedRange<TimeInterval>

  /// The two results after the merge: `first` of the task that ended, `second` of the task that began. Each may get words
  /// that only the other task recognized.
  func merge(_ first: Candidate, _ second: Candidate) -> (first: Candidate, second: Candidate) {
    let words = merged(first.words, second.words)
    // Where the fewest words change sides.
    var strangers = words.count { !$0.isOfSecond }
    var (cut, fewest) = (0, strangers)
    for (index, word) in words.enumerated() {
      strangers += word.isOfSecond ? 1 : -1
      if strangers < fewest { (cut, fewest) = (index + 1, strangers) }
    }
    return (first.keeping(words[..<cut].map(\.word)), second.keeping(words[cut...].map(\.word)))
  }

  private func merged(_ first: [Word], _ second: [Word]) -> [(word: Word, isOfSecond: Bool)] {
    var all: [(word: Word, isOfSecond: Bool)] = []
    var next = (first: 0, second: 0)
    func take(to end: (first: Int, second: Int)) {
      let own = first[next.first..<end.first].map { (word: $0, isOfSecond: false) }
      let others = second[next.second..<end.second].map { (word: $0, isOfSecond: true) }
      all += (own + others).sorted { middle($0.word) < middle($1.word) }
      next = end
    }
    for pair in pairs(first, second) {
      take(to: pair)
      let (one, other) = (first[pair.first], second[pair.second])
      let isOfSecond = other.start - overlap.lowerBound > overlap.upperBound - one.end
      all.append((isOfSecond ? other : one, isOfSecond))
      next = (pair.first + 1, pair.second + 1)
    }
    take(to: (first.count, second.count))
    // Where a word of the other task replaces one, it may begin a little before the word that it follows.
    for index in all.indices.dropFirst() where all[index].word.start < all[index - 1].word.start {
      all[index].word.start = all[index - 1].word.start
      all[index].word.end = max(all[index].word.end, all[index].word.start)
    }
    return all
  }

  /// The indices of the words that both tasks recognized, in order: the matching with the largest shared time.
  private func pairs(_ first: [Word], _ second: [Word]) -> [(first: Int, second: Int)] {
    // The largest share of the words from two indices on.
    var most = Array(repeating: Array(repeating: 0.0, count: second.count + 1), count: first.count + 1)
    for one in first.indices.reversed() {
      for other in second.indices.reversed() {
        let both = share(first[one], second[other]).map { $0 + most[one + 1][other + 1] } ?? 0
        most[one][other] = max(both, most[one + 1][other], most[one][other + 1])
      }
    }
    var pairs: [(first: Int, second: Int)] = []
    var (one, other) = (0, 0)
    while one < first.count, other < second.count {
      if most[one][other] == most[one + 1][other] {
        one += 1
      } else if most[one][other] == most[one][other + 1] {
        other += 1
      } else {
        pairs.append((one, other))
        (one, other) = (one + 1, other + 1)
      }
    }
    return pairs
  }

  /// The shared part of the shorter of two words, from 0 to 1; nil if they cannot be the same word.
  private func share(_ one: Word, _ other: Word) -> Double? {
    let shared = min(one.end, other.end) - max(one.start, other.start)
    guard shared > 0 else { return nil }
    let share = shared / min(one.end - one.start, other.end - other.start)
    let isCutAtEnd = one.end > overlap.upperBound - Self.edge
    let isCutAtStart = other.start < overlap.lowerBound + Self.edge
    let beginsAlike = isCutAtStart || abs(one.start - other.start) < Self.tolerance
    let endsAlike = isCutAtEnd || abs(one.end - other.end) < Self.tolerance
    return share > 0.5 || beginsAlike && endsAlike ? share : nil
  }

  private func middle(_ word: Word) -> TimeInterval { (word.start + word.end) / 2 }
}

extension Candidate {
  /// The candidate with other words.
  fileprivate func keeping(_ words: [Word]) -> Candidate {
    guard words != self.words else { return self }
    var kept = self
    kept.words = words
    kept.text = words.map(\.text).joinedWords()
    return kept
  }
}
