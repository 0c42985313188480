import Foundation
import Longhand

/// Words that a person corrected, which may be a term of a vocabulary.
struct LearnedTerm {
  /// As the person wrote them.
  let text: String
  /// What was recognized instead, each once.
  private(set) var recognized: [String] = []
  /// How often it was corrected in the session.
  private(set) var count = 0
  /// In how many sessions it was corrected.
  let sessionCount: Int

  var json: JSONValue {
    .object([
      ("text", .string(text)), ("recognized", .array(recognized.map(JSONValue.string))),
      ("count", .integer(count)),
      ("sessions", .integer(sessionCount)),
    ])
  }

  /// The terms of a session, those of several sessions first, then the most frequent.
  /// - Parameters:
  ///   - corrections: what was corrected in the session.
  ///   - everywhere: the same in all sessions.
  ///   - locale: the language of the session: in English, the most common words are no terms.
  ///   - vocabulary: what has the terms already that are left out.
  static func all(
    _ corrections: [CorrectedWords], everywhere: [CorrectedWords], locale: String,
    without vocabulary: Vocabulary
  ) -> [LearnedTerm] {
    let known = Set(vocabulary.terms.map { $0.text.lowercased() })
    let isEnglish = Locale(identifier: locale).isEnglish
    let sessions = Dictionary(grouping: everywhere) { $0.text.lowercased() }.mapValues {
      Set($0.map(\.session))
    }
    var terms: [String: LearnedTerm] = [:]
    var order: [String] = []
    for correction in corrections {
      let key = correction.text.lowercased()
      let words = TextNormalizer().words(in: correction.text)
      guard !known.contains(key), !(isEnglish && words.allSatisfy(CommonWords.all.contains)) else { continue }
      if terms[key] == nil { order.append(key) }
      var term =
        terms[key]
        ?? LearnedTerm(
          text: correction.text, sessionCount: (sessions[key] ?? []).union([correction.session]).count)
      term.count += 1
      if !correction.recognized.isEmpty, !term.recognized.contains(correction.recognized) {
        term.recognized.append(correction.recognized)
      }
      terms[key] = term
    }
    return order.compactMap { terms[$0] }.enumerated()
      .sorted { one, other in
        (one.element.sessionCount, one.element.count, other.offset)
          > (other.element.sessionCount, other.element.count, one.offset)
      }.map(\.element)
  }
}
