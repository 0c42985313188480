/// Writes words with punctuation and capitals.
package protocol Punctuator: Sendable {
  /// Writes a text.
  /// - Parameter text: words in lower case, with spaces between them.
  /// - Returns: what should be the same words with marks and capitals. The caller must check that.
  func write(_ text: String) async throws -> String
}
