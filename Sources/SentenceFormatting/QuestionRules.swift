/// Recognizes English questions by their first words.
enum QuestionRules {
  /// Words before the beginning of a question proper.
  private static let openers = EnglishWords.words("and but so or well then now oh okay yes no please sorry")
  private static let interrogatives = EnglishWords.words("what who whom whose where when why how which")
  private static let auxiliaries = EnglishWords.words(
    """
    is are was were am do does did can could will would shall should have has had may might must isn't aren't wasn't
    weren't don't doesn't didn't can't couldn't won't wouldn't shan't shouldn't haven't hasn't hadn't mustn't
    """)
  private static let contracted = EnglishWords.words(
    "what's who's where's when's why's how's what're who're where're what'd who'd where'd how'd what'll who'll"
  )
  private static let subjects = EnglishWords.words(
    """
    i you he she it we they there this that these those anyone anybody someone somebody everyone everybody anything
    something everything nobody
    """)
  private static let persons = EnglishWords.words("i you he she we they anyone anybody everyone everybody")
  private static let determiners = EnglishWords.words(
    "the a an my your his her its our their any some all both each every")
  /// What is measured: "how long does it take".
  private static let degrees = EnglishWords.words(
    "many much long far old often big tall fast soon well good bad late early high deep large small")

  /// Whether a sentence in lower case is a question.
  static func isQuestion(_ sentence: [String]) -> Bool {
    var words = sentence[...]
    while words.count > 2, let first = words.first, openers.contains(first) { words.removeFirst() }
    guard words.count >= 2, let first = words.first, let second = words.dropFirst().first else {
      return words.count == 1 && words.first.map { ["what", "why", "who", "where"].contains($0) } == true
    }
    if contracted.contains(first) { return true }
    if interrogatives.contains(first) {
      // "Which was not what he wanted" goes on with the sentence before.
      if auxiliaries.contains(second) { return first != "which" }
      if first == "why" || first == "who" && words.count <= 8
        || first == "how" && ["about", "come"].contains(second)
      {
        return true
      }
      // "What time is it", "how many people were there": the verb before its subject.
      guard first != "when", first != "where" else { return false }
      let isMeasure = first == "how" && degrees.contains(second)
      let rest = words.dropFirst(2).prefix(4)
      return (isMeasure || first != "how") && isInverted(rest)
    }
    guard auxiliaries.contains(first) else { return false }
    return switch first {
    // Not "do it again", "have a seat", "should you need help", "may the wind be with you".
    case "do", "have", "had": persons.contains(second)
    case "should": second != "you" && subjects.contains(second)
    case "may", "must": second == "i" || second == "we"
    default: subjects.contains(second) || determiners.contains(second)
    }
  }

  private static func isInverted(_ words: ArraySlice<String>) -> Bool {
    zip(words, words.dropFirst()).contains { verb, subject in
      auxiliaries.contains(verb) && (subjects.contains(subject) || determiners.contains(subject))
    }
  }
}
