import Foundation
import LonghandTranscripts
import Speech

/// Finds mistakes in a vocabulary, and words that a recognizer will confuse, before they make transcripts worse.
///
/// ```swift
/// let vocabulary = try Vocabulary(contentsOf: URL(fileURLWithPath: "chess.json5"))
/// for finding in VocabularyCheck(vocabulary).findings { print(finding.location, finding.problem, finding.remedy) }
/// ```
public struct VocabularyCheck: Sendable {
  /// A mistake in a vocabulary, or an entry that has no effect or may make transcripts worse.
  public struct Finding: Sendable, Hashable, Codable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, Codable {
      /// The vocabulary cannot be compiled.
      case mistake
      /// The entry may make transcripts worse, or has no effect.
      case warning
    }

    /// The severity.
    public var severity: Severity
    /// The location in the file, such as `terms[2].pronunciations[0]`.
    public var location: String
    /// What is wrong, in words.
    public var problem: String
    /// What to do about it.
    public var remedy: String

    package init(severity: Severity, location: String, problem: String, remedy: String) {
      self.severity = severity
      self.location = location
      self.problem = problem
      self.remedy = remedy
    }

    static func mistake(_ location: String, _ problem: String, _ remedy: String) -> Self {
      Self(severity: .mistake, location: location, problem: problem, remedy: remedy)
    }

    static func warning(_ location: String, _ problem: String, _ remedy: String) -> Self {
      Self(severity: .warning, location: location, problem: problem, remedy: remedy)
    }

    private enum CodingKeys: String, CodingKey {
      case severity
      case location = "place"
      case problem, remedy
    }
  }

  /// A template with more phrases than this gives a warning.
  public static let maxExpansions = 1_000_000

  /// The findings: in pronunciations, then entries without effect, in templates, and words that sound alike.
  public let findings: [Finding]

  /// Checks a vocabulary.
  public init(_ vocabulary: Vocabulary) {
    findings =
      Self.pronunciations(vocabulary) + Self.uses(vocabulary) + Self.templates(vocabulary)
      + Self.collisions(vocabulary)
  }

  private static func pronunciations(_ vocabulary: Vocabulary) -> [Finding] {
    let known = Set(
      SFCustomLanguageModelData.supportedPhonemes(locale: Locale(identifier: vocabulary.locale)))
    var findings: [Finding] = []
    if let refused = refusedPronunciation(of: vocabulary) { return [refused] }
    for (index, term) in vocabulary.terms.enumerated() where !term.pronunciations.isEmpty {
      if !SpokenText(term.text).isOneRun {
        findings.append(
          .mistake(
            "terms[\(index)].pronunciations",
            "\"\(term.text)\" is not one word, and only words have pronunciations",
            "make each of its words a term of its own"))
      }
      for (number, pronunciation) in term.pronunciations.enumerated() {
        let location = "terms[\(index)].pronunciations[\(number)]"
        let symbols = pronunciation.split(whereSeparator: \.isWhitespace).map(String.init)
        if symbols.isEmpty {
          findings.append(
            .mistake(location, "it is empty", "remove it; the spelling then decides the pronunciation"))
        }
        // A symbol may have a stress mark before it.
        let unknown = symbols.enumerated().first {
          !known.contains($1) && !known.contains(String($1.drop { "\"%".contains($0) }))
        }
        if let unknown {
          findings.append(
            .mistake(
              location, "phoneme \(unknown.offset + 1), \"\(unknown.element)\", is unknown to the recognizer",
              "use one of: \(known.sorted().joined(separator: " "))"))
        }
      }
    }
    return findings
  }

  /// The first pronunciation of a vocabulary in whose language none are used; nil if they are used, or if it has none.
  static func refusedPronunciation(of vocabulary: Vocabulary) -> Finding? {
    guard let index = vocabulary.terms.firstIndex(where: { !$0.pronunciations.isEmpty }) else { return nil }
    let locale = Locale(identifier: vocabulary.locale)
    #if os(Linux)
      guard !SpeechModel.hasDictionary(for: locale) else { return nil }
    #else
      guard SFCustomLanguageModelData.supportedPhonemes(locale: locale).isEmpty else { return nil }
    #endif
    return .mistake(
      "terms[\(index)].pronunciations",
      "there is no pronunciation dictionary for \(vocabulary.locale), which \"\(vocabulary.terms[index].text)\" could be added to",
      "remove all pronunciations; the recognizer expects the words by their spelling")
  }

  /// Entries that have no effect.
  private static func uses(_ vocabulary: Vocabulary) -> [Finding] {
    let common = commonWords(for: vocabulary)
    var findings: [Finding] = []
    func warn(_ location: String, _ problem: String, _ remedy: String) {
      findings.append(.warning(location, problem, remedy))
    }
    var seen: [String: String] = [:]
    for (index, term) in vocabulary.terms.enumerated() {
      let location = "terms[\(index)].text"
      let words = TextNormalizer().words(in: term.text)
      if SpokenText(term.text).count == 0 {
        warn(location, "\"\(term.text)\" has no word that can be spoken", "remove it")
      } else if let earlier = seen.updateValue(location, forKey: words.joined(separator: " ")) {
        warn(location, "\"\(term.text)\" is there twice (\(earlier))", "remove one of them")
      }
    }
    if vocabulary.terms.count > VocabularyUse.maxPhrases {
      warn(
        "terms", "there are \(vocabulary.terms.count), and \(VocabularyUse.rule)",
        "keep those that are recognized wrongly; write the others as entities")
    }
    for (index, phrase) in vocabulary.phrases.enumerated() where SpokenText(phrase.text).count == 0 {
      warn("phrases[\(index)].text", "\"\(phrase.text)\" has no word that can be spoken", "remove it")
    }
    seen = [:]
    for (index, correction) in vocabulary.corrections.enumerated() {
      let location = "corrections[\(index)]"
      let recognized = TextNormalizer().words(in: correction.recognized)
      if recognized.isEmpty {
        warn("\(location).heard", "it has no word", "remove the correction")
      } else if let earlier = seen.updateValue(location, forKey: recognized.joined(separator: " ")) {
        warn(
          "\(location).heard", "\"\(correction.recognized)\" is corrected twice (\(earlier))",
          "remove one of them")
      } else if correction.recognized == correction.text {
        warn(location, "it changes nothing", "remove it")
      } else if recognized.allSatisfy(common.contains), recognized.count < 3 {
        warn(
          "\(location).heard",
          "\"\(correction.recognized)\" is a common phrase, which would always be replaced",
          "add the words around it")
      }
    }
    for (index, entity) in vocabulary.entities.enumerated() {
      let words = TextNormalizer().words(in: entity)
      let location = "entities[\(index)]"
      if words.isEmpty {
        warn(location, "\"\(entity)\" has no word that can be spoken", "remove it")
      } else if words.allSatisfy(common.contains) {
        warn(
          location, "\"\(entity)\" is made of common words, which would match it",
          "add a distinctive word, or remove it")
      }
    }
    return findings
  }

  private static func templates(_ vocabulary: Vocabulary) -> [Finding] {
    var findings: [Finding] = []
    var used: Set<String> = []
    for (index, template) in vocabulary.templates.enumerated() {
      let location = "templates[\(index)].text"
      let names = classNames(in: template.text).count
      if ["<", ">"].contains(where: { half in template.text.count { $0 == half } != names }) {
        findings.append(
          .mistake(
            location, "a '<' or '>' has no counterpart", "use '<' and '>' only around the name of a class"))
      }
      for name in classNames(in: template.text) {
        used.insert(name)
        if vocabulary.classes[name]?.isEmpty != false {
          findings.append(
            .mistake(location, "the class \"\(name)\" does not exist or is empty", "add it to classes"))
        }
      }
      let expansions = expansions(of: template.text, in: vocabulary)
      if expansions > maxExpansions {
        let count = expansions == .max ? "more than can be counted" : "\(expansions)"
        findings.append(
          .warning(
            location, "it expands to \(count) phrases, which takes long to compile",
            "split it into templates of at most \(maxExpansions) phrases"))
      }
    }
    for (name, values) in vocabulary.classes.sorted(by: { $0.key < $1.key }) {
      if !used.contains(name) {
        findings.append(
          .warning("classes.\(name)", "no template uses it", "write <\(name)> in one, or remove the class"))
      }
      for (index, value) in values.enumerated() where SpokenText(value).count == 0 {
        findings.append(
          .warning(
            "classes.\(name)[\(index)]", "\"\(value)\" has no word that can be spoken", "remove it"))
      }
    }
    return findings
  }

  /// Whether a template expands to more phrases than can be compiled quickly.
  public static func isTooLarge(_ vocabulary: Vocabulary) -> Bool {
    vocabulary.templates.contains { expansions(of: $0.text, in: vocabulary) > maxExpansions }
  }

  private static func expansions(of text: String, in vocabulary: Vocabulary) -> Int {
    classNames(in: text).reduce(1) { expansions, name in
      let (product, isTooMuch) = expansions.multipliedReportingOverflow(
        by: max(1, vocabulary.classes[name]?.count ?? 1))
      return isTooMuch ? .max : product
    }
  }

  /// The names between `<` and `>`.
  private static func classNames(in text: String) -> [String] {
    text.split(separator: "<", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: ">").map { String(part[..<$0]) }
    }
  }

  /// Words that make no difference in the vocabulary's language; none if they are not known.
  private static func commonWords(for vocabulary: Vocabulary) -> Set<String> {
    Locale(identifier: vocabulary.locale).isEnglish ? CommonWords.all : []
  }

  /// Words that sound like a common word, or like each other. Spellings say only in English how a word sounds.
  private static func collisions(_ vocabulary: Vocabulary) -> [Finding] {
    guard Locale(identifier: vocabulary.locale).isEnglish else { return [] }
    var findings: [Finding] = []
    var seen: [[UInt8]: (location: String, text: String)] = [:]
    for (index, term) in vocabulary.terms.enumerated() {
      let spoken = SpokenText(term.text)
      let sounds = spoken.sounds
      let letters = String(decoding: spoken.letters, as: UTF8.self)
      let location = "terms[\(index)].text"
      guard spoken.count > 0, !sounds.isEmpty else { continue }
      // If several words sound the same, the one with the most similar spelling is named.
      func similarity(_ word: String) -> Double {
        var distance = LetterDistance()
        return distance.similarity(Array(word.utf8)[...], spoken.letters[...])
      }
      let alike = spoken.count == 1 ? CommonWords.bySound[sounds] ?? [] : []
      if CommonWords.all.contains(letters), spoken.count == 1 {
        findings.append(
          .warning(
            location, "\"\(term.text)\" is a common word, which would be recognized too often",
            "add phrases with it instead"))
      } else if let word = alike.max(by: { similarity($0) < similarity($1) }) {
        findings.append(
          .warning(
            location, "\"\(term.text)\" sounds much like \"\(word)\"",
            "add phrases with it, so that the words around it decide"))
      }
      if let (other, text) = seen[sounds],
        TextNormalizer().words(in: text) != TextNormalizer().words(in: term.text)
      {
        findings.append(
          .warning(
            location, "\"\(term.text)\" sounds much like \"\(text)\" (\(other))",
            "add phrases with both, so that the words around them decide"))
      } else {
        seen[sounds] = (location, term.text)
      }
    }
    return findings
  }
}
