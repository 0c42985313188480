import LonghandTranscripts

/// How well words of a transcript can be a name that a language model proposes for them.
///
/// The model knows the context, so that the sounds have to agree less than without it.
struct ProposedName {
  /// The least score.
  private static let minScore = 0.5
  /// A shorter name has to agree more for each letter that it has less.
  private static let usualLetters = 6

  private let name: SpokenText

  init(_ name: String) { self.name = SpokenText(name) }

  /// The score, 0 to 1; nil if the words cannot be the name.
  func score(of words: SpokenText) -> Double? {
    guard name.count > 0, words.count > 0, !name.sounds.isEmpty, !words.sounds.isEmpty else { return nil }
    // A part of a name is no evidence of the rest of it.
    let own = Set((0..<name.count).map(name.word))
    guard words.count >= name.count || !(0..<words.count).allSatisfy({ own.contains(words.word($0)) }) else {
      return nil
    }
    var sounds = PhoneticDistance()
    var letters = LetterDistance()
    let weight = max(sounds.weight(of: name.sounds[...]), sounds.weight(of: words.sounds[...]))
    guard weight > 0,
      let distance = sounds.distance(
        from: name.sounds[...], to: words.sounds[...], limit: Int32(clamping: weight))
    else { return nil }
    let score =
      0.75 * (1 - Double(distance) / Double(weight)) + 0.25
      * letters.similarity(name.letters[...], words.letters[...])
    let missing = max(0, Self.usualLetters - name.letters.count)
    return score >= Self.minScore + 0.1 * Double(missing) ? score : nil
  }
}
