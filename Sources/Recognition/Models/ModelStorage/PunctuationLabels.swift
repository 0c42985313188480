/// The numbers by which a network for punctuation names marks and capitals. The library takes these for granted.
enum PunctuationLabels {
  static let all: [(key: String, number: Int)] = [
    ("COMMA", 1), ("PERIOD", 2), ("QUESTION", 3), ("UPPER", 1), ("CAP", 2), ("MIX_CASE", 3),
  ]
  /// The numbers of tokens, of those that begin words, and of words; the library gives them in this order.
  static let inputs = 3
  /// The logits of capitals and of marks, and perhaps a mask.
  static let outputs = 2...3
  static let maxListSize: UInt64 = 4 << 20
}

extension NetworkFolder {
  /// Checks what the library relies on, and ends its process without.
  /// - Throws: `ModelFolderError`.
  func checkPunctuation() throws(ModelFolderError) {
    let network = try metadata(.model)
    for (key, number) in PunctuationLabels.all where network[key].flatMap({ Int($0) }) != number {
      let what =
        network[key].map { "has the metadata \"\(key)\" with the value \"\($0)\" instead of \"\(number)\"" }
        ?? "lacks the metadata \"\(key)\""
      throw error(
        .missingMetadata, .model, what,
        "Export the model again with its metadata, or install it from its source.")
    }
    guard network.inputs.count == PunctuationLabels.inputs,
      PunctuationLabels.outputs.contains(network.outputs.count)
    else {
      throw error(
        .wrongFamily, .model, "has the metadata of a model for punctuation, but other inputs or outputs",
        "Export the model again with its own metadata.")
    }
    try checkPieces()
  }

  /// Each line has a piece and its score. A piece occurs once.
  private func checkPieces() throws(ModelFolderError) {
    let path = try file(.pieces)
    guard let data = ModelInspection.contents(path, maxSize: PunctuationLabels.maxListSize) else {
      throw error(
        .unreadable, .pieces, "cannot be read, or is too large",
        "Check that it exists and that you may read it.")
    }
    var pieces: Set<Substring> = []
    let text = String(decoding: data, as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty, line.endIndex == text.endIndex { break }
      let parts = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard parts.count >= 2, Float(parts[1]) != nil, pieces.insert(parts[0]).inserted else {
        throw wrongPieces("a line has no piece with a score, or repeats a piece")
      }
    }
    // The library gives the beginning of a text the number 1, and its end the number 2.
    guard pieces.count > 3 else { throw wrongPieces("it has only \(pieces.count) pieces") }
  }

  private func wrongPieces(_ what: String) -> ModelFolderError {
    error(
      .wrongTokens, .pieces, "is no list of pieces: \(what)",
      "Use the bpe.vocab that was published with the model.")
  }
}
