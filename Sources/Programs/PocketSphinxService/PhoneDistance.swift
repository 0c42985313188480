/// How different two pronunciations sound.
struct PhoneDistance {
  private static let vowels = "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split(separator: " ").map(
    String.init)
  private static let consonants =
    "B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split(separator: " ").map(String.init)
  /// Phones that are taken for each other.
  private static let similar =
    """
    B P,D T,G K,V F,Z S,ZH SH,JH CH,DH TH,M N,N NG,S SH,Z ZH,S TH,F TH,D DH,T TH,CH SH,CH T,JH ZH,JH D,W V,L R,V DH,B V,S ZH,\
    Z SH,Z DH,F P,ER R,UW W,UH W,OW W,AO L,OW L,IY Y,UH L
    """

  /// The numbers of the phones.
  private let numbers: [String: Int]
  /// The cost of one phone in place of another.
  private var change: [[Float]]
  /// The cost of a phone too many.
  private var excess: [Float]

  init() {
    let phones = Self.vowels + Self.consonants
    let numbers = Dictionary(uniqueKeysWithValues: zip(phones, phones.indices))
    self.numbers = numbers
    let isVowel = phones.indices.map { $0 < Self.vowels.count }
    change = phones.indices.map { one in
      phones.indices.map { one == $0 ? 0 : isVowel[one] && isVowel[$0] ? 0.4 : 1 }
    }
    for pair in Self.similar.split(separator: ",") {
      let pair = pair.split(separator: " ").compactMap { numbers[String($0)] }
      guard let one = pair.first, let other = pair.last else { continue }
      change[one][other] = 0.5
      change[other][one] = 0.5
    }
    excess = phones.map { phone in
      switch phone {
      case "HH", "Y": 0.5
      case "T", "D", "R", "N", "L", "W": 0.8
      default: Self.vowels.contains(phone) ? 0.5 : 1
      }
    }
  }

  /// The phones by their numbers; others are left out.
  /// - Parameter phones: the names of phones, separated by spaces.
  func numbers(of phones: String) -> [Int] { phones.split(separator: " ").compactMap { numbers[String($0)] } }

  /// The least cost of changing one pronunciation into another.
  func callAsFunction(_ one: [Int], _ other: [Int]) -> Float {
    var row: [Float] = [0]
    for phone in other { row.append(row[row.count - 1] + excess[phone]) }
    for phone in one {
      var diagonal = row[0]
      row[0] += excess[phone]
      for (column, next) in other.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(
          diagonal + change[phone][next], above + excess[phone], row[column] + excess[next])
        diagonal = above
      }
    }
    return row[other.count]
  }
}
