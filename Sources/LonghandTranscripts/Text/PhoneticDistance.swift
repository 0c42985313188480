/// The edit distance of two lists of sounds, see `PhoneticCoding`.
package struct PhoneticDistance: Sendable {
  private var edits = EditDistance(costs: PhoneticCosts())

  package init() {}

  /// The distance of two lists; nil if it is above `limit`.
  package mutating func distance(
    from left: ArraySlice<UInt8>, to right: ArraySlice<UInt8>, limit: Int32 = .max
  ) -> Int32? { edits.distance(from: left, to: right, limit: limit) }

  /// The distance of sounds from no sounds at all.
  package func weight(of sounds: ArraySlice<UInt8>) -> Int { edits.costs.weight(of: sounds) }
}

/// Costs by sound: sounds that are easily confused replace each other at a low cost, and vowels cost little.
struct PhoneticCosts: EditCosts {
  /// What most consonants cost.
  static let unit = 20

  /// The cost of each sound in place of each other, row by row; 0, which is no sound, stands for none.
  private let table: [Int32]

  init() {
    let sounds = 0..<UInt8(PhoneticCoding.soundCount)
    table = sounds.flatMap { left in sounds.map { right in Self.cost(left, right) } }
  }

  @inline(__always) func removal(of sound: UInt8) -> Int32 { table[Int(sound) * PhoneticCoding.soundCount] }
  @inline(__always) func insertion(of sound: UInt8) -> Int32 { table[Int(sound)] }
  @inline(__always) func replacement(of sound: UInt8, with other: UInt8) -> Int32 {
    table[Int(sound) * PhoneticCoding.soundCount + Int(other)]
  }

  /// The distance of sounds from no sounds at all.
  func weight(of sounds: ArraySlice<UInt8>) -> Int { sounds.reduce(0) { $0 + Int(insertion(of: $1)) } }

  private static func cost(_ left: UInt8, _ right: UInt8) -> Int32 {
    if left == right { return 0 }
    if left == 0 { return presence(right) }
    if right == 0 { return presence(left) }
    let pair = confusable.first { ($0.0, $0.1) == (left, right) || ($0.1, $0.0) == (left, right) }
    return pair?.2 ?? min(presence(left) + presence(right), Int32(unit))
  }

  /// The cost of inserting or removing a sound.
  private static func presence(_ sound: UInt8) -> Int32 {
    switch sound {
    case PhoneticCoding.open...PhoneticCoding.back: 8
    case PhoneticCoding.rhotic, PhoneticCoding.labiovelar: 12
    case PhoneticCoding.lateral, PhoneticCoding.dental: 16
    default: Int32(unit)
    }
  }

  /// Pairs of sounds that are easily confused, with the cost of replacing one with the other.
  private static let confusable: [(UInt8, UInt8, Int32)] = [
    (PhoneticCoding.open, PhoneticCoding.front, 4), (PhoneticCoding.open, PhoneticCoding.back, 4),
    (PhoneticCoding.front, PhoneticCoding.back, 5),
    (PhoneticCoding.labialNasal, PhoneticCoding.dentalNasal, 8),
    (PhoneticCoding.sibilant, PhoneticCoding.postalveolar, 8),
    (PhoneticCoding.velar, PhoneticCoding.postalveolar, 14),
    (PhoneticCoding.dental, PhoneticCoding.postalveolar, 12),
    (PhoneticCoding.dental, PhoneticCoding.sibilant, 14),
    (PhoneticCoding.labial, PhoneticCoding.labiodental, 10),
    (PhoneticCoding.labiodental, PhoneticCoding.dental, 14),
    (PhoneticCoding.lateral, PhoneticCoding.rhotic, 12),
    (PhoneticCoding.labiovelar, PhoneticCoding.back, 6), (PhoneticCoding.rhotic, PhoneticCoding.open, 10),
    (PhoneticCoding.rhotic, PhoneticCoding.back, 10), (PhoneticCoding.rhotic, PhoneticCoding.front, 12),
    (PhoneticCoding.lateral, PhoneticCoding.back, 12),
    (PhoneticCoding.lateral, PhoneticCoding.labiovelar, 12),
    (PhoneticCoding.labial, PhoneticCoding.dental, 15), (PhoneticCoding.labial, PhoneticCoding.velar, 15),
    (PhoneticCoding.dental, PhoneticCoding.velar, 15),
    (PhoneticCoding.labial, PhoneticCoding.labialNasal, 13),
    (PhoneticCoding.dental, PhoneticCoding.dentalNasal, 15),
    (PhoneticCoding.labiovelar, PhoneticCoding.labiodental, 12),
    (PhoneticCoding.labiovelar, PhoneticCoding.rhotic, 12),
    (PhoneticCoding.dentalNasal, PhoneticCoding.lateral, 15),
  ]
}
