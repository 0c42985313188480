/// The errors of a text against its reference, counted in words.
public struct WordErrorRate: Sendable, Hashable {
  /// Words of the reference that are a different word in the text.
  public var substitutions: Int
  /// Words of the reference that are missing.
  public var deletions: Int
  /// Words that are not in the reference.
  public var insertions: Int
  /// The number of words in the reference.
  public var referenceWords: Int

  package init(substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0, referenceWords: Int = 0) {
    self.substitutions = substitutions
    self.deletions = deletions
    self.insertions = insertions
    self.referenceWords = referenceWords
  }

  /// Counts the errors of the best alignment of two lists of words; see `WordAlignment`.
  public init(reference: [String], hypothesis: [String]) {
    self = WordAlignment(reference: reference, hypothesis: hypothesis).errorRate
  }

  /// The sum of substitutions, deletions and insertions.
  public var errors: Int { substitutions + deletions + insertions }

  /// `errors / referenceWords`. It is above 1 if there are many insertions.
  ///
  /// If the reference is empty, it is 0 without errors and `infinity` with errors.
  public var rate: Double {
    if errors == 0 { return 0 }
    return referenceWords == 0 ? .infinity : Double(errors) / Double(referenceWords)
  }

  /// The rate of both texts as one: errors and words are added, so a long text weighs more than a short one.
  public static func + (left: Self, right: Self) -> Self {
    Self(
      substitutions: left.substitutions + right.substitutions, deletions: left.deletions + right.deletions,
      insertions: left.insertions + right.insertions,
      referenceWords: left.referenceWords + right.referenceWords)
  }
}

/// The JSON also has `errors` and `rate`, so that a reader need not calculate them. `rate` is absent if it is infinite,
/// which JSON cannot express.
extension WordErrorRate: Codable {
  private enum Derived: String, CodingKey { case errors, rate }

  /// Writes the counts, `errors` and `rate`; when they are read, these two are calculated again.
  public func encode(to encoder: any Encoder) throws {
    var counts = encoder.container(keyedBy: CodingKeys.self)
    try counts.encode(substitutions, forKey: .substitutions)
    try counts.encode(deletions, forKey: .deletions)
    try counts.encode(insertions, forKey: .insertions)
    try counts.encode(referenceWords, forKey: .referenceWords)
    var derived = encoder.container(keyedBy: Derived.self)
    try derived.encode(errors, forKey: .errors)
    if rate.isFinite { try derived.encode(rate, forKey: .rate) }
  }
}
