/// How much voices must differ to be two, and be alike to be one. These numbers are fitted; `Benchmarks/Speakers/measure.py`
/// measures what they lead to.
package enum VoiceMargins {
  /// The separation from which on two clusters are two voices: in noise, where voices sound more alike, and in clear audio.
  ///
  /// Measured: in clear audio, two clusters of one voice were 1.0 apart at most and those of two voices 1.7 at least; in a
  /// telephone's band with noise 20 dB below the speech they overlap: of 32 conversations of 2 to 4 voices the number was right
  /// in 26 with a limit of 0.45, 29 with 0.55, 31 with 0.65 and 28 with 0.73. But up to 0.7, an hour of one voice became five.
  static let separation = (noisy: 0.74, clear: 1.3)
  /// The range of the speech over the noise that these are for, as natural logarithms of power: 24 and 36 dB.
  static let range: (noisy: Float, clear: Float) = (5.5, 8.3)

  /// The share of speech with the right voice, by how much more probable its frames are in it than in the next voice on average,
  /// as a natural logarithm; in between it is linear.
  ///
  /// Measured on 10 conversations of 2 to 9 voices with turns of a second (`Benchmarks/Speakers/talk.py`, seeds 1 and 2), the
  /// number of voices given. Where it is found, which may fail, see `rightIfCountIsFound`.
  private static let shares: [(margin: Double, right: Double)] = [
    (0, 0.3), (2, 0.6), (3, 0.77), (4, 0.88), (5.5, 0.95),
  ]

  /// The share if the number of voices is found, by that if it is given: measured on the same conversations.
  static func rightIfCountIsFound(_ right: Double) -> Double { max(0, 1.2 * right - 0.36) }

  /// How probable it is that a voice is right.
  static func right(margin: Double) -> Double {
    guard let next = shares.first(where: { $0.margin > margin }),
      let last = shares.last(where: { $0.margin <= margin })
    else { return margin < 0 ? shares[0].right : shares[shares.count - 1].right }
    return last.right + (next.right - last.right) * (margin - last.margin) / (next.margin - last.margin)
  }

  /// Voices of different recordings that differ less are taken for one.
  ///
  /// Measured with 7 readers, 4 synthetic voices made of readers, and 31 groups of other people's clips: with 30 s of each,
  /// recordings of one voice were at most 0.24 apart (91 in 100 less than this), those of two voices 0.33 at least, also
  /// through a telephone, in noise and in rooms. Where one of two recordings of a voice is by telephone or noisy and the
  /// other is not, they are more than 1 apart, and no voice is recognized.
  package static let embedded = Limits(sameVoice: 0.2, betweenPersons: 0.05, sameSound: 0.2)
  /// The same for prints of the network that is installed; other networks were not measured.
  ///
  /// Measured with 18 readers, 20 s of each remembered: 0 of 13,901 comparisons of different people are nearer than this, and all
  /// pieces of 5 s of one voice are; of those by telephone 92 in 100.
  package static let network = Limits(sameVoice: 0.45, betweenPersons: 0.1, sameSound: 0.2)

  /// How much voices of different recordings must differ.
  package struct Limits: Sendable {
    /// Voices that differ less are taken for one.
    package let sameVoice: Double
    /// The second person must be so much less like a voice than the first one; else it is not known who it is.
    package let betweenPersons: Double
    /// Prints of a person that differ less become one.
    package let sameSound: Double
  }
}
