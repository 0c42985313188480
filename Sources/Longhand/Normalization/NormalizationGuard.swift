/// Refuses a text that strays from the transcript it was made of.
///
/// Allowed are other capitals and marks, and declared spellings in the place of words that were heard for them: the text
/// of a declared correction whose heard words stand there, and a name that those words sound like by the matcher's own
/// score. Words that were added, left out or changed in any other way are refused with the whole text.
struct NormalizationGuard: Sendable {
  /// One place where words are replaced.
  struct Replacement: Sendable, Hashable {
    /// Words of the transcript, counted from 0.
    var heard: Range<Int>
    /// Words of the text, counted from 0.
    var written: Range<Int>
    /// The matcher's score, where a name stands for words that sound alike.
    var score: Double?
  }

  /// How many words one place may have.
  private static let mostWords = 12

  private let matcher: EntityMatcher
  private let declared: [String: Set<String>]
  private let entities: [String: Int]

  init(matcher: EntityMatcher, corrections: [Vocabulary.Correction]) {
    self.matcher = matcher
    declared = corrections.reduce(into: [:]) { declared, correction in
      declared[Self.key(correction.heard), default: []].insert(Self.key(correction.text))
    }
    entities = matcher.names.enumerated().reduce(into: [:]) { entities, name in
      let key = Self.key(name.element)
      if entities[key] == nil { entities[key] = name.offset }
    }
  }

  /// The replacements by which `written` is made of `heard`; nil if it strays.
  func replacements(from heard: SpokenText, to written: SpokenText) -> [Replacement]? {
    let old = (0..<heard.count).map(heard.word)
    let new = (0..<written.count).map(written.word)
    var replacements: [Replacement] = []
    for (oldWords, newWords) in Self.differences(old, new) {
      guard let more = explained(heard, old, oldWords, written, new, newWords) else { return nil }
      // Grown to the same words twice.
      if let last = replacements.last, last.heard.overlaps(more.heard) || last.written.overlaps(more.written)
      {
        guard last == more else { return nil }
        continue
      }
      replacements.append(more)
    }
    return replacements
  }

  /// The places where two word lists differ.
  private static func differences(_ old: [String], _ new: [String]) -> [(old: Range<Int>, new: Range<Int>)] {
    var places: [(old: Range<Int>, new: Range<Int>)] = []
    var position = (old: 0, new: 0)
    for operation in WordAlignment(reference: old, hypothesis: new).operations {
      var next = position
      if operation != .insertion { next.old += 1 }
      if operation != .deletion { next.new += 1 }
      defer { position = next }
      if operation == .match { continue }
      if let last = places.last, last.old.upperBound == position.old, last.new.upperBound == position.new {
        places[places.count - 1] = (last.old.lowerBound..<next.old, last.new.lowerBound..<next.new)
      } else {
        places.append((position.old..<next.old, position.new..<next.new))
      }
    }
    return places
  }

  /// The smallest replacement around a difference that is allowed: a declared spelling may share words with what was
  /// heard, so that it is grown by words that are the same on both sides.
  private func explained(
    _ heard: SpokenText, _ old: [String], _ oldWords: Range<Int>, _ written: SpokenText, _ new: [String],
    _ newWords: Range<Int>
  ) -> Replacement? {
    for grown in 0..<Self.mostWords {
      for before in 0...grown {
        let after = grown - before
        let oldRange = (oldWords.lowerBound - before, oldWords.upperBound + after)
        let newRange = (newWords.lowerBound - before, newWords.upperBound + after)
        guard oldRange.0 >= 0, newRange.0 >= 0, oldRange.1 <= old.count, newRange.1 <= new.count,
          oldRange.1 - oldRange.0 <= Self.mostWords, newRange.1 - newRange.0 <= Self.mostWords,
          old[oldRange.0..<oldWords.lowerBound] == new[newRange.0..<newWords.lowerBound],
          old[oldWords.upperBound..<oldRange.1] == new[newWords.upperBound..<newRange.1]
        else { continue }
        let was = old[oldRange.0..<oldRange.1].joined(separator: " ")
        let now = new[newRange.0..<newRange.1].joined(separator: " ")
        // What has no words can explain neither a word that was added nor one that was left out.
        guard !was.isEmpty, !now.isEmpty else { continue }
        var replacement = Replacement(heard: oldRange.0..<oldRange.1, written: newRange.0..<newRange.1)
        if declared[was]?.contains(now) == true { return replacement }
        if let entity = entities[now], let score = matcher.score(of: SpokenText(was), as: entity) {
          replacement.score = score
          return replacement
        }
      }
    }
    return nil
  }

  private static func key(_ text: String) -> String {
    let words = SpokenText(text)
    return words.row(0..<words.count)
  }
}
