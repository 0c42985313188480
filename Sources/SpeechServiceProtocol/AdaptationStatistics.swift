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

  /// Adds the sums of another utterance. Nothing changes if they are not those of the same model.
  public mutating func add(_ other: AdaptationStatistics) {
    if sums.isEmpty { sums = other.sums }
    else if sums.count == other.sums.count { for index in sums.indices { sums[index] += other.sums[index] } }
  }
}
