import Dispatch
import LonghandTranscripts
import Synchronization

/// A name that was found in a text.
package struct EntityMatch: Sendable, Hashable {
  /// The index in the matcher's `names`.
  package var entity: Int
  /// The words of the text that match, as offsets into its UTF-8.
  package var range: Range<Int>
  /// How well the words match, 0 to 1; 1 if they are the name except for capitals and punctuation.
  package var score: Double
  /// Whether the words are the name except for capitals and punctuation.
  package var isExact: Bool
  /// The words of the text that match, counted from 0.
  var words: Range<Int>
}

/// Finds names in a text, both spelled correctly and as a recognizer that does not know them writes them.
///
/// A recognizer writes words that it knows and that sound similar, and splits and joins words: `when our` for `Winawer`.
/// So windows of words are compared with each name, by their sounds and by their letters. A name matches only if
/// - it is near enough: the shorter the name, the nearer; names of fewer than five letters must match exactly;
/// - no other name is almost as near to the same words;
/// - for common words, it is nearer still.
///
/// In writing without spaces, names must match exactly, and are found within other letters. Matches do not overlap, and none
/// crosses the end of a line.
///
/// ```swift
/// let matcher = EntityMatcher(["Winawer", "Benoni"])
/// for match in matcher.matches(in: "he played the ban on e") {
///   print(matcher.names[match.entity], match.score)
/// }
/// ```
package struct EntityMatcher: Sendable {
  /// The names to find.
  package let names: [String]

  /// How much better than any other name a match must be.
  static let margin = 0.04
  /// Names with fewer letters must match exactly.
  static let minLetters = 5

  /// The number of windows that one task looks at.
  private static let partLength = 250

  private let index: EntityIndex
  private let comparesSounds: Bool
  private let isCommonWord: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - names: the names in their correct spelling. Of names that differ only in capitals and punctuation, the first
  ///     counts.
  ///   - comparesSounds: whether words match that sound like a name in English, and the name without its accents; otherwise all
  ///     names must match exactly.
  ///   - isCommonWord: whether a word, in plain lower-case letters, is common; used in addition to a built-in list of the
  ///     most common words.
  package init(
    _ names: [String], comparesSounds: Bool = true,
    isCommonWord: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.names = names
    self.isCommonWord = isCommonWord
    self.comparesSounds = comparesSounds
    index = EntityIndex(names, minLetters: comparesSounds ? Self.minLetters : .max) { word in
      CommonWords.all.contains(word) || isCommonWord(word)
    }
  }

  /// The names in `text`, in order.
  package func matches(in text: String) -> [EntityMatch] { matches(in: SpokenText(text)) }

  /// - Parameter foreign: parts of the text that are in another language than English, as offsets into its UTF-8, in order. In
  ///   them names must match exactly.
  func matches(in text: SpokenText, foreign: [Range<Int>] = []) -> [EntityMatch] {
    guard text.count > 0, !names.isEmpty else { return [] }
    var next = 0
    let isEnglish = text.byteRanges.map { word in
      while next < foreign.count, foreign[next].upperBound <= word.lowerBound { next += 1 }
      return comparesSounds && !(next < foreign.count && foreign[next].lowerBound < word.upperBound)
    }
    let exact = exactMatches(in: text, isEnglish)
    var taken = zip(isEnglish, text.isUnspaced).map { !$0 || $1 }
    for match in exact { for word in match.words { taken[word] = true } }
    return EntitySelection.select(exact: exact, fuzzy: fuzzyMatches(in: text, taken))
  }

  /// The name that is written with these words, in their spelling; nil if there is none.
  /// - Parameter isEnglish: whether it may be written without its accents.
  func name(_ words: ArraySlice<String>, isEnglish: Bool) -> Int? {
    index.name(words, isEnglish: isEnglish && comparesSounds)
  }

  /// How well words match a name, 0 to 1; nil if not well enough.
  func score(of words: SpokenText, as entity: Int) -> Double? {
    guard let entry = index.entries.first(where: { $0.entity == Int32(entity) }), words.count > 0 else {
      return nil
    }
    var comparison = EntityComparison(index: index)
    let range = 0..<words.count
    return comparison.score(
      of: words, range, as: entry, commonWords: range.count { isCommon(words.word($0)) })
  }

  private func isCommon(_ word: String) -> Bool { CommonWords.function.contains(word) || isCommonWord(word) }

  /// The names that are in the text except for capitals and punctuation, from left to right; at each word the longest.
  private func exactMatches(in text: SpokenText, _ isEnglish: [Bool]) -> [EntityMatch] {
    let numbers = (0..<text.count).map { index.number(of: text.spelling($0)) }
    let possessives = (0..<text.count).map {
      text.possessiveWidths[$0] > 0 ? index.number(of: String(text.spelling($0).dropLast())) : nil
    }
    var matches: [EntityMatch] = []
    var start = 0
    while start < text.count {
      let longest = index.names(at: start, numbers, possessives, isEnglish).last { name in
        !text.startsPhrase[(start + 1)..<max(start + 1, start + name.words)].contains(true)
          && !(name.words == 1 && text.isWithinLetters(start))
      }
      guard let longest else {
        start += 1
        continue
      }
      let words = start..<start + longest.words
      // The possessive ending is not part of the name.
      let ending = longest.isPossessive ? text.possessiveWidths[words.upperBound - 1] : 0
      let first = text.byteRanges[words.lowerBound].lowerBound
      let last = text.byteRanges[words.upperBound - 1].upperBound - ending
      matches.append(
        EntityMatch(entity: longest.entity, range: first..<last, score: 1, isExact: true, words: words))
      start = words.upperBound
    }
    return matches
  }

  /// All windows that are near a name. The windows of a long text are compared on all processors.
  private func fuzzyMatches(in text: SpokenText, _ taken: [Bool]) -> [EntityMatch] {
    guard !index.entries.isEmpty else { return [] }
    let commonWords = (0..<text.count).map { isCommon(text.word($0)) }
    let parts = (text.count + Self.partLength - 1) / Self.partLength
    let found = Mutex<[[EntityMatch]]>(Array(repeating: [], count: parts))
    DispatchQueue.concurrentPerform(iterations: parts) { part in
      let starts = part * Self.partLength..<min(text.count, (part + 1) * Self.partLength)
      let matches = fuzzyMatches(in: text, from: starts, taken, commonWords)
      found.withLock { $0[part] = matches }
    }
    return found.withLock { $0.flatMap(\.self) }
  }

  private func fuzzyMatches(
    in text: SpokenText, from starts: Range<Int>, _ taken: [Bool], _ commonWords: [Bool]
  ) -> [EntityMatch] {
    var comparison = EntityComparison(index: index)
    var matches: [EntityMatch] = []
    let widest = index.maxWords + EntityComparison.maxExtraWords(letters: .max)
    for start in starts {
      var key = ConsonantKey([])
      var common = 0
      for end in (start + 1)...min(start + widest, text.count) where start < text.count {
        let word = end - 1
        if taken[word] || (word > start && text.startsPhrase[word]) { break }
        for sound in text.sounds[text.soundStarts[word]..<text.soundStarts[end]] { key.append(sound) }
        if commonWords[word] { common += 1 }
        comparison.compare(text, start..<end, key, commonWords: common, into: &matches)
      }
    }
    return matches
  }
}

/// Selects matches that do not overlap.
enum EntitySelection {
  /// The exact matches and the best of the fuzzy ones, in order.
  static func select(exact: [EntityMatch], fuzzy: [EntityMatch]) -> [EntityMatch] {
    // The best first; of equals the one with fewer words, then the one further to the left.
    let ranked = fuzzy.sorted { left, right in
      (right.score, left.words.count, left.words.lowerBound, left.entity)
        < (left.score, right.words.count, right.words.lowerBound, right.entity)
    }
    var selected = exact
    var blocked: [Range<Int>] = exact.map(\.words)
    for (rank, match) in ranked.enumerated() {
      if blocked.contains(where: { $0.overlaps(match.words) }) { continue }
      blocked.append(match.words)
      // Two names that match the same words almost equally well are ambiguous: neither is taken.
      let isAmbiguous = ranked[(rank + 1)...].prefix { $0.score > match.score - EntityMatcher.margin }
        .contains { $0.entity != match.entity && $0.words.overlaps(match.words) }
      if !isAmbiguous { selected.append(match) }
    }
    return selected.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }
}
