import Dispatch
import Synchronization

/// Finds names in a text: as they are written, and as a recognizer that does not know them writes them.
///
/// A recognizer writes words that it knows and that sound alike, and parts and joins words to do so: `when our` for
/// `Winawer`. So windows of words are compared with each name, by their sounds (`PhoneticCoding`, `PhoneticDistance`) and by
/// their letters (Levenshtein). What is found stands only if
/// - it is near enough: the shorter the name, the nearer; names of fewer than five letters must be there exactly;
/// - no other name is nearly as near at the same place, see `margin`;
/// - words that everybody uses are nearer still, see `FunctionWords`.
///
/// Spans do not overlap, and none reaches over the end of a line.
public struct EntityMatcher: Sendable {
  /// The names, as they were given.
  public let names: [String]

  /// How much better than any other name one must be.
  static let margin = 0.04
  /// Letters of the shortest name that need not be there exactly.
  static let shortest = 5

  /// Words whose windows are looked at together.
  private static let partLength = 250

  private let index: EntityIndex
  private let isCommonWord: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - names: as they are to be written; of those that differ only in capitals and marks the first counts.
  ///   - isCommonWord: whether a word, in plain lower-case letters, is one that everybody uses; beside a list of the
  ///     commonest that is built in.
  public init(_ names: [String], isCommonWord: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.names = names
    self.isCommonWord = isCommonWord
    index = EntityIndex(names, shortest: Self.shortest)
  }

  /// The names in `text`, in order.
  public func matches(in text: String) -> [EntityMatch] { matches(in: SpokenText(text)) }

  func matches(in text: SpokenText) -> [EntityMatch] {
    guard text.count > 0, !names.isEmpty else { return [] }
    let exact = exactMatches(in: text)
    var taken = Array(repeating: false, count: text.count)
    for match in exact { for word in match.words { taken[word] = true } }
    let fuzzy = fuzzyMatches(in: text, taken)
    return EntitySelection(index: index, names: names).chosen(exact: exact, fuzzy: fuzzy)
  }

  /// How well words stand for a name, 0 to 1; nil if not well enough to be taken for it.
  func score(of words: SpokenText, as entity: Int) -> Double? {
    guard let entry = index.entries.first(where: { $0.entity == Int32(entity) }), words.count > 0 else {
      return nil
    }
    var comparison = EntityComparison(index: index)
    let range = 0..<words.count
    let common = range.count { isCommon(words.word($0)) }
    return comparison.score(
      of: words, range, as: entry, commonWords: common)
  }

  private func isCommon(_ word: String) -> Bool { FunctionWords.all.contains(word) || isCommonWord(word) }

  /// The longest names that stand in the text but for capitals and marks, from the left.
  private func exactMatches(in text: SpokenText) -> [EntityMatch] {
    let numbers = (0..<text.count).map { index.number(of: text.word($0)) }
    let possessives = (0..<text.count).map {
      text.possessiveWidths[$0] > 0 ? index.number(of: String(text.word($0).dropLast())) : nil
    }
    var found: [EntityMatch] = []
    var start = 0
    while start < text.count {
      let longest = index.names(at: start, numbers, possessives).last { name in
        !text.beginsLine[(start + 1)..<max(start + 1, start + name.words)].contains(true)
      }
      guard let longest else {
        start += 1
        continue
      }
      let words = start..<start + longest.words
      // The mark of possession is no part of the name.
      let cut = longest.isCut ? text.possessiveWidths[words.upperBound - 1] : 0
      let range = text.places[words.lowerBound].lowerBound..<text.places[words.upperBound - 1].upperBound
      found.append(
        EntityMatch(
          entity: longest.entity, range: range.lowerBound..<range.upperBound - cut, score: 1, isExact: true,
          words: words))
      start = words.upperBound
    }
    return found
  }

  /// All windows that are near a name. Those of a long text are looked at on all processors.
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
    var found: [EntityMatch] = []
    let widest = index.mostWords + EntityComparison.mostWordsMore(letters: .max)
    for start in starts {
      var skeleton = ConsonantKey([])
      var common = 0
      for end in (start + 1)...min(start + widest, text.count) where start < text.count {
        let word = end - 1
        if taken[word] || (word > start && text.beginsLine[word]) { break }
        for sound in text.sounds[text.soundStarts[word]..<text.soundStarts[end]] { skeleton.append(sound) }
        if commonWords[word] { common += 1 }
        comparison.compare(text, start..<end, skeleton, commonWords: common, into: &found)
      }
    }
    return found
  }
}
