import Foundation

/// What a second network, which divides text into other tokens, says of the words of a text.
///
/// It is asked only where the first network has some doubt: to ask it takes time, and of what the first one is sure, it is nearly
/// always sure, too.
package struct SecondOpinion {
  /// The second network is asked about a text with a word whose least likely token is less likely than this.
  private static let doubt = log(0.6)
  /// In such a text, it is asked about each word whose least likely token is less likely than this.
  private static let sure = log(0.98)

  /// Whether the second network is asked about the text.
  package let isWanted: Bool
  /// For each token, where it begins in the bytes of the text, and whether the second network is asked about its word.
  private var tokens: [(start: Int, isAsked: Bool)] = []
  private let end: Int

  /// - Parameter text: the tokens of the first network: their bytes and the logarithms of their probabilities, 0 for marks.
  package init(_ text: [(bytes: [UInt8], logProbability: Double)]) {
    isWanted = text.contains { $0.logProbability < Self.doubt }
    end = text.reduce(0) { $0 + $1.bytes.count }
    let starts = text.indices.filter { $0 == 0 || text[$0].bytes.first == UInt8(ascii: " ") }
    var reached = 0
    for (start, next) in zip(starts, starts.dropFirst() + [text.count]) {
      let isAsked = text[start..<next].contains { $0.logProbability < Self.sure }
      for token in text[start..<next] {
        tokens.append((reached, isAsked))
        reached += token.bytes.count
      }
    }
  }

  /// Whether the second network is asked about its token that begins at a byte of the text.
  package func isAsked(at byte: Int) -> Bool { index(at: byte).map { tokens[$0].isAsked } ?? false }

  /// The logarithm of the probability that the second network gives each token of the first one: of the least likely of its own
  /// tokens that begin in it; nil where none does, or it was not asked.
  /// - Parameter second: the tokens of the second network, each with the byte of the text at which it begins.
  package func logProbabilities(_ second: [(start: Int, logProbability: Double)]) -> [Double?] {
    var found = [Double?](repeating: nil, count: tokens.count)
    for token in second where !token.logProbability.isNaN {
      guard let index = index(at: token.start) else { continue }
      found[index] = min(found[index] ?? 0, token.logProbability)
    }
    return found
  }

  private func index(at byte: Int) -> Int? {
    byte < end ? tokens.lastIndex { $0.start <= byte } : nil
  }
}
