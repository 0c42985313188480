/// A skeleton that many others are compared with: the Levenshtein distance, a consonant a step (Myers, "A fast bit-vector
/// algorithm for approximate string matching based on dynamic programming", 1999, as by Hyyrö, 2003).
struct ConsonantKeyPattern {
  /// For each class the places where it stands, sixteen bits each.
  private var places: (UInt64, UInt64) = (0, 0)
  private let count: Int

  init(_ skeleton: ConsonantKey) {
    count = skeleton.count
    for place in 0..<skeleton.count {
      let kind = skeleton[place]
      let bit = UInt64(1) << UInt64(16 * (kind & 3) + place)
      if kind < 4 { places.0 |= bit } else { places.1 |= bit }
    }
  }

  /// How many consonants are to be put in, left out or replaced to make one of the other.
  func distance(_ other: ConsonantKey) -> Int {
    var plus: UInt64 = 0xFFFF
    var minus: UInt64 = 0
    var distance = count
    let end = UInt64(1) << UInt64(count - 1)
    for place in 0..<other.count {
      let kind = other[place]
      let equal = ((kind < 4 ? places.0 : places.1) >> UInt64(16 * (kind & 3))) & 0xFFFF
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
