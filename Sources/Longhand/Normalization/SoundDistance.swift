/// How far two rows of sounds are from each other: what it takes to turn one into the other, where sounds that are
/// easily taken for each other cost little and vowels weigh little.
struct SoundDistance: Sendable {
  /// What a consonant costs that is there or not.
  static let unit = 20

  /// What each sound costs that is there or not.
  private let presence: [Int32]
  /// What each sound costs in the place of another, row by row.
  private let replacement: [Int32]
  private var row: [Int32] = []

  init() {
    presence = (0..<SoundCoding.soundCount).map { Self.presence(UInt8($0)) }
    var replacement: [Int32] = []
    for left in 0..<SoundCoding.soundCount {
      for right in 0..<SoundCoding.soundCount {
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
              let base = Int(sound) * SoundCoding.soundCount
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
    case SoundCoding.open...SoundCoding.back: 8
    case SoundCoding.roll, SoundCoding.round: 12
    case SoundCoding.side, SoundCoding.teeth: 16
    default: Int32(unit)
    }
  }

  /// Pairs that are taken for each other, and what that costs.
  private static let alike: [(UInt8, UInt8, Int32)] = [
    (SoundCoding.open, SoundCoding.front, 4), (SoundCoding.open, SoundCoding.back, 4),
    (SoundCoding.front, SoundCoding.back, 5),
    (SoundCoding.humLips, SoundCoding.humTongue, 8), (SoundCoding.hiss, SoundCoding.hush, 8),
    (SoundCoding.throat, SoundCoding.hush, 14), (SoundCoding.teeth, SoundCoding.hush, 12),
    (SoundCoding.teeth, SoundCoding.hiss, 14), (SoundCoding.lips, SoundCoding.lipsTeeth, 10),
    (SoundCoding.lipsTeeth, SoundCoding.teeth, 14), (SoundCoding.side, SoundCoding.roll, 12),
    (SoundCoding.round, SoundCoding.back, 6), (SoundCoding.roll, SoundCoding.open, 10),
    (SoundCoding.roll, SoundCoding.back, 10), (SoundCoding.roll, SoundCoding.front, 12),
    (SoundCoding.side, SoundCoding.back, 12), (SoundCoding.side, SoundCoding.round, 12),
    (SoundCoding.lips, SoundCoding.teeth, 15), (SoundCoding.lips, SoundCoding.throat, 15),
    (SoundCoding.teeth, SoundCoding.throat, 15), (SoundCoding.lips, SoundCoding.humLips, 13),
    (SoundCoding.teeth, SoundCoding.humTongue, 15), (SoundCoding.round, SoundCoding.lipsTeeth, 12),
    (SoundCoding.round, SoundCoding.roll, 12), (SoundCoding.humTongue, SoundCoding.side, 15),
  ]

  private static func replacement(_ left: UInt8, _ right: UInt8) -> Int32 {
    if left == right { return 0 }
    let pair = alike.first { ($0.0, $0.1) == (left, right) || ($0.1, $0.0) == (left, right) }
    return pair?.2 ?? min(presence(left) + presence(right), Int32(unit))
  }
}
