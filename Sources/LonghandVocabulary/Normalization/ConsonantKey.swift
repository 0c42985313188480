import LonghandTranscripts

/// The consonants of a list of sounds, in coarser classes. They mostly survive when a word is misrecognized, so names are
/// looked up by them.
struct ConsonantKey: Sendable {
  /// The number of classes of consonants.
  static let classCount = 7
  /// The number of lookup keys, see `firstKey` and `lastKey`.
  static let keyCount = 2 * classCount * classCount
  /// Consonants beyond this number are left out.
  static let maxCount = 16

  /// The number of consonants.
  private(set) var count = 0
  /// The number of consonants of each class in unary, eight bits a class.
  private var classCounts: UInt64 = 0
  /// The classes in order, four bits each.
  private var classes: UInt64 = 0

  init(_ sounds: some Sequence<UInt8>) { for sound in sounds { append(sound) } }

  /// Appends a sound; vowels are left out.
  mutating func append(_ sound: UInt8) {
    let kind = Self.kind(sound)
    guard kind < Self.classCount, count < Self.maxCount else { return }
    let bits = (classCounts >> UInt64(8 * kind)) & 0x7F
    classCounts |= ((bits << 1) | 1) << UInt64(8 * kind)
    classes |= UInt64(kind) << UInt64(4 * count)
    count += 1
  }

  /// The class of a consonant, from 0.
  @inline(__always) subscript(index: Int) -> Int { Int((classes >> UInt64(4 * index)) & 0xF) }

  /// The lookup key made of the first two classes.
  var firstKey: Int { self[0] * Self.classCount + self[1] }
  /// The lookup key made of the last two classes.
  var lastKey: Int { (Self.classCount + self[count - 2]) * Self.classCount + self[count - 1] }

  /// A lower bound of the number of consonants that differ, in which a replaced one counts twice.
  @inline(__always) func minDifference(_ other: ConsonantKey) -> Int {
    (classCounts ^ other.classCounts).nonzeroBitCount
  }

  private static func kind(_ sound: UInt8) -> Int {
    switch sound {
    case PhoneticCoding.labial, PhoneticCoding.labiodental: 0
    case PhoneticCoding.dental: 1
    case PhoneticCoding.sibilant, PhoneticCoding.postalveolar: 2
    case PhoneticCoding.velar: 3
    case PhoneticCoding.labialNasal, PhoneticCoding.dentalNasal: 4
    case PhoneticCoding.lateral, PhoneticCoding.rhotic: 5
    case PhoneticCoding.labiovelar, PhoneticCoding.other: 6
    default: classCount
    }
  }
}

/// A consonant key that is compared with many others by Levenshtein distance.
///
/// It computes a whole row of the table with a few operations on bits, which is why it does not use `EditDistance` (Myers,
/// "A fast bit-vector algorithm for approximate string matching based on dynamic programming", 1999, as modified by
/// Hyyrö, 2003).
struct ConsonantKeyPattern {
  /// The positions of each class in the key, sixteen bits a class.
  private var positions: (UInt64, UInt64) = (0, 0)
  private let count: Int

  init(_ key: ConsonantKey) {
    count = key.count
    for index in 0..<key.count {
      let kind = key[index]
      let bit = UInt64(1) << UInt64(16 * (kind & 3) + index)
      if kind < 4 { positions.0 |= bit } else { positions.1 |= bit }
    }
  }

  /// The number of consonants to insert, remove or replace to turn one key into the other.
  func distance(_ other: ConsonantKey) -> Int {
    var plus: UInt64 = 0xFFFF
    var minus: UInt64 = 0
    var distance = count
    let end = UInt64(1) << UInt64(count - 1)
    for index in 0..<other.count {
      let kind = other[index]
      let equal = ((kind < 4 ? positions.0 : positions.1) >> UInt64(16 * (kind & 3))) & 0xFFFF
      let across = (((equal & plus) &+ plus) ^ plus) | equal | minus
      var up = minus | ~(across | plus)
      var down = plus & across
      if up & end != 0 { distance += 1 }
      if down & end != 0 { distance -= 1 }
      up = (up << 1) | 1
      down <<= 1
      plus = down | ~(across | up)
      minus = up & across
    }
    return distance
  }
}
