/// A phrase that is misheard for another, and the words that tell which was said.
struct ContextualPhrase: Sendable, Hashable {
  /// Words that stand next to each other somewhere else in the same segment.
  let context: [String]
  /// What is heard.
  let heard: [String]
  /// What is meant.
  let meant: [String]
  /// Words that make what is heard right where one of them stands before it.
  var unlessAfter: [String] = []

  /// The phrases that are declared, in lower case. Each is narrow on purpose.
  static let declared = [
    ContextualPhrase(
      context: ["you're", "off"], heard: ["trek", "for"], meant: ["track", "for"], unlessAfter: ["star"]),
    ContextualPhrase(context: ["off", "the"], heard: ["beaten", "truck"], meant: ["beaten", "track"]),
    ContextualPhrase(context: ["breath"], heard: ["with", "baited"], meant: ["with", "bated"]),
  ]
}
