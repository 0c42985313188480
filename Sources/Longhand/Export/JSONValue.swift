/// JSON whose keys keep their order and whose numbers are written as decimals, which `JSONEncoder` promises neither of.
indirect enum JSONValue {
  case string(String)
  case integer(Int)
  /// Seconds, rounded to milliseconds.
  case seconds(Double)
  /// A number from 0 to 1, rounded to four decimals.
  case confidence(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])

  /// The text of the value, with the outermost `levels` of arrays and objects broken into lines.
  func text(brokenLevels levels: Int = 0, indentation: String = "") -> String {
    switch self {
    case .string(let string): Self.quoted(string)
    case .integer(let number): String(number)
    case .seconds(let seconds): Milliseconds(seconds: seconds).shortSeconds
    case .confidence(let confidence):
      Decimals.text(units: Decimals.units(of: min(confidence, 1), perOne: 10_000), decimals: 4)
    case .boolean(let flag): flag ? "true" : "false"
    case .array(let values):
      Self.bracketed(
        "[", values.map { $0.text(brokenLevels: levels - 1, indentation: indentation + "  ") }, "]",
        isBroken: levels > 0, indentation: indentation)
    case .object(let members):
      Self.bracketed(
        "{",
        members.map {
          "\(Self.quoted($0.key)): \($0.value.text(brokenLevels: levels - 1, indentation: indentation + "  "))"
        }, "}", isBroken: levels > 0, indentation: indentation)
    }
  }

  private static func bracketed(
    _ open: String, _ items: [String], _ close: String, isBroken: Bool, indentation: String
  ) -> String {
    guard isBroken, !items.isEmpty else { return open + items.joined(separator: ", ") + close }
    let inner = "\n\(indentation)  "
    return "\(open)\(inner)\(items.joined(separator: "," + inner))\n\(indentation)\(close)"
  }

  /// Escapes what RFC 8259 demands, and the line ends of Unicode too, at which some readers of JSON lines part them.
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
