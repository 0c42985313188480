/// Encodes how an English word sounds, roughly, from its spelling.
///
/// - Consonants that are easily confused share a code, voiced and unvoiced alike: `p b`, `f v ph`, `t d th`, `s z`,
///   `sh ch j`, `k g q`. `m`, `n`, `l`, `r` and `w` have codes of their own. An `h` is silent.
/// - A run of vowels is one sound, by its first letter: open (`a`), front (`e i y`) or back (`o u`).
/// - `c` is `s` before `e i y` and `k` elsewhere; `g` is `j` before them; `x` is two sounds; doubled letters are one.
///   `kn gn wr ps` at the start of a word lose their first sound, `gh` and a final `e` are silent, `tion` is `shon`.
///
/// All letters outside the English alphabet share one code.
enum PhoneticCoding {
  static let open: UInt8 = 1
  static let front: UInt8 = 2
  static let back: UInt8 = 3
  static let labial: UInt8 = 4
  static let labiodental: UInt8 = 5
  static let dental: UInt8 = 6
  static let sibilant: UInt8 = 7
  static let postalveolar: UInt8 = 8
  static let velar: UInt8 = 9
  static let labialNasal: UInt8 = 10
  static let dentalNasal: UInt8 = 11
  static let lateral: UInt8 = 12
  static let rhotic: UInt8 = 13
  static let labiovelar: UInt8 = 14
  static let other: UInt8 = 15
  /// One more than the largest code; 0 is not used.
  static let soundCount = 16

  static func isVowel(_ sound: UInt8) -> Bool { sound <= back }

  /// Appends the sounds of a word.
  /// - Parameter letters: plain letters in lower case.
  static func append(_ letters: ArraySlice<UInt8>, to sounds: inout [UInt8]) {
    let start = sounds.count
    var position = letters.startIndex
    while position < letters.endIndex {
      position += append(letters, at: position, to: &sounds, from: start)
    }
    // An `e` at the end is silent, unless it is the only vowel of the word.
    if letters.count > 3, letters.last == 0x65, sounds.last == front,
      sounds[start...].dropLast().contains(where: isVowel)
    {
      sounds.removeLast()
    }
  }

  /// Appends the sound at a position, and returns how many letters it takes.
  private static func append(
    _ letters: ArraySlice<UInt8>, at position: Int, to sounds: inout [UInt8], from start: Int
  ) -> Int {
    let letter = Unicode.Scalar(letters[position])
    let next = position + 1 < letters.endIndex ? Unicode.Scalar(letters[position + 1]) : " "
    let isFirst = position == letters.startIndex
    func add(_ sound: UInt8) {
      // A doubled letter and a run of vowels are one sound.
      if sounds.count > start, let last = sounds.last, last == sound || (isVowel(last) && isVowel(sound)) {
        return
      }
      sounds.append(sound)
    }
    let isSoft = next == "e" || next == "i" || next == "y"
    switch letter {
    case "a": add(open)
    case "e", "i": add(front)
    case "y": add(front)
    case "o", "u": add(back)
    case "h": break
    case "p" where next == "h":
      add(labiodental)
      return 2
    case "p" where isFirst && (next == "s" || next == "n"): break
    case "p", "b": add(labial)
    case "f", "v": add(labiodental)
    case "t" where next == "i" && letters[position...].starts(with: "tion".utf8):
      add(postalveolar)
      return 2
    case "t" where next == "c": break
    case "t", "d":
      if letter == "d", next == "g" || next == "j" { break }
      add(dental)
    case "s" where next == "h":
      add(postalveolar)
      return 2
    case "s" where letters[position...].starts(with: "sch".utf8):
      add(postalveolar)
      return 3
    case "s" where letters[position...].starts(with: "sion".utf8):
      add(postalveolar)
      return 2
    case "s", "z": add(sibilant)
    case "c" where next == "h":
      add(postalveolar)
      return 2
    case "c": add(isSoft ? sibilant : velar)
    case "j": add(postalveolar)
    case "g" where next == "h":
      if isFirst { add(velar) }
      return 2
    case "g" where isFirst && next == "n": break
    case "g": add(isSoft && !isFirst ? postalveolar : velar)
    case "k" where isFirst && next == "n": break
    case "k", "q": add(velar)
    case "x":
      if !isFirst { add(velar) }
      add(sibilant)
    case "m": add(labialNasal)
    case "n": add(dentalNasal)
    case "l": add(lateral)
    case "w" where isFirst && next == "r": break
    case "w":
      // Before a consonant and at the end of a word it belongs to the vowel before it.
      let isConsonant = "aeiouyh".unicodeScalars.contains(next)
      add(isConsonant ? labiovelar : back)
    case "r": add(rhotic)
    default: add(other)
    }
    return 1
  }
}
