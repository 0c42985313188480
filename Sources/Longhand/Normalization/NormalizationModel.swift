/// A language model that writes a transcript as its domain does and names what it speaks of.
///
/// What it writes is not trusted: see `NormalizationGuard`.
public protocol NormalizationModel: Sendable {
  /// Normalizes `text`.
  /// - Parameters:
  ///   - text: a transcript.
  ///   - entities: the names that may be extracted; empty if any may be.
  ///   - instructions: what to do and what not to.
  /// - Throws: whatever keeps it from an answer.
  func normalize(
    _ text: String, entities: [String], instructions: String
  ) async throws -> NormalizationModelAnswer
}
