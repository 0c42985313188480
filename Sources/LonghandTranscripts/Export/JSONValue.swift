import Foundation

/// JSON whose keys keep their order and whose numbers are written as decimals. `JSONEncoder` promises neither.
package indirect enum JSONValue: Sendable {
  case null
  case string(String)
  case integer(Int)
  /// Seconds, rounded to milliseconds.
  case seconds(Double)
  /// A number from 0 to 1, rounded to four decimals; null if there is none.
  case confidence(Double?)
  /// dBFS, rounded to a tenth.
  case decibels(Double)
  /// Any number, rounded to four decimals.
  case number(Double)
  /// A number with all its digits; null if there is none.
  case exact(Double?)
  case boolean(Bool)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// The value on one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .string(let string): Self.quoted(string)
    case .integer(let number): String(number)
    case .seconds(let seconds): Milliseconds(seconds: seconds).shortSeconds
    case .confidence(nil): "null"
    case .confidence(let confidence?):
      Decimals.text(units: Decimals.units(of: min(confidence, 1), perOne: 10_000), decimals: 4)
    case .decibels(let level): String(format: "%.1f", max(level, -96))
    case .number(let number): String(format: "%.4f", number.isFinite ? number : 0)
    case .exact(let number): number.flatMap { $0.isFinite ? $0.description : nil } ?? "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }

  /// The value over several lines: one for each member of an object and for each item of an array in it.
  package var document: String {
    guard case .object(let members) = self else { return text + "\n" }
    let lines = members.map { key, value in
      guard case .array(let items) = value, !items.isEmpty else {
        return "  \(Self.quoted(key)): \(value.text)"
      }
      return "  \(Self.quoted(key)): [\n    \(items.map(\.text).joined(separator: ",\n    "))\n  ]"
    }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }

  /// Escapes what RFC 8259 requires, and Unicode line ends, at which some readers of JSON lines break a line.
  private static func quoted(_ string: String) -> String {
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
