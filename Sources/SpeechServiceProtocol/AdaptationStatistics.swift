/// What utterances tell of how a voice and a room differ from the recognizer's model: the sums that a linear regression of
/// the model's means needs (MLLR; C. J. Leggetter and P. C. Woodland, 1995). Those of several utterances are added.
public struct AdaptationStatistics: Sendable, Equatable, Codable {
  /// The largest number of sums.
  static let maxCount = 4096

  /// The sums, in the order of the recognizer; empty if the utterance tells nothing.
  public private(set) var sums: [Double]

  /// Statistics of an utterance.
  public init(sums: [Double] = []) { self.sums = sums }

  /// Reads statistics. Sums that are too many are not read to their end.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sums = try values.list(forKey: .sums, maxCount: Self.maxCount)
  }

  /// Adds the sums of another utterance. Nothing changes if they are not those of the same model, or if a sum would be too
  /// large for a number.
  public mutating func add(_ other: AdaptationStatistics) {
    guard !other.sums.isEmpty else { return }
    guard !sums.isEmpty else {
      sums = other.sums
      return
    }
    guard sums.count == other.sums.count else { return }
    let added = zip(sums, other.sums).map { $0 + $1 }
    if added.allSatisfy(\.isFinite) { sums = added }
  }
}
