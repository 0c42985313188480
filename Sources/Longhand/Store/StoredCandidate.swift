import Foundation

/// A candidate as the file holds it: `["text", confidence, [["word", start, end, confidence], …]]`. Without the names
/// of the fields it is less than half as long.
struct StoredCandidate: Codable {
  private struct StoredWord: Codable {
    var word: Word

    init(_ word: Word) { self.word = word }

    init(from decoder: any Decoder) throws {
      var fields = try decoder.unkeyedContainer()
      word = Word(
        text: try fields.decode(String.self), start: try fields.decode(Double.self),
        end: try fields.decode(Double.self), confidence: try fields.decode(Double.self))
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.unkeyedContainer()
      try fields.encode(word.text)
      try fields.encode(word.start)
      try fields.encode(word.end)
      try fields.encode(word.confidence)
    }
  }

  private var candidate: Candidate

  private init(_ candidate: Candidate) { self.candidate = candidate }

  init(from decoder: any Decoder) throws {
    var fields = try decoder.unkeyedContainer()
    let text = try fields.decode(String.self)
    let confidence = try fields.decode(Double.self)
    let words = try fields.decode([StoredWord].self).map(\.word)
    candidate = Candidate(text: text, words: words, confidence: confidence)
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.unkeyedContainer()
    try fields.encode(candidate.text)
    try fields.encode(candidate.confidence)
    try fields.encode(candidate.words.map(StoredWord.init))
  }

  /// - Throws: `EncodingError` if a number is not finite.
  static func data(_ candidates: [Candidate]) throws -> Data {
    try JSONEncoder().encode(candidates.map(StoredCandidate.init))
  }

  /// - Throws: `DecodingError` if `data` did not come from `data(_:)`.
  static func candidates(_ data: Data) throws -> [Candidate] {
    try JSONDecoder().decode([StoredCandidate].self, from: data).map(\.candidate)
  }
}
