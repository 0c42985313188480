/// How far two rows of sounds are from each other: what it takes to turn one into the other, where sounds that are
/// easily taken for each other cost little and vowels weigh little.
struct PhoneticDistance: Sendable {
  /// What a consonant costs that is there or not.
  static let unit = 20

  /// What each sound costs that is there or not.
  private let presence: [Int32]
  /// What each sound costs in the place of another, row by row.
  private let replacement: [Int32]
  private var row: [Int32] = []

  init() {
    presence = (0..<PhoneticCoding.soundCount).map { Self.presence(UInt8($0)) }
    var replacement: [Int32] = []
    for left in 0..<PhoneticCoding.soundCount {
      for right in 0..<PhoneticCoding.soundCount {
        replacement.append(Self.replacement(UInt8(left), UInt8(right)))
      }
    }
    self.replacement = replacement
  }

  /// What a row of sounds costs against none.
  func weight(of sounds: some Sequence<UInt8>) -> Int { sounds.reduce(0) { $0 + Int(presence[Int($1)]) } }

  /// The distance of two rows of sounds; nil if it is above `most`.
  mutating func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, most: Int) -> Int? {
    let most = Int32(truncatingIfNeeded: most)
    if row.count <= right.count { row = Array(repeating: 0, count: right.count + 16) }
    return row.withUnsafeMutableBufferPointer { row in
      presence.withUnsafeBufferPointer { presence in
        replacement.withUnsafeBufferPointer { replacement in
          right.withUnsafeBufferPointer { right in
            row[0] = 0
            for column in 0..<right.count { row[column + 1] = row[column] + presence[Int(right[column])] }
            for sound in left {
              let base = Int(sound) * PhoneticCoding.soundCount
              let dropped = presence[Int(sound)]
              var diagonal = row[0]
              var last = diagonal + dropped
              row[0] = last
              var least = last
              for column in 0..<right.count {
                let above = row[column + 1]
                let other = Int(right[column])
                last = min(
                  diagonal + replacement[base + other], min(above + dropped, last + presence[other]))
                row[column + 1] = last
                least = min(least, last)
                diagonal = above
              }
              if least > most { return nil }
            }
            let distance = row[right.count]
            return distance <= most ? Int(distance) : nil
          }
        }
      }
    }
  }

  private static func presence(_ sound: UInt8) -> Int32 {
    switch sound {
    case PhoneticCoding.open...PhoneticCoding.back: 8
    case PhoneticCoding.roll, PhoneticCoding.round: 12
    case PhoneticCoding.side, PhoneticCoding.teeth: 16
    default: Int32(unit)
    }
  }

  /// Pairs that are taken for each other, and what that costs.
  private static let alike: [(UInt8, UInt8, Int32)] = [
    (PhoneticCoding.open, PhoneticCoding.front, 4), (PhoneticCoding.open, PhoneticCoding.back, 4),
    (PhoneticCoding.front, PhoneticCoding.back, 5),
    (PhoneticCoding.humLips, PhoneticCoding.humTongue, 8), (PhoneticCoding.hiss, PhoneticCoding.hush, 8),
    (PhoneticCoding.throat, PhoneticCoding.hush, 14), (PhoneticCoding.teeth, PhoneticCoding.hush, 12),
    (PhoneticCoding.teeth, PhoneticCoding.hiss, 14), (PhoneticCoding.lips, PhoneticCoding.lipsTeeth, 10),
    (PhoneticCoding.lipsTeeth, PhoneticCoding.teeth, 14), (PhoneticCoding.side, PhoneticCoding.roll, 12),
    (PhoneticCoding.round, PhoneticCoding.back, 6), (PhoneticCoding.roll, PhoneticCoding.open, 10),
    (PhoneticCoding.roll, PhoneticCoding.back, 10), (PhoneticCoding.roll, PhoneticCoding.front, 12),
    (PhoneticCoding.side, PhoneticCoding.back, 12), (PhoneticCoding.side, PhoneticCoding.round, 12),
    (PhoneticCoding.lips, PhoneticCoding.teeth, 15), (PhoneticCoding.lips, PhoneticCoding.throat, 15),
    (PhoneticCoding.teeth, PhoneticCoding.throat, 15), (PhoneticCoding.lips, PhoneticCoding.humLips, 13),
    (PhoneticCoding.teeth, PhoneticCoding.humTongue, 15),
    (PhoneticCoding.round, PhoneticCoding.lipsTeeth, 12),
    (PhoneticCoding.round, PhoneticCoding.roll, 12), (PhoneticCoding.humTongue, PhoneticCoding.side, 15),
  ]

  private static func replacement(_ left: UInt8, _ right: UInt8) -> Int32 {
    if left == right { return 0 }
    let pair = alike.first { ($0.0, $0.1) == (left, right) || ($0.1, $0.0) == (left, right) }
    return pair?.2 ?? min(presence(left) + presence(right), Int32(unit))
  }
}
