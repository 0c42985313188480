import Foundation

/// Reads and checks the list of tokens: a token and its number a line.
enum ModelTokens {
  private static let maxSize: UInt64 = 32 << 20
  private static let maxTokens = 1_000_000

  /// - Throws: `ModelFolderError` if the list does not fit the networks.
  static func read(
    folder: String, name: String?, networks: ModelNetworks
  ) throws(ModelFolderError) -> [String] {
    guard let name else {
      throw ModelFolderError(
        .missingFile, path: folder, reason: "The folder \(folder) has no tokens.txt.",
        remedy: "Add the list of tokens that belongs to the model.")
    }
    let path = folder + "/" + name
    guard let data = ModelInspection.contents(path, maxSize: maxSize) else {
      throw ModelFolderError(
        .unreadable, path: path, reason: "The file \(path) cannot be read, or is too large.",
        remedy: "Check that it exists and that you may read it.")
    }
    let tokens = try parse(data, path: path)
    let wrong = { (what: String) in
      ModelFolderError(
        .wrongTokens, path: path, reason: "The file \(path) does not fit the network: \(what).",
        remedy: "Use the tokens.txt that was published with the model.")
    }
    let family = networks.family
    let size = networks.metadata["vocab_size"].flatMap { Int($0) }.map { $0 + (family.hasBlank ? 1 : 0) }
    if family.hasBlank, tokens.last != "<blk>" { throw wrong("its last token is not <blk>") }
    // Symbols for graphs, #0 and so on, may be at the end.
    let symbols = tokens.suffix(8).count { $0.hasPrefix("#") && Int($0.dropFirst()) != nil }
    guard let size, [tokens.count, tokens.count - symbols].contains(size) else {
      throw wrong("it has \(tokens.count) tokens instead of \(size.map(String.init) ?? "an unknown number")")
    }
    return tokens
  }

  private static func parse(_ data: Data, path: String) throws(ModelFolderError) -> [String] {
    let wrong = { (what: String) in
      ModelFolderError(
        .wrongTokens, path: path, reason: "The file \(path) is no list of tokens: \(what).",
        remedy: "Use the tokens.txt that was published with the model.")
    }
    var tokens: [Int: String] = [:]
    for line in data.split(separator: UInt8(ascii: "\n")) {
      var line = line
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      guard !line.isEmpty else { continue }
      // A token can be a space itself.
      guard let space = line.lastIndex(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }),
        let number = Int(String(decoding: line[(space + 1)...], as: UTF8.self)), number >= 0
      else { throw wrong("a line does not end with a number") }
      guard number < maxTokens else { throw wrong("the number \(number) is too large") }
      guard tokens[number] == nil else { throw wrong("the number \(number) occurs twice") }
      tokens[number] = String(decoding: line[..<space], as: UTF8.self)
    }
    guard !tokens.isEmpty else { throw wrong("it is empty") }
    guard let last = tokens.keys.max(), last == tokens.count - 1 else { throw wrong("numbers are missing") }
    return (0...last).map { tokens[$0] ?? "" }
  }
}
