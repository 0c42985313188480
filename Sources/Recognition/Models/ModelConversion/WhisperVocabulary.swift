import Foundation

/// The texts of a model's tokens.
enum WhisperVocabulary {
  private static let maxSize: UInt64 = 16 << 20
  private static let maxTokenLength = 1024

  /// Reads the list of tokens in a folder of CTranslate2: `vocabulary.json`, `vocabulary.txt` or `tokenizer.json`.
  /// - Returns: the bytes of the tokens that are text.
  static func read(folder: String) throws(ConversionError) -> [[UInt8]] {
    for name in ["vocabulary.json", "vocabulary.txt", "tokenizer.json"] {
      let path = folder + "/" + name
      guard var reader = SeekingReader(path: path) else { continue }
      guard reader.size <= maxSize, let bytes = reader.bytes(Int(reader.size)) else {
        throw .malformed(path: path, reason: "cannot be read, or is too large")
      }
      let names = name.hasSuffix(".txt") ? lines(bytes) : tokens(json: Data(bytes))
      guard let names, names.count >= WhisperDimensions.textTokens else {
        throw .malformed(path: path, reason: "is not the list of Whisper's tokens")
      }
      return try names.prefix(WhisperDimensions.textTokens).map { name throws(ConversionError) in
        guard let token = decode(name), token.count <= maxTokenLength else {
          throw .malformed(path: path, reason: "has a token that is not allowed")
        }
        return token
      }
    }
    throw .malformed(path: folder, reason: "has no vocabulary.json, vocabulary.txt or tokenizer.json")
  }

  private static func lines(_ bytes: [UInt8]) -> [String]? {
    String(validating: bytes, as: UTF8.self)?.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { String($0) }
  }

  private static func tokens(json: Data) -> [String]? {
    let document = try? JSONSerialization.jsonObject(with: json)
    if let list = document as? [String] { return list }
    guard let numbers = ((document as? [String: Any])?["model"] as? [String: Any])?["vocab"] as? [String: Int]
    else { return nil }
    var list = [String?](repeating: nil, count: WhisperDimensions.textTokens)
    for (name, number) in numbers where list.indices.contains(number) { list[number] = name }
    let known = list.compactMap { $0 }
    return known.count == list.count ? known : nil
  }

  /// The bytes of a token. Each byte is written as a character that can be printed, as in GPT-2.
  private static func decode(_ name: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in name.unicodeScalars {
      guard let byte = byteOfCharacter[scalar.value] else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static let byteOfCharacter: [UInt32: UInt8] = {
    var bytes: [UInt32: UInt8] = [:]
    var next: UInt32 = 256
    for byte in UInt8.min...UInt8.max {
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: bytes[UInt32(byte)] = byte
      default:
        bytes[next] = byte
        next += 1
      }
    }
    return bytes
  }()
}
