import Foundation
import RecognitionProtocol

/// The pieces of a transducer's words, and phrases in a form that the library can split into them.
///
/// The library splits a word at the best sum of its pieces' ranks, and counts a character that no piece has as nothing:
/// of a word that it cannot write it prefers what remains. Therefore words are checked here, and every byte that a piece
/// covers counts more than any rank.
struct Hotwords {
  private static let maxLength = 100
  private static let gain = 100_000

  private let pieces: Set<[UInt8]>
  private let longest: Int
  private let isUpperCase: Bool
  private let isLowerCase: Bool
  /// The list of pieces with their ranks, in the form that the library reads.
  let vocabulary: Data

  /// - Parameters:
  ///   - tokens: the network's tokens.
  ///   - list: the file `bpe.vocab`: a piece and its rank a line; nil if there is none, for the order of the tokens.
  /// - Returns: nil if the tokens have no marks of the beginnings of words.
  init?(tokens: [String], list: String?) {
    let known = Set(
      tokens.filter { !($0.hasPrefix("<") && $0.hasSuffix(">")) && !$0.contains(where: \.isWhitespace) })
    guard known.contains(where: { $0.hasPrefix("▁") && $0.count > 1 }) else { return nil }
    var ranks: [(piece: String, rank: Double)] = []
    for line in list?.split(whereSeparator: \.isNewline) ?? [] {
      let fields = line.split(separator: "\t")
      guard fields.count == 2, let rank = Double(fields[1]), rank.isFinite, known.contains(String(fields[0]))
      else {
        continue
      }
      ranks.append((String(fields[0]), rank))
    }
    if ranks.isEmpty {
      ranks = tokens.enumerated().filter { known.contains($0.element) }.map {
        ($0.element, -Double($0.offset))
      }
    }
    var seen: Set<String> = []
    ranks = ranks.filter { seen.insert($0.piece).inserted }
    pieces = Set(ranks.map { Array($0.piece.utf8) })
    longest = pieces.map(\.count).max() ?? 0
    let lines = ranks.map { "\($0.piece)\t\(Int($0.rank) + Self.gain * $0.piece.utf8.count)\n" }
    vocabulary = Data(lines.joined().utf8)
    let text = ranks.map(\.piece).joined()
    isUpperCase = !text.contains(where: \.isLowercase)
    isLowerCase = !text.contains(where: \.isUppercase)
  }

  /// The phrases that the network can write, separated by `/`; nil if there are none.
  func line(_ phrases: [String]) -> String? {
    var lines: [String] = []
    for phrase in phrases.prefix(ServiceConfiguration.maxPhrases) {
      var text = phrase.replacingOccurrences(of: "/", with: " ")
      if isUpperCase { text = text.uppercased() }
      if isLowerCase { text = text.lowercased() }
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      // A word that begins with a colon would be read as a score.
      guard !words.isEmpty, words.allSatisfy({ !$0.hasPrefix(":") && canWrite($0) }) else { continue }
      lines.append(words.joined(separator: " "))
    }
    return lines.isEmpty ? nil : lines.joined(separator: "/")
  }

  private func canWrite(_ word: String) -> Bool {
    let bytes = Array("▁\(word)".utf8)
    guard bytes.count <= Self.maxLength else { return false }
    var reachable = [Bool](repeating: false, count: bytes.count + 1)
    reachable[0] = true
    for end in 1...bytes.count {
      reachable[end] = (max(0, end - longest)..<end).contains {
        reachable[$0] && pieces.contains(Array(bytes[$0..<end]))
      }
    }
    return reachable[bytes.count]
  }
}
