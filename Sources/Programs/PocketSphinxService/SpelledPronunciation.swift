/// Reads a word letter by letter, as names from other languages and terms of Latin and Greek are said: `o` is always long, `ch` is
/// a K.
///
/// flite's rules were learned from everyday words, and sometimes leave out a vowel of a long word ("atorvastatin") or read it
/// like another one ("bisoprolol"). A word that no dictionary has may be said in both ways.
struct SpelledPronunciation {
  /// Groups of letters that are read together, the longest first.
  private static let groups: [(letters: [Character], phones: String)] = [
    ("tion", "SH AH N"), ("sion", "ZH AH N"), ("sch", "SH"), ("tch", "CH"), ("ch", "K"), ("ph", "F"),
    ("th", "TH"), ("sh", "SH"), ("ck", "K"), ("qu", "K W"), ("wh", "W"), ("rh", "R"), ("gh", "G"),
    ("ae", "IY"), ("oe", "IY"), ("ee", "IY"), ("ea", "IY"), ("ie", "IY"), ("ei", "AY"), ("ai", "EY"),
    ("ay", "EY"), ("ey", "IY"), ("au", "AO"), ("aw", "AO"), ("eu", "UW"), ("ew", "UW"), ("oo", "UW"),
    ("ou", "UW"), ("ow", "AW"), ("oi", "OY"), ("oy", "OY"),
  ].map { (Array($0), $1) }
  /// Ends of words.
  private static let ends: [(letters: [Character], phones: String)] = [
    ("itis", "AY T IH S"), ("ine", "IY N"), ("ng", "NG"), ("a", "AH"), ("y", "IY"), ("i", "IY"), ("e", ""),
  ].map { (Array($0), $1) }
  /// Beginnings of words whose first letter is not said.
  private static let starts: Set<String> = ["ps", "pn", "pt", "kn", "wr", "mn"]
  private static let short: [Character: String] = [
    "a": "AE", "e": "EH", "i": "IH", "o": "OW", "u": "UW", "y": "IH",
  ]
  /// Before a consonant and a last `e`.
  private static let long: [Character: String] = [
    "a": "EY", "e": "IY", "i": "AY", "o": "OW", "u": "UW", "y": "AY",
  ]
  /// Before an `r` that no vowel follows.
  private static let beforeR: [Character: String] = [
    "a": "AA R", "e": "ER", "i": "ER", "o": "AO R", "u": "ER", "y": "ER",
  ]
  private static let consonants: [Character: String] = [
    "b": "B", "c": "K", "d": "D", "f": "F", "g": "G", "h": "HH", "j": "JH", "k": "K", "l": "L", "m": "M",
    "n": "N", "p": "P", "q": "K", "r": "R", "s": "S", "t": "T", "v": "V", "w": "W", "x": "K S", "z": "Z",
  ]

  /// The phones, separated by spaces; nil if the word has other characters than the letters from a to z.
  static func phones(of word: String) -> String? {
    let letters = Array(word.lowercased())
    guard letters.count > 1, letters.allSatisfy({ consonants[$0] != nil || short[$0] != nil }) else {
      return nil
    }
    var phones: [String] = []
    var index = starts.contains(String(letters.prefix(2))) ? 1 : 0
    while index < letters.count {
      let (read, count) = next(letters[index...], in: letters)
      if !read.isEmpty { phones.append(read) }
      index += count
    }
    return phones.isEmpty ? nil : phones.joined(separator: " ")
  }

  /// What the next letters are read as, and how many they are.
  private static func next(_ rest: ArraySlice<Character>, in word: [Character]) -> (String, count: Int) {
    let index = rest.startIndex
    func letter(_ offset: Int) -> Character? {
      rest.indices.contains(index + offset) ? rest[index + offset] : nil
    }
    func isVowel(_ offset: Int) -> Bool { letter(offset).map { short[$0] != nil } ?? false }
    let first = word[index]
    if index > 0, let end = ends.first(where: { rest.elementsEqual($0.letters) }) {
      return (end.phones, rest.count)
    }
    if let group = groups.first(where: { rest.starts(with: $0.letters) }) {
      return (group.phones, group.letters.count)
    }
    if let vowel = short[first] {
      if first == "y", index == 0, isVowel(1) { return ("Y", 1) }
      if letter(1) == "r", !isVowel(2), let read = beforeR[first] { return (read, letter(2) == "r" ? 3 : 2) }
      if rest.count == 3, letter(2) == "e", !isVowel(1), let read = long[first] { return (read, 1) }
      // "cyto", "hyper", "myo" and "pyelo", but "cyst", "dys" and "syn".
      if first == "y", index > 0, letter(1) != "s", "chmp".contains(word[index - 1]) { return ("AY", 1) }
      return (first == "i" && isVowel(1) ? "IY" : vowel, 1)
    }
    func isFront(_ offset: Int) -> Bool { letter(offset).map { "eiy".contains($0) } ?? false }
    let isSoft = isFront(1)
    if letter(1) == first, first != "c" || !isFront(2) {
      return (consonants[first] ?? "", 2)
    }
    switch first {
    case "c" where isSoft: return ("S", 1)
    case "g" where isSoft: return ("JH", 1)
    case "x" where index == 0: return ("Z", 1)
    // "meters", but "psoas" and "forceps".
    case "s" where rest.count == 1 && index > 0 && "bdglmnrv".contains(word[index - 1]): return ("Z", 1)
    default: return (consonants[first] ?? "", 1)
    }
  }
}
