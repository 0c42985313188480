/// Writes a word by how it sounds, roughly: a small coding of English spelling.
///
/// - Consonants are classes of those that are easily taken for each other, voiced and unvoiced alike: `p b`, `f v ph`,
///   `t d th`, `s z`, `sh ch j`, `k g q`, `m`, `n`, `l`, `r`, `w`. An `h` has no sound.
/// - A run of vowels is one sound, open (`a`), front (`e i y`) or back (`o u`), by its first letter.
/// - `c` is `s` before `e i y` and `k` elsewhere, `g` is `j` before them; `x` is two sounds, doubled letters are one,
///   `kn gn wr ps` lose their first at the beginning, `gh` and an `e` at the end are silent, `tion` is `shon`.
///
/// Letters that are not of the alphabet are sounds of their own.
enum PhoneticCoding {
  static let open: UInt8 = 1
  static let front: UInt8 = 2
  static let back: UInt8 = 3
  static let lips: UInt8 = 4
  static let lipsTeeth: UInt8 = 5
  static let teeth: UInt8 = 6
  static let hiss: UInt8 = 7
  static let hush: UInt8 = 8
  static let throat: UInt8 = 9
  static let humLips: UInt8 = 10
  static let humTongue: UInt8 = 11
  static let side: UInt8 = 12
  static let roll: UInt8 = 13
  static let round: UInt8 = 14
  static let other: UInt8 = 15
  /// One more than the largest sound.
  static let soundCount = 16

  static func isVowel(_ sound: UInt8) -> Bool { sound <= back }

  /// Appends the sounds of a word.
  /// - Parameter letters: plain letters in lower case.
  static func append(_ letters: ArraySlice<UInt8>, to sounds: inout [UInt8]) {
    let begin = sounds.count
    var position = letters.startIndex
    while position < letters.endIndex {
      position += append(letters, at: position, to: &sounds, from: begin)
    }
    // An `e` that nobody hears: not the only vowel of the word.
    if letters.count > 3, letters.last == 0x65, sounds.last == front,
      sounds[begin...].dropLast().contains(where: isVowel)
    {
      sounds.removeLast()
    }
  }

  /// Appends the sound that is written at a place, and returns how many letters write it.
  private static func append(
    _ letters: ArraySlice<UInt8>, at position: Int, to sounds: inout [UInt8], from begin: Int
  ) -> Int {
    let letter = Unicode.Scalar(letters[position])
    let next = position + 1 < letters.endIndex ? Unicode.Scalar(letters[position + 1]) : " "
    let isFirst = position == letters.startIndex
    func put(_ sound: UInt8) {
      // A doubled letter and a run of vowels are one sound.
      if sounds.count > begin, let last = sounds.last, last == sound || (isVowel(last) && isVowel(sound)) {
        return
      }
      sounds.append(sound)
    }
    let isSoft = next == "e" || next == "i" || next == "y"
    switch letter {
    case "a": put(open)
    case "e", "i": put(front)
    case "y": put(front)
    case "o", "u": put(back)
    case "h": break
    case "p" where next == "h":
      put(lipsTeeth)
      return 2
    case "p" where isFirst && (next == "s" || next == "n"): break
    case "p", "b": put(lips)
    case "f", "v": put(lipsTeeth)
    case "t" where next == "i" && letters[position...].starts(with: "tion".utf8):
      put(hush)
      return 2
    case "t" where next == "c": break
    case "t", "d":
      if letter == "d", next == "g" || next == "j" { break }
      put(teeth)
    case "s" where next == "h":
      put(hush)
      return 2
    case "s" where letters[position...].starts(with: "sch".utf8):
      put(hush)
      return 3
    case "s" where letters[position...].starts(with: "sion".utf8):
      put(hush)
      return 2
    case "s", "z": put(hiss)
    case "c" where next == "h":
      put(hush)
      return 2
    case "c": put(isSoft ? hiss : throat)
    case "j": put(hush)
    case "g" where next == "h":
      if isFirst { put(throat) }
      return 2
    case "g" where isFirst && next == "n": break
    case "g": put(isSoft && !isFirst ? hush : throat)
    case "k" where isFirst && next == "n": break
    case "k", "q": put(throat)
    case "x":
      if !isFirst { put(throat) }
      put(hiss)
    case "m": put(humLips)
    case "n": put(humTongue)
    case "l": put(side)
    case "w" where isFirst && next == "r": break
    case "w":
      // After a vowel and before none it is part of the vowel.
      let isBefore = "aeiouyh".unicodeScalars.contains(next)
      put(isBefore ? round : back)
    case "r": put(roll)
    default: put(other)
    }
    return 1
  }
}
