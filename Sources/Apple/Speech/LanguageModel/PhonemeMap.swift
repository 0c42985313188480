/// X-SAMPA (Wells 1995) for American English, and the recognizer's 39 phones (ARPAbet without stress).
///
/// Apple publishes no list. These are the symbols of its examples, those of Wells's American English, and variants that
/// dictionaries use.
package enum PhonemeMap {
  private static let phones: [String: String] = [
    // Vowels.
    "i": "IY", "I": "IH", "E": "EH", "e": "EH", "{": "AE", "a": "AA", "A": "AA", "Q": "AA", "O": "AO",
    "U": "UH", "u": "UW", "V": "AH", "@": "AH", "6": "AH", "1": "IH", "}": "UW", "y": "UW", "2": "ER",
    "9": "ER",
    "eI": "EY", "aI": "AY", "AI": "AY", "OI": "OY", "aU": "AW", "AU": "AW", "oU": "OW", "@U": "OW", "o": "OW",
    "@r": "ER", "@`": "ER", "3`": "ER", "3": "ER", "3r": "ER", "r=": "ER", "Er": "EH R", "Ir": "IH R",
    "Ar": "AA R", "Or": "AO R", "Ur": "UH R",
    // Consonants.
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "g": "G", "4": "D", "?": "T", "f": "F", "v": "V",
    "T": "TH",
    "D": "DH", "s": "S", "z": "Z", "S": "SH", "Z": "ZH", "h": "HH", "x": "K", "C": "SH", "tS": "CH",
    "dZ": "JH",
    "m": "M", "n": "N", "N": "NG", "J": "N Y", "l": "L", "5": "L", "L": "L Y", "r": "R", "r\\": "R", "R": "R",
    "j": "Y", "w": "W", "W": "HH W", "m=": "AH M", "n=": "AH N", "l=": "AH L",
  ]

  /// All symbols, sorted.
  static let symbols = phones.keys.sorted()

  /// The phones of a pronunciation, and its unknown symbols with their positions, from 1.
  /// - Parameter pronunciation: symbols separated by spaces; marks of stress and length are ignored.
  package static func phones(of pronunciation: String) -> (
    phones: [String], unknown: [(symbol: String, position: Int)]
  ) {
    var result: [String] = []
    var unknown: [(String, Int)] = []
    for (index, token) in pronunciation.split(separator: " ").enumerated() {
      let symbol = token.filter { $0 != "\"" && $0 != "%" && $0 != ":" && $0 != "." }
      if symbol.isEmpty { continue }
      if let found = phones[symbol] {
        result.append(found)
      } else {
        unknown.append((String(token), index + 1))
      }
    }
    return (result, unknown)
  }
}
