import Foundation
import SentenceFormatting

/// Takes the names of sounds out of a text, such as `[Music]`, `(whistling)`, `*laughs*` and `♪`: they are no words.
package enum SoundTags {
  /// What names of sounds in parentheses have. Other text in parentheses can be spoken.
  private static let sounds: Set<String> = [
    "music", "applause", "laughter", "laughs", "laugh", "noise", "silence", "static", "beep", "beeps", "sigh",
    "sighs",
    "cough", "coughs", "gasp", "gasps", "bell", "bells", "birds", "wind", "inaudible", "unintelligible",
    "blank_audio",
    "audio", "sound", "sounds", "crowd", "foreign", "language", "chirps", "barks", "meows", "whoosh", "thud",
    "clicks",
    "click", "buzz", "buzzes", "hiss", "hisses", "cheers", "screams", "grunts", "groans", "moans", "sniffs",
    "snores", "ringing", "chattering", "whistling", "barking", "chirping", "clapping", "laughing", "coughing",
    "sighing", "cheering", "screaming", "beeping", "buzzing", "clicking", "knocking", "humming", "snoring",
    "groaning", "grunting", "gasping", "applauding", "singing", "crying", "breathing", "rustling",
  ]
  /// Characters that are never spoken.
  private static let notes: Set<Character> = ["♪", "♫", "♬", "🎵", "🎶", "*"]
  private static let maxWords = 5
  private static let maxLength = 60

  /// The tokens that are spoken.
  package static func removed(from tokens: [RecognizedTokens.Token]) -> [RecognizedTokens.Token] {
    var bytes: [UInt8] = []
    var owners: [Int] = []
    for (index, token) in tokens.enumerated() {
      bytes += token.bytes
      owners += repeatElement(index, count: token.bytes.count)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // Bytes that are no text are replaced by longer ones.
    guard text.utf8.count == bytes.count else { return tokens }
    var isRemoved = [Bool](repeating: false, count: tokens.count)
    for range in tags(in: text) {
      let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
      let end = text.utf8.distance(from: text.startIndex, to: range.upperBound)
      for offset in start..<end { isRemoved[owners[offset]] = true }
    }
    return zip(tokens, isRemoved).filter { !$1 }.map(\.0)
  }

  /// The ranges of a text that name sounds.
  private static func tags(in text: String) -> [Range<String.Index>] {
    var found = text.indices.filter { notes.contains(text[$0]) }.map { $0..<text.index(after: $0) }
    var start = text.startIndex
    while let open = text[start...].firstIndex(where: { closing($0) != nil }), let close = closing(text[open])
    {
      let inside = text.index(after: open)
      start = inside
      // A star within a word hides letters that are said.
      let isStar = text[open] == "*"
      if isStar, !opens(open, in: text) { continue }
      let closings = text[inside...].indices.lazy.filter { text[$0] == close }
      guard let end = closings.first(where: { !isStar || closes($0, in: text) }) else {
        // A bracket that is not closed: the decoder came to its end. Words in parentheses after others can be spoken.
        let isTag =
          text[inside...].count <= maxLength
          && (text[open] == "["
            || text[open] == "(" && isAlone(open, text.index(before: text.endIndex), in: text))
        if isTag { found.append(open..<text.endIndex) }
        continue
      }
      let content = text[inside..<end]
      guard content.count <= maxLength,
        isSound(content, open: text[open], isAlone: isAlone(open, end, in: text))
      else { continue }
      start = text.index(after: end)
      found.append(open..<start)
    }
    return found
  }

  private static func closing(_ character: Character) -> Character? {
    switch character {
    case "[": "]"
    case "(": ")"
    case "*": "*"
    case "【": "】"
    case "（": "）"
    default: nil
    }
  }

  /// Whether a star stands before a word.
  private static func opens(_ star: String.Index, in text: String) -> Bool {
    let before = text[..<star].last, after = text[text.index(after: star)...].first
    return after?.isLetter == true && before.map { !$0.isLetter && !$0.isNumber && $0 != "*" } ?? true
  }

  /// Whether a star stands after a word.
  private static func closes(_ star: String.Index, in text: String) -> Bool {
    let before = text[..<star].last, after = text[text.index(after: star)...].first
    return before.map { $0.isLetter || $0.isMark } == true
      && after.map { !$0.isLetter && !$0.isNumber && $0 != "*" } ?? true
  }

  /// Whether there is no other text.
  private static func isAlone(_ open: String.Index, _ end: String.Index, in text: String) -> Bool {
    !(text[..<open] + text[text.index(after: end)...]).contains { $0.isLetter || $0.isNumber }
  }

  private static func isSound(_ content: Substring, open: Character, isAlone: Bool) -> Bool {
    let words = content.lowercased().split { !$0.isLetter && $0 != "_" }.map(String.init)
    guard open == "(" || open == "（" else { return words.count <= maxWords }
    return isAlone || words.count <= maxWords && words.contains { sounds.contains($0) }
      || words.count == 1 && words[0].hasSuffix("ing")
  }
}
