import LonghandTranscripts

/// Checks that a text written by a language model says the same as the transcript.
///
/// Allowed are other capitals and punctuation that belongs to no number, the replacements that the vocabulary declares as corrections, and its names
/// in place of words that hold no name, and that the matcher finds near enough, for which the recognizer has it as an
/// alternative, or of which it is unsure and that can sound like it. Sound alone is not enough, as ordinary words are like
/// names, too. Every other word that was added, removed or changed is refused, and the transcript's words stay there. If
/// many are, the model wrote another text, and all of it is rejected.
struct NormalizationGuard: Sendable {
  /// Words of the transcript that are replaced.
  struct Replacement: Sendable, Hashable {
    /// Words of the transcript, counted from 0.
    var source: Range<Int>
    /// Words of the new text, counted from 0.
    var target: Range<Int>
    /// The matcher's score; nil for a declared correction.
    var score: Double?
  }

  /// What a text changes.
  struct Changes {
    /// The allowed replacements, in order.
    var replacements: [Replacement] = []
    /// The words that were changed otherwise, in order.
    var refused: [(source: Range<Int>, target: Range<Int>)] = []
    /// How many words were changed otherwise.
    var refusedCount: Int { refused.reduce(0) { $0 + max($1.source.count, $1.target.count) } }
  }

  /// The most words of one replacement, on either side.
  private static let maxWords = 12

  private let matcher: EntityMatcher
  private let declared: [String: Set<String>]
  private let comparesSounds: Bool

  /// - Parameter comparesSounds: whether words are allowed to be names by their sounds, which are those of English.
  init(matcher: EntityMatcher, corrections: [Vocabulary.Correction], comparesSounds: Bool = true) {
    self.matcher = matcher
    self.comparesSounds = comparesSounds
    declared = corrections.reduce(into: [:]) { declared, correction in
      declared[SpokenText(correction.recognized).key(), default: []].insert(SpokenText(correction.text).key())
    }
  }

  /// The changes from `source` to `target`.
  /// - Parameters:
  ///   - isFixed: whether words of the transcript must stay.
  ///   - names: the names, by their numbers, that the recognizer's alternatives have for words of the transcript.
  ///   - isUnsure: whether the recognizer is unsure of words of the transcript.
  ///   - isEnglish: whether words of the transcript are English; elsewhere names are not known by their sounds.
  /// - Returns: nil if so much is refused that it is another text.
  func changes(
    from source: SpokenText, to target: SpokenText, isFixed: (Range<Int>) -> Bool = { _ in false },
    names: (Range<Int>) -> Set<Int> = { _ in [] }, isUnsure: (Range<Int>) -> Bool = { _ in false },
    isEnglish: (Range<Int>) -> Bool = { _ in true }
  ) -> Changes? {
    let old = (0..<source.count).map(source.spelling)
    let new = (0..<target.count).map(target.spelling)
    var changes = Changes()
    for (oldWords, newWords) in Self.differences(old, new) {
      guard let more = replacement(old, oldWords, new, newWords, names, isUnsure, isEnglish),
        !isFixed(more.source)
      else {
        changes.refused.append((oldWords, newWords))
        continue
      }
      // Two differences may widen to the same replacement.
      if let last = changes.replacements.last,
        last.source.overlaps(more.source) || last.target.overlaps(more.target)
      {
        guard last == more else { return nil }
        continue
      }
      changes.replacements.append(more)
    }
    let overlaps = changes.refused.contains { refused in
      changes.replacements.contains {
        $0.source.overlaps(refused.source) || $0.target.overlaps(refused.target)
      }
    }
    return overlaps || changes.refusedCount > max(1, old.count / 3) ? nil : changes
  }

  private func holdsName(_ words: ArraySlice<String>, _ isEnglish: Bool) -> Bool {
    words.indices.contains { start in
      (start..<words.endIndex).contains { matcher.name(words[start...$0], isEnglish: isEnglish) != nil }
    }
  }

  /// The ranges in which two lists of words differ.
  private static func differences(_ old: [String], _ new: [String]) -> [(old: Range<Int>, new: Range<Int>)] {
    var ranges: [(old: Range<Int>, new: Range<Int>)] = []
    var position = (old: 0, new: 0)
    for operation in WordAlignment(reference: old, hypothesis: new).operations {
      var next = position
      if operation != .insertion { next.old += 1 }
      if operation != .deletion { next.new += 1 }
      defer { position = next }
      if operation == .match { continue }
      if let last = ranges.last, last.old.upperBound == position.old, last.new.upperBound == position.new {
        ranges[ranges.count - 1] = (last.old.lowerBound..<next.old, last.new.lowerBound..<next.new)
      } else {
        ranges.append((position.old..<next.old, position.new..<next.new))
      }
    }
    return ranges
  }

  /// The smallest allowed replacement around a difference. A declared correction may share words with its replacement, so
  /// the difference is widened by words that are the same on both sides.
  private func replacement(
    _ old: [String], _ oldWords: Range<Int>, _ new: [String], _ newWords: Range<Int>,
    _ names: (Range<Int>) -> Set<Int>, _ isUnsure: (Range<Int>) -> Bool, _ isEnglish: (Range<Int>) -> Bool
  ) -> Replacement? {
    for widening in 0..<Self.maxWords {
      for before in 0...widening {
        let after = widening - before
        let oldRange = (oldWords.lowerBound - before, oldWords.upperBound + after)
        let newRange = (newWords.lowerBound - before, newWords.upperBound + after)
        guard oldRange.0 >= 0, newRange.0 >= 0, oldRange.1 <= old.count, newRange.1 <= new.count,
          oldRange.1 - oldRange.0 <= Self.maxWords, newRange.1 - newRange.0 <= Self.maxWords,
          old[oldRange.0..<oldWords.lowerBound] == new[newRange.0..<newWords.lowerBound],
          old[oldWords.upperBound..<oldRange.1] == new[newWords.upperBound..<newRange.1]
        else { continue }
        let was = old[oldRange.0..<oldRange.1].joined(separator: " ")
        let now = new[newRange.0..<newRange.1].joined(separator: " ")
        // An empty side would allow a word to be added or removed.
        guard !was.isEmpty, !now.isEmpty else { continue }
        var replacement = Replacement(source: oldRange.0..<oldRange.1, target: newRange.0..<newRange.1)
        if declared[was]?.contains(now) == true { return replacement }
        // A name that was said stays, and the words beside it are not taken for a part of it.
        let hasSounds = comparesSounds && isEnglish(replacement.source)
        guard let entity = matcher.name(new[newRange.0..<newRange.1], isEnglish: hasSounds),
          !holdsName(old[oldRange.0..<oldRange.1], hasSounds)
        else { continue }
        if hasSounds { replacement.score = matcher.score(of: SpokenText(was), as: entity) }
        if replacement.score == nil, hasSounds, isUnsure(replacement.source) {
          replacement.score = ProposedName(matcher.names[entity]).score(of: SpokenText(was))
        }
        if replacement.score == nil, names(replacement.source).contains(entity) { replacement.score = 1 }
        if replacement.score != nil { return replacement }
      }
    }
    return nil
  }
}
