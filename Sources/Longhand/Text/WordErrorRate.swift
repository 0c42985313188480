/// How far a text is from its reference, in words.
public struct WordErrorRate: Sendable, Hashable {
  /// Words of the reference that were heard as another word.
  public var substitutions: Int
  /// Words of the reference that are missing.
  public var deletions: Int
  /// Words that the reference does not have.
  public var insertions: Int
  /// The words of the reference.
  public var referenceWords: Int

  /// Each field by its name.
  public init(substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0, referenceWords: Int = 0) {
    self.substitutions = substitutions
    self.deletions = deletions
    self.insertions = insertions
    self.referenceWords = referenceWords
  }

  /// Counts the errors of the best alignment of two word lists; see `WordAlignment`.
  public init(reference: [String], hypothesis: [String]) {
    self = WordAlignment(reference: reference, hypothesis: hypothesis).errorRate
  }

  /// Substitutions, deletions and insertions together.
  public var errors: Int { substitutions + deletions + insertions }

  /// `errors / referenceWords`; above 1 when many words were invented.
  ///
  /// Where the reference is empty: 0 without errors, `infinity` with any.
  public var rate: Double {
    if errors == 0 { return 0 }
    return referenceWords == 0 ? .infinity : Double(errors) / Double(referenceWords)
  }

  /// Both texts as one: the errors and the words are added, so that a long text weighs more than a short one.
  public static func + (left: Self, right: Self) -> Self {
    Self(
      substitutions: left.substitutions + right.substitutions, deletions: left.deletions + right.deletions,
      insertions: left.insertions + right.insertions,
      referenceWords: left.referenceWords + right.referenceWords)
  }
}
