/// Noise that is the same each time.
package struct FaintNoise {
  /// A second at 16 kHz that holds no speech and is loud enough to be decoded: silence, then noise 40 dB below full scale.
  package static let trial: [Int16] = {
    var noise = FaintNoise()
    return [Int16](repeating: 0, count: 8000)
      + (0..<8000).map { _ in Int16((noise.next() >> 16) * 655 >> 16) - 327 }
  }()

  private var state: UInt32 = 1

  package init() {}

  /// The next number, of which the high bits are the most random.
  package mutating func next() -> UInt32 {
    state = state &* 1_664_525 &+ 1_013_904_223
    return state
  }
}
