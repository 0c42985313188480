import Foundation

/// One JSON value on one line.
enum JSONLine {
  /// The value as JSON: keys in a fixed order, slashes as they are, and no line break anywhere.
  static func string(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    // Only a number that is not finite cannot be encoded; an empty object is still valid JSON.
    guard let data = try? encoder.encode(value) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
