/// What a voice sounds like to a network, so that it can be recognized in other recordings. What was said cannot be found out
/// from it.
package struct NetworkPrint: Sendable, Hashable, Codable {
  /// Seconds of speech that a voice needs to be compared, without pauses.
  package static let minSeconds = 5.0

  /// The SHA-256 of the network. Prints of different networks cannot be compared.
  package let network: String
  /// Seconds of speech that it was made of, without pauses.
  package let seconds: Double
  /// A vector of length 1.
  let values: [Float]

  package init(network: String, seconds: Double, values: [Float]) {
    (self.network, self.seconds, self.values) = (network, seconds, HeardWindow.unit(values))
  }

  /// Whether it can be that of a voice; what was read from a file may be anything.
  package var isPossible: Bool {
    let length = values.reduce(0) { $0 + $1 * $1 }
    return abs(length - 1) < 0.01 && seconds.isFinite && seconds >= 0 && !network.isEmpty
  }

  /// The print of the speech of two.
  package static func + (left: NetworkPrint, right: NetworkPrint) -> NetworkPrint {
    NetworkPrint(
      network: left.network, seconds: left.seconds + right.seconds,
      values: zip(left.values, right.values).map { Float(left.seconds) * $0 + Float(right.seconds) * $1 })
  }

  /// How different two voices sound, 0 to 2: 1 less the cosine. Infinite if they cannot be compared.
  package func distance(to other: NetworkPrint) -> Double {
    guard network == other.network, values.count == other.values.count else { return .infinity }
    return Double(1 - VoiceVector(values).product(VoiceVector(other.values)))
  }
}
