import Foundation
import Speech

/// Looks for mistakes in a vocabulary, and for words that will be taken for each other, before they harm.
///
/// ```swift
/// for finding in VocabularyCheck(vocabulary).findings { print(finding.location, finding.problem) }
/// ```
public struct VocabularyCheck: Sendable {
  /// A mistake in a vocabulary, or an entry that has no effect or may make transcripts worse.
  public struct Finding: Sendable, Hashable, Codable {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, Codable {
      /// It keeps the vocabulary from being compiled.
      case mistake
      /// It may make transcripts worse, or does nothing.
      case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// Where in the file, such as `terms[2].pronunciations[0]`.
    public var location: String
    /// What is wrong, in words.
    public var problem: String
    /// What to do about it.
    public var remedy: String

    /// Each field by its name.
    public init(severity: Severity, location: String, problem: String, remedy: String) {
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

  /// The most that a pattern may stand for without a warning.
  public static let maxExpansions = 1_000_000

  /// What was found: in pronunciations, then what no layer will use, in templates, and words that sound alike.
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
    for (index, term) in vocabulary.terms.enumerated() where !term.pronunciations.isEmpty {
      if SpokenText(term.text).count != 1 {
        findings.append(
          .mistake(
            "terms[\(index)].pronunciations",
            "\"\(term.text)\" is not one word, and only words have pronunciations",
            "give each of its words a term of its own"))
      }
      for (number, pronunciation) in term.pronunciations.enumerated() {
        let symbols = pronunciation.split(whereSeparator: \.isWhitespace).map(String.init)
        let place = "terms[\(index)].pronunciations[\(number)]"
        if symbols.isEmpty {
          findings.append(
            .mistake(place, "it is empty", "leave it out, and the spelling says how it sounds"))
        }
        // A stress mark stands before a symbol.
        let unknown = symbols.enumerated().first {
          !known.contains($1) && !known.contains(String($1.drop { "\"%".contains($0) }))
        }
        if let unknown {
          findings.append(
            .mistake(
              place, "phoneme \(unknown.offset + 1), \"\(unknown.element)\", is none of the recognizer's",
              "one of: \(known.sorted().joined(separator: " "))"))
        }
      }
    }
    return findings
  }

  /// What no layer will use.
  private static func uses(_ vocabulary: Vocabulary) -> [Finding] {
    var findings: [Finding] = []
    func warn(_ place: String, _ problem: String, _ remedy: String) {
      findings.append(.warning(place, problem, remedy))
    }
    var seen: [String: String] = [:]
    for (index, term) in vocabulary.terms.enumerated() {
      let place = "terms[\(index)].text"
      let words = TextNormalizer().words(in: term.text)
      if SpokenText(term.text).count == 0 {
        warn(place, "\"\(term.text)\" has no word that can be said", "leave it out")
      } else if let earlier = seen.updateValue(place, forKey: words.joined(separator: " ")) {
        warn(place, "\"\(term.text)\" stands there twice (\(earlier))", "leave one of them out")
      }
    }
    for (index, phrase) in vocabulary.phrases.enumerated() where SpokenText(phrase.text).count == 0 {
      warn("phrases[\(index)].text", "\"\(phrase.text)\" has no word that can be said", "leave it out")
    }
    seen = [:]
    for (index, correction) in vocabulary.corrections.enumerated() {
      let place = "corrections[\(index)]"
      let heard = TextNormalizer().words(in: correction.heard)
      if heard.isEmpty {
        warn("\(place).heard", "it has no word", "leave the correction out")
      } else if let earlier = seen.updateValue(place, forKey: heard.joined(separator: " ")) {
        warn(
          "\(place).heard", "\"\(correction.heard)\" is corrected twice (\(earlier))",
          "leave one of them out")
      } else if correction.heard == correction.text {
        warn(place, "it changes nothing", "leave it out")
      } else if heard.allSatisfy(CommonWords.all.contains), heard.count < 3 {
        warn(
          "\(place).heard", "\"\(correction.heard)\" is something that people say often",
          "make it longer by the words around it")
      }
    }
    for (index, entity) in vocabulary.entities.enumerated() {
      let words = TextNormalizer().words(in: entity)
      let place = "entities[\(index)]"
      if words.isEmpty {
        warn(place, "\"\(entity)\" has no word that can be said", "leave it out")
      } else if words.allSatisfy(CommonWords.all.contains) {
        warn(
          place, "\"\(entity)\" is made of common words, which will be taken for it",
          "add a word that tells it apart, or leave it out")
      }
    }
    return findings
  }

  private static func templates(_ vocabulary: Vocabulary) -> [Finding] {
    var findings: [Finding] = []
    var used: Set<String> = []
    for (index, template) in vocabulary.templates.enumerated() {
      let place = "templates[\(index)].text"
      let names = classNames(in: template.text).count
      if ["<", ">"].contains(where: { half in template.text.count { $0 == half } != names }) {
        findings.append(
          .mistake(
            place, "a '<' or '>' is without its other half", "write a class as <name>, and no '<' else"))
      }
      for name in classNames(in: template.text) {
        used.insert(name)
        if vocabulary.classes[name]?.isEmpty != false {
          findings.append(
            .mistake(place, "there is no class \"\(name)\", or nothing in it", "add it to classes"))
        }
      }
      let expansions = expansions(of: template.text, in: vocabulary)
      if expansions > maxExpansions {
        let count = expansions == .max ? "more than can be counted" : "\(expansions)"
        findings.append(
          .warning(
            place, "it stands for \(count) phrases, which takes long",
            "part it into patterns of at most \(maxExpansions)"))
      }
    }
    for (name, values) in vocabulary.classes.sorted(by: { $0.key < $1.key }) {
      if !used.contains(name) {
        findings.append(
          .warning("classes.\(name)", "no template uses it", "write <\(name)> in one, or leave it out"))
      }
      for (index, value) in values.enumerated() where SpokenText(value).count == 0 {
        findings.append(
          .warning(
            "classes.\(name)[\(index)]", "\"\(value)\" has no word that can be said", "leave it out"))
      }
    }
    return findings
  }

  /// Whether a pattern stands for more than is compiled in a moment.
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

  /// The names within `<` and `>`.
  private static func classNames(in text: String) -> [String] {
    text.split(separator: "<", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstIndex(of: ">").map { String(part[..<$0]) }
    }
  }

  /// Words that sound like a common word, or like each other.
  private static func collisions(_ vocabulary: Vocabulary) -> [Finding] {
    var findings: [Finding] = []
    var seen: [[UInt8]: (place: String, text: String)] = [:]
    for (index, term) in vocabulary.terms.enumerated() {
      let spoken = SpokenText(term.text)
      let sounds = spoken.sounds
      let letters = String(decoding: spoken.letters, as: UTF8.self)
      let place = "terms[\(index)].text"
      guard spoken.count > 0, !sounds.isEmpty else { continue }
      // Of several the one that is written most like it.
      func nearness(_ word: String) -> Double {
        var distance = LetterDistance()
        return distance.likeness(Array(word.utf8)[...], spoken.letters[...])
      }
      let alike = spoken.count == 1 ? CommonWords.bySound[sounds] ?? [] : []
      if CommonWords.all.contains(letters), spoken.count == 1 {
        findings.append(
          .warning(
            place, "\"\(term.text)\" is a common word, which will be heard more often than it is said",
            "give phrases that it stands in instead"))
      } else if let word = alike.max(by: { nearness($0) < nearness($1) }) {
        findings.append(
          .warning(
            place, "\"\(term.text)\" sounds much like \"\(word)\"",
            "give phrases that it stands in, so that the words around it tell which was said"))
      }
      if let (other, text) = seen[sounds],
        TextNormalizer().words(in: text) != TextNormalizer().words(in: term.text)
      {
        findings.append(
          .warning(
            place, "\"\(term.text)\" sounds much like \"\(text)\" (\(other))",
            "give phrases that they stand in, so that the words around them tell which was said"))
      } else {
        seen[sounds] = (place, term.text)
      }
    }
    return findings
  }
}
