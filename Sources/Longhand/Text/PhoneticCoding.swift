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
    let isFirst = position == letters.startIndex
    let row = rows[Int(letters[position])].first { $0.matches(letters[position...], isFirst: isFirst) }
    guard let row else {
      add(other, to: &sounds, from: start)
      return 1
    }
    for sound in row.sounds { add(sound, to: &sounds, from: start) }
    return row.letters.count
  }

  /// Appends a sound. A doubled letter and a run of vowels are one sound.
  private static func add(_ sound: UInt8, to sounds: inout [UInt8], from start: Int) {
    if sounds.count > start, let last = sounds.last, last == sound || (isVowel(last) && isVowel(sound)) {
      return
    }
    sounds.append(sound)
  }

  /// How letters sound where something follows them.
  private struct Row {
    enum Place { case first, later, anywhere }

    let letters: [UInt8]
    /// Where the letters are in the word.
    let place: Place
    /// What follows the letters, one of these; empty for anything.
    let next: [[UInt8]]
    let sounds: [UInt8]

    init(_ letters: String, _ sounds: [UInt8], at place: Place = .anywhere, before next: String = "") {
      self.letters = Array(letters.utf8)
      self.place = place
      self.next = next.split(separator: " ").map { Array($0.utf8) }
      self.sounds = sounds
    }

    func matches(_ word: ArraySlice<UInt8>, isFirst: Bool) -> Bool {
      guard place == .anywhere || (place == .first) == isFirst, word.starts(with: letters) else {
        return false
      }
      return next.isEmpty || next.contains { word.dropFirst(letters.count).starts(with: $0) }
    }
  }

  /// The rows for each first letter. The first one that matches counts.
  private static let rows: [[Row]] = {
    let all = [
      Row("a", [open]), Row("e", [front]), Row("i", [front]), Row("y", [front]), Row("o", [back]),
      Row("u", [back]),
      Row("h", []),
      Row("ph", [labiodental]), Row("p", [], at: .first, before: "s n"), Row("p", [labial]),
      Row("b", [labial]),
      Row("f", [labiodental]), Row("v", [labiodental]),
      Row("ti", [postalveolar], before: "on"), Row("t", [], before: "c"), Row("t", [dental]),
      Row("d", [], before: "g j"), Row("d", [dental]),
      Row("sch", [postalveolar]), Row("sh", [postalveolar]), Row("si", [postalveolar], before: "on"),
      Row("s", [sibilant]), Row("z", [sibilant]),
      Row("ch", [postalveolar]), Row("c", [sibilant], before: "e i y"), Row("c", [velar]),
      Row("j", [postalveolar]),
      Row("gh", [velar], at: .first), Row("gh", []), Row("g", [], at: .first, before: "n"),
      Row("g", [postalveolar], at: .later, before: "e i y"), Row("g", [velar]),
      Row("k", [], at: .first, before: "n"), Row("k", [velar]), Row("q", [velar]),
      Row("x", [sibilant], at: .first), Row("x", [velar, sibilant]),
      Row("m", [labialNasal]), Row("n", [dentalNasal]), Row("l", [lateral]), Row("r", [rhotic]),
      // Before a consonant and at the end of a word, a `w` belongs to the vowel before it.
      Row("w", [], at: .first, before: "r"), Row("w", [labiovelar], before: "a e i o u y h"),
      Row("w", [back]),
    ]
    return (0...255).map { letter in all.filter { $0.letters.first == letter } }
  }()
}
