import Foundation

/// One JSON value on one line.
enum JSONLine {
  /// Returns the value as JSON without line breaks, with sorted keys and unescaped slashes.
  static func string(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    // Encoding fails only for a number that is not finite; an empty object is still valid JSON.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
