import Foundation
import Longhand

/// A parameter of a tool.
struct MCPParameter: Sendable {
  enum Kind: Sendable {
    case text
    /// A text that can be a number.
    case count
    case number
    case integer(ClosedRange<Int>)
    case flag
    /// Some of these texts, or any texts if there are none.
    case texts([String])
  }

  var name: String
  var kind: Kind
  var description: String
  var isRequired: Bool

  init(_ name: String, _ kind: Kind, _ description: String, required: Bool = false) {
    self.name = name
    self.kind = kind
    self.description = description
    isRequired = required
  }

  static func session(required: Bool = true) -> MCPParameter {
    MCPParameter("session", .text, "The ID of a session, its name, or 'last'.", required: required)
  }
  static let speaker = MCPParameter("speaker", .text, "Only what the speaker with this name said.")
  static func limit(_ usual: Int, most: Int) -> MCPParameter {
    MCPParameter("limit", .integer(1...most), "At most so many results (default: \(usual)).")
  }
  static let maxCharacters = MCPParameter(
    "maxCharacters", .integer(500...1_000_000),
    "About how many characters the answer has at most (default: \(MCPForm.usualCharacters)); 'next' says where to go on."
  )
  static let links = MCPParameter("links", .flag, "Whether results have links to the web page (default: no).")

  /// The JSON Schema of parameters.
  static func schema(_ parameters: [MCPParameter]) -> JSONValue {
    .object([
      ("type", .string("object")), ("properties", .object(parameters.map { ($0.name, $0.schema) })),
      ("required", .array(parameters.filter(\.isRequired).map { .string($0.name) })),
      ("additionalProperties", .boolean(false)),
    ])
  }

  private var schema: JSONValue {
    let type: [(key: String, value: JSONValue)] =
      switch kind {
      case .text, .count: [("type", .string("string"))]
      case .number: [("type", .string("number"))]
      case .flag: [("type", .string("boolean"))]
      case .integer(let range):
        [
          ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
          ("maximum", .integer(range.upperBound)),
        ]
      case .texts(let names):
        [
          ("type", .string("array")),
          (
            "items",
            .object(
              [("type", .string("string"))]
                + (names.isEmpty ? [] : [("enum", .array(names.map(JSONValue.string)))]))
          ),
        ]
      }
    return .object(type + [("description", .string(description))])
  }

  /// A value as it is meant: models write numbers as texts, and one text in place of a list.
  /// - Throws: a `Failure` that says what the argument is.
  func value(_ sent: ReceivedJSON) throws -> ReceivedJSON {
    switch kind {
    case .text, .count:
      var text = sent.text
      if case .count = kind { text = sent.asText }
      guard let text else { throw Failure.usage("The argument '\(name)' is a text.") }
      return .string(text)
    case .number:
      guard case .number = sent.asNumber else { throw Failure.usage("The argument '\(name)' is a number.") }
      return sent.asNumber
    case .integer(let range):
      guard let number = sent.asNumber.integer, range.contains(number) else {
        throw Failure.usage(
          "The argument '\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return sent.asNumber
    case .flag:
      switch sent.text?.lowercased() {
      case "true", "yes": return .boolean(true)
      case "false", "no": return .boolean(false)
      default:
        guard case .boolean = sent else { throw Failure.usage("The argument '\(name)' is true or false.") }
        return sent
      }
    case .texts(let names):
      let texts = sent.asList.map(\.asText)
      if let index = texts.firstIndex(where: { $0 == nil }) {
        throw Failure.usage("The argument '\(name)' is a list of texts, and item \(index + 1) is none.")
      }
      if let wrong = texts.compactMap(\.self).first(where: { !names.isEmpty && !names.contains($0) }) {
        throw Failure.usage(
          "The argument '\(name)' has \(names.map { "'\($0)'" }.joined(separator: ", ")), not '\(wrong.prefix(40))'."
        )
      }
      return .array(texts.compactMap { $0.map(ReceivedJSON.string) })
    }
  }
}
