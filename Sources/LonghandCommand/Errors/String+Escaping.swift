import FileSupport
import Longhand

extension String {
  /// The text with all characters escaped that could move a terminal's cursor, change its state, or reorder the line.
  ///
  /// File names and recognized text come from outside and may contain such characters.
  var escapingControls: String {
    var escaped = ""
    for scalar in readableName.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default:
        if scalar.isControl {
          escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          escaped.unicodeScalars.append(scalar)
        }
      }
    }
    return escaped
  }
}

extension Unicode.Scalar {
  /// Whether this is a control character, a line separator, or a character that changes the text's direction.
  fileprivate var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: turnsDirection
    }
  }
}
