import Foundation

/// A copy of one of the toy models in `Tests/Models`, which a test may damage. It is removed with the object.
package final class ToyModel {
  /// The toys, by the names of their folders.
  package enum Kind: String, Sendable {
    case ctc = "toy-ctc"
    case streamingCTC = "toy-streaming-ctc"
    case transducer = "toy-tdt"
    case speakers = "toy-speakers"
    case punctuation = "toy-punctuation"

    /// Those that recognize words.
    package static let recognizers: [Kind] = [.ctc, .streamingCTC, .transducer]

    /// The folder in the repository.
    package var original: URL { ToyModel.models.appendingPathComponent(rawValue) }
  }

  /// `Tests/Models`.
  package static let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Models")

  /// The folder of the copy.
  package let folder: URL

  /// Copies a toy.
  package init(_ kind: Kind) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("toy-\(UUID().uuidString)")
    try FileManager.default.copyItem(at: kind.original, to: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of the folder.
  package var path: String { folder.path }

  /// The path of a file of the copy.
  package func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Removes a file.
  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  /// Writes a file.
  package func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(fileURLWithPath: file(name)))
  }

  /// The bytes of a file.
  package func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  /// Cuts a file.
  package func truncate(_ name: String, to size: Int) throws { try write(data(name).prefix(size), to: name) }

  /// Exchanges two files.
  package func swap(_ one: String, _ other: String) throws {
    let (first, second) = (try data(one), try data(other))
    try write(second, to: one)
    try write(first, to: other)
  }

  /// Changes the metadata of a network: a nil value removes the key.
  package func setMetadata(_ changes: [String: String?], of name: String) throws {
    let bytes = [UInt8](try data(name))
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let start = index
      let tag = Self.varint(bytes, &index)
      if tag & 7 == 0 { _ = Self.varint(bytes, &index) } else { index += Self.varint(bytes, &index) }
      // Each entry begins with its key, which is short.
      guard tag == 14 << 3 | 2 else {
        result += bytes[start..<index]
        continue
      }
      var entry = start
      _ = Self.varint(bytes, &entry)
      _ = Self.varint(bytes, &entry)
      entry += 1
      let length = Self.varint(bytes, &entry)
      let key = String(decoding: bytes[entry..<entry + length], as: UTF8.self)
      if !changes.keys.contains(key) { result += bytes[start..<index] }
    }
    for (key, value) in changes {
      guard let value else { continue }
      let entry = [10] + Self.text(key) + [18] + Self.text(value)
      result += [14 << 3 | 2] + Self.varint(entry.count) + entry
    }
    try write(Data(result), to: name)
  }

  private static func text(_ text: String) -> [UInt8] { varint(text.utf8.count) + Array(text.utf8) }

  private static func varint(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
  }

  private static func varint(_ bytes: [UInt8], _ index: inout Int) -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = bytes[index]
      index += 1
      value |= Int(byte & 127) << shift
      if byte & 128 == 0 { return value }
      shift += 7
    }
  }
}
