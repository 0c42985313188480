import Foundation
import Longhand

/// The words that were added on the page, and the vocabularies that were made there. The words count for everything that is
/// recorded or brought in from then on; a vocabulary counts for what it is chosen for.
extension API {
  static let vocabularyRoutes = [
    Route("GET", "/api/vocabulary") { api, _, _ in .json(try document(api.library.words.vocabulary())) },
    Route("POST", "/api/vocabulary") { api, request, _ in
      let word = try request.json(Word.self)
      return .json(
        try document(api.words(for: word.session).add(word.text, recognized: word.recognized)))
    },
    Route("DELETE", "/api/vocabulary") { api, request, _ in
      .json(try document(api.library.words.remove(request.value("text") ?? "")))
    },
    Route("GET", "/api/vocabularies") { api, _, _ in
      .json(
        .object([("vocabularies", .array((["library"] + api.library.vocabularyNames).map(JSONValue.string)))])
      )
    },
    Route("GET", "/api/vocabularies/*") { api, _, parameters in
      let words = try api.vocabulary(parameters[0])
      guard words.exists || parameters[0] == "library" else { throw noVocabulary(parameters[0]) }
      return .json(table(try read { try words.vocabulary() }))
    },
    Route("PUT", "/api/vocabularies/*", body: .part) { api, request, parameters in
      let words = try api.vocabulary(parameters[0])
      let rows = try request.json(Table.self).rows
      let findings = VocabularyCheck(try checked(rows, words)).findings
      if let mistake = findings.first(where: { $0.severity == .mistake }) {
        throw HTTPError(.badRequest, "\(mistake.problem): \(mistake.remedy).", parameter: "rows")
      }
      return .json(table(try read { try words.replace(rows) }))
    },
    Route("POST", "/api/vocabularies/*/check", body: .part) { api, request, parameters in
      .json(
        table(
          try checked(try request.json(Table.self).rows, try api.vocabulary(parameters[0]))))
    },
    Route("DELETE", "/api/vocabularies/*") { api, _, parameters in
      let words = try api.vocabulary(parameters[0])
      guard words.exists else { throw noVocabulary(parameters[0]) }
      try words.erase()
      return .done
    },
  ]

  private struct Word: Decodable {
    var text: String
    var recognized: String?
    /// The session in which it was corrected: the word goes into its vocabulary, if that is one of the library.
    var session: String?
  }

  private struct Table: Decodable {
    var rows: [VocabularyRow]
  }

  private func words(for session: String?) throws -> LibraryWords {
    guard let session, let name = try self.session(session).vocabulary?.name,
      library.vocabularyNames.contains(name)
    else { return library.words }
    return try library.vocabulary(named: name)
  }

  private func vocabulary(_ name: String) throws -> LibraryWords {
    try name == "library" ? library.words : library.vocabulary(named: name)
  }

  private static func noVocabulary(_ name: String) -> HTTPError {
    HTTPError(
      .notFound, "The library has no vocabulary '\(name)'. GET /api/vocabularies lists them.",
      code: "no_vocabulary")
  }

  private static func read(_ body: () throws -> Vocabulary) throws -> Vocabulary {
    do { return try body() } catch let error as VocabularyError {
      throw HTTPError(.conflict, "\(error)", code: "unreadable_vocabulary")
    }
  }

  /// The vocabulary with these rows, which is not stored.
  private static func checked(
    _ rows: [VocabularyRow], _ words: LibraryWords
  ) throws -> Vocabulary {
    var vocabulary = try read { try words.vocabulary() }
    if let row = rows.firstIndex(where: { $0.term.trimmingCharacters(in: .whitespaces).isEmpty }) {
      throw HTTPError(.badRequest, "Row \(row + 1) has no term.", parameter: "rows")
    }
    vocabulary.rows = rows
    return vocabulary
  }

  private static func document(_ vocabulary: Vocabulary) throws -> JSONValue {
    .object([("terms", .array(vocabulary.terms.map { .string($0.text) }))])
  }

  /// The rows, and what is found in each.
  private static func table(_ vocabulary: Vocabulary) -> JSONValue {
    func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    let terms = vocabulary.terms.map(\.text)
    return .object([
      ("name", .string(vocabulary.name)),
      (
        "rows",
        .array(
          vocabulary.rows.map { row in
            .object([
              ("term", .string(row.term)), ("soundsLike", strings(row.soundsLike)),
              ("replaces", strings(row.replaces)),
            ])
          })
      ),
      (
        "findings",
        .array(
          VocabularyCheck(vocabulary).findings.map { finding in
            .object([
              ("severity", .string(finding.severity.rawValue)),
              ("row", row(of: finding, in: vocabulary, terms).map { .integer($0) } ?? .null),
              ("problem", .string(finding.problem)), ("remedy", .string(finding.remedy)),
            ])
          })
      ),
    ])
  }

  /// The row that a finding is about; nil if it is about none.
  private static func row(
    of finding: VocabularyCheck.Finding, in vocabulary: Vocabulary, _ terms: [String]
  ) -> Int? {
    guard let match = finding.location.firstMatch(of: #/^(terms|corrections)\[(\d+)\]/#),
      let index = Int(match.2)
    else { return nil }
    if match.1 == "terms" { return index }
    return vocabulary.corrections.indices.contains(index)
      ? terms.firstIndex(of: vocabulary.corrections[index].text) : nil
  }
}
