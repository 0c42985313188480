/// Writes coarse words with all but their first letter hidden.
enum EtiquetteFilter {
  private static let stems = ["fuck", "shit", "cunt", "motherfuck", "bullshit"]
  private static let words: Set<String> = [
    "bitch", "bitches", "bastard", "bastards", "asshole", "assholes", "dick", "dickhead", "piss", "pissed",
    "prick", "whore", "slut", "wanker", "bollocks", "goddamn", "goddamned",
  ]

  static func redacted(_ word: String) -> String {
    let plain = word.lowercased()
    guard words.contains(plain) || stems.contains(where: plain.hasPrefix) else { return word }
    return word.prefix(1) + String(repeating: "*", count: word.count - 1)
  }
}
