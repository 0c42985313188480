import Foundation

/// An error in a vocabulary file.
public struct VocabularyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path.
  public var file: String
  /// The location in the file, such as `terms[2].text`; nil if the error concerns the whole file.
  public var location: String?
  /// What is wrong, in words.
  public var problem: String

  package init(file: String, location: String?, problem: String) {
    self.file = file
    self.location = location
    self.problem = problem
  }

  init(_ error: any Error, file: String) {
    self.init(file: file, location: nil, problem: "it is not JSON5")
    if let failure = error as? JSON5Text.SyntaxError {
      location = "line \(failure.line), column \(failure.column)"
      problem = "it is not JSON5: \(failure.problem)"
    }
    guard let error = error as? DecodingError else { return }
    switch error {
    case .keyNotFound(let key, let context):
      location = Self.path(context.codingPath + [key])
      problem = "it is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      location = Self.path(context.codingPath)
      problem = "it has the wrong type; see Schemas/vocabulary.schema.json"
    case .dataCorrupted(let context):
      location = Self.path(context.codingPath)
      if location != nil { problem = context.debugDescription }
    @unknown default: break
    }
  }

  private static func path(_ path: [any CodingKey]) -> String? {
    let text = path.reduce("") { text, key in
      key.intValue.map { "\(text)[\($0)]" } ?? (text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)")
    }
    return text.isEmpty ? nil : text
  }

  /// The file, the location and what is wrong.
  public var description: String { "\(file): \(location.map { "\($0): " } ?? "")\(problem)" }
}
