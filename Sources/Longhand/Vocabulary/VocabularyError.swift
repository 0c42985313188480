import Foundation

/// Why a vocabulary file cannot be used.
public struct VocabularyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path.
  public var file: String
  /// Where in the file, such as `terms[2].text`; nil if it is the whole file.
  public var location: String?
  /// What is wrong, in words.
  public var problem: String

  /// Each field by its name.
  public init(file: String, location: String?, problem: String) {
    self.file = file
    self.location = location
    self.problem = problem
  }

  init(_ error: any Error, file: String) {
    self.init(file: file, location: nil, problem: "it is not JSON5")
    if let mistake = error as? JSON5Text.Mistake {
      location = "line \(mistake.line), column \(mistake.column)"
      problem = "it is not JSON5: \(mistake.problem)"
    }
    guard let error = error as? DecodingError else { return }
    switch error {
    case .keyNotFound(let key, let context):
      location = Self.path(context.codingPath + [key])
      problem = "it is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      location = Self.path(context.codingPath)
      problem = "it is not what it should be"
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

  /// The file, the place and what is wrong.
  public var description: String { "\(file): \(location.map { "\($0): " } ?? "")\(problem)" }
}
