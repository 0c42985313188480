/// Which vocabulary a transcript was made with.
public struct VocabularyStamp: Sendable, Hashable, Codable {
  /// The vocabulary's name.
  public var name: String
  /// The digest of its file (SHA-256), in lowercase hexadecimal digits.
  public var sha256: String

  /// Each field by its name.
  public init(name: String, sha256: String) {
    self.name = name
    self.sha256 = sha256
  }
}
