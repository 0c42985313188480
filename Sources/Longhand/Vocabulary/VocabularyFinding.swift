/// Something in a vocabulary that does harm, or no good.
public struct VocabularyFinding: Sendable, Hashable, Codable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// It keeps the vocabulary from being compiled.
    case mistake
    /// It may make transcripts worse, or does nothing.
    case warning
  }

  /// How bad it is.
  public var severity: Severity
  /// Where in the file, such as `terms[2].pronunciations[0]`.
  public var place: String
  /// What is wrong, in words.
  public var problem: String
  /// What to do about it.
  public var remedy: String

  /// Each field by its name.
  public init(severity: Severity, place: String, problem: String, remedy: String) {
    self.severity = severity
    self.place = place
    self.problem = problem
    self.remedy = remedy
  }

  static func mistake(_ place: String, _ problem: String, _ remedy: String) -> Self {
    Self(severity: .mistake, place: place, problem: problem, remedy: remedy)
  }

  static func warning(_ place: String, _ problem: String, _ remedy: String) -> Self {
    Self(severity: .warning, place: place, problem: problem, remedy: remedy)
  }
}
