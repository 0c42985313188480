/// A phrase that recognizers report, and the one that is meant. Each is narrow on purpose: a new one is a row here, with
/// tests of what it must not change.
struct RerankingPhrase: Sendable {
  /// The words that are reported, as tokens.
  let reported: [String]
  /// The words that are meant, as they are written.
  let intended: [String]
  /// Consecutive words elsewhere in the segment that the phrase needs; empty for none.
  private let context: [String]
  /// Words before the reported phrase with which it is correct.
  private let unlessAfter: [String]
  /// The last word before the segment, which must begin with the phrase; nil for a phrase anywhere.
  private let previous: String?
  /// The number of words with which both phrases begin; candidates differ after them.
  let shared: Int

  init(
    _ reported: String, _ intended: String, context: String = "", unlessAfter: [String] = [],
    previous: String? = nil
  ) {
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    (self.reported, self.intended, self.context) = (words(reported), words(intended), words(context))
    (self.unlessAfter, self.previous) = (unlessAfter, previous)
    shared = zip(self.reported, self.intended).prefix { $0 == $1 }.count
  }

  /// Compounds in their preferred spelling.
  static let compounds = ["two-day", "entry-level", "high-level", "AI-generated", "years' experience"].map {
    RerankingPhrase($0.lowercased().replacing("-", with: " ").replacing("'", with: ""), $0)
  }

  /// Phrases that sound like others. "trek" alone is correct in any note about hiking, so that it needs the word before it.
  static let contextual = [
    RerankingPhrase("trek", "track", previous: "off"),
    RerankingPhrase("check", "track", previous: "off"),
    RerankingPhrase("trek for", "track for", context: "you're off", unlessAfter: ["star"]),
    RerankingPhrase("beaten truck", "beaten track", context: "off the"),
    RerankingPhrase("with baited", "with bated", context: "breath"),
  ]

  /// Where the reported phrase begins, if the words around it show that the other one is meant.
  func starts(in tokens: [String], after last: String?) -> [Int] {
    if let previous { return last == previous && tokens.starts(with: reported) ? [0] : [] }
    let starts = Self.starts(of: reported, in: tokens).filter { start in
      start == 0 || !unlessAfter.contains(tokens[start - 1])
    }
    guard let first = starts.first, !context.isEmpty else { return starts }
    let hasContext = Self.starts(of: context, in: tokens).contains { start in
      start + context.count <= first || start >= first + reported.count
    }
    return hasContext ? starts : []
  }

  private static func starts(of phrase: [String], in tokens: [String]) -> [Int] {
    guard phrase.count <= tokens.count else { return [] }
    return (0...tokens.count - phrase.count).filter { tokens[$0...].starts(with: phrase) }
  }
}
