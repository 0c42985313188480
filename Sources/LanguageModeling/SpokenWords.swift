import Foundation

/// Splits text into words as they are spoken, which language models count and recognizers return.
public enum SpokenWords {
  /// The words of a text, in lower case. Words consist of letters and apostrophes. Numbers of up to 12 digits are spelled
  /// out, and `&` becomes `and`. All other characters separate words.
  /// - Parameter spellsNumbers: false for another language than English: numbers stay as they are, and `&` separates words.
  public static func words(of text: String, spellsNumbers: Bool = true) -> [String] {
    // A faster path for ASCII letters and spaces, which most phrases consist of.
    if text.utf8.allSatisfy({ $0 == 0x20 || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }) {
      return text.lowercased().split(separator: " ").map(String.init)
    }
    var words: [String] = []
    var word = ""
    var digits = ""
    func end() {
      // An apostrophe alone or before a word is a quotation mark. One after a word may belong to it (`boys'`).
      let bare = word.drop { $0 == "'" }
      if !bare.isEmpty { words.append(String(bare)) }
      if !digits.isEmpty { words += spellsNumbers ? spelled(digits) : [digits] }
      word = ""
      digits = ""
    }
    for character in text.lowercased() {
      switch character {
      case "'", "’":
        if !digits.isEmpty { end() }
        word.append("'")
      case "0"..."9":
        if !word.isEmpty { end() }
        digits.append(character)
      case "&" where spellsNumbers:
        end()
        words.append("and")
      case _ where character.isLetter:
        if !digits.isEmpty { end() }
        word.append(character)
      default: end()
      }
    }
    end()
    return words
  }

  private static func spelled(_ digits: String) -> [String] {
    guard let number = Int(digits), digits.count <= 12, digits.first != "0" || digits.count == 1 else {
      return digits.compactMap(\.wholeNumberValue).flatMap { spelled(String($0)) }
    }
    return number > 20 ? NumberLanguage.words(number, "en") : [small[number]]
  }

  private static let small = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
  ]
}
