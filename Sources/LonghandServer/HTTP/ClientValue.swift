import Foundation

/// A value as programs write it into a form or an address, where everything is text.
struct ClientValue: Equatable {
  /// Without spaces around it.
  let text: String

  /// - Returns: nil if the text says that there is no value. Programs send an empty field, or the name that their language
  ///   has for it.
  init?(_ text: String) {
    self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if Self.nothing.contains(self.text.lowercased()) { return nil }
  }

  private static let nothing: Set = ["", "null", "none", "nil", "undefined", "[]"]

  /// Yes or no; nil if the text is neither.
  var flag: Bool? {
    switch text.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }

  var number: Double? { Double(text) }

  /// A whole number, also one that is written as `2.0`.
  var integer: Int? { Int(text) ?? number.flatMap(Int.init(exactly:)) }

  /// The values of a list: a JSON array, or values between commas.
  var list: [ClientValue] {
    if let array = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any] {
      return array.compactMap { $0 is NSNull ? nil : ClientValue("\($0)") }
    }
    return text.split(separator: ",").compactMap { ClientValue(String($0)) }
  }
}
