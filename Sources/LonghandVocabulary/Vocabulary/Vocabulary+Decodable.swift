import Foundation

/// A key of any name.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// The object to decode. Other keys than these are errors, so that a misspelled key is not ignored.
  fileprivate func object(_ keys: String...) throws -> KeyedDecodingContainer<AnyKey> {
    let container = try container(keyedBy: AnyKey.self)
    if let unknown = container.allKeys.first(where: { !keys.contains($0.stringValue) }) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath + [unknown],
          debugDescription: "unknown key; the known keys are \(keys.joined(separator: ", "))"))
    }
    return container
  }
}

extension KeyedDecodingContainer where Key == AnyKey {
  fileprivate func text(_ name: String) throws -> String {
    let key = AnyKey(stringValue: name)
    let text = try decode(String.self, forKey: key)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath + [key], debugDescription: "it must not be empty"))
    }
    return text
  }

  fileprivate func list<Value: Decodable>(_ name: String, of type: Value.Type = Value.self) throws -> [Value]
  {
    try decodeIfPresent([Value].self, forKey: AnyKey(stringValue: name)) ?? []
  }

  fileprivate func count(_ name: String) throws -> Int {
    let key = AnyKey(stringValue: name)
    let number = try decodeIfPresent(Double.self, forKey: key) ?? 1
    guard let count = Int(exactly: number), count > 0 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [key],
          debugDescription: "it is \(number.formatted()); it must be a whole number of 1 or more"))
    }
    return count
  }
}

extension Vocabulary: Decodable {
  /// Reads the object of a vocabulary file. Unknown keys are errors.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(
      "name", "locale", "terms", "phrases", "templates", "classes", "corrections", "entities",
      "entityIDs")
    self.init(name: try object.text("name"))
    locale = try object.decodeIfPresent(String.self, forKey: AnyKey(stringValue: "locale")) ?? locale
    terms = try object.list("terms")
    phrases = try object.list("phrases")
    templates = try object.list("templates")
    classes =
      try object.decodeIfPresent([String: [String]].self, forKey: AnyKey(stringValue: "classes"))?
      .mapValues { $0.map(\.precomposedStringWithCanonicalMapping) } ?? [:]
    corrections = try object.list("corrections")
    entities = try object.list("entities")
    entityIDs = try object.decodeIfPresent([String: String].self, forKey: AnyKey(stringValue: "entityIDs"))
  }
}

extension Vocabulary.Term: Decodable {
  /// Reads an entry of `terms`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object("text", "pronunciations")
    self.init(text: try object.text("text"), pronunciations: try object.list("pronunciations"))
  }
}

extension Vocabulary.CountedText: Decodable {
  /// Reads an entry of `phrases` or `templates`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object("text", "count")
    self.init(text: try object.text("text"), count: try object.count("count"))
  }
}

extension Vocabulary.Correction: Decodable {
  /// Reads an entry of `corrections`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object("heard", "text")
    self.init(recognized: try object.text("heard"), text: try object.text("text"))
  }
}
