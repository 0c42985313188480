import Foundation
import Longhand

/// The words that were added on the page, and the vocabularies that were made there. The words count for everything that is
/// recorded or brought in from then on; a vocabulary counts for what it is chosen for.
extension API {
  static let vocabularyRoutes = [
    Route("GET", "/api/vocabulary") { api, _, _ in
      .json(try document(api.library.vocabularies.words.vocabulary()))
    },
    Route("POST", "/api/vocabulary") { api, request, _ in
      let word = try request.json(Word.self)
      return .json(
        try document(
          api.words(word.vocabulary, for: word.session).add(word.text, recognized: word.recognized)))
    },
    Route("DELETE", "/api/vocabulary") { api, request, _ in
      let words = try api.words(request.value("vocabulary"), for: nil)
      return .json(try document(words.remove([request.value("text") ?? ""])))
    },
    Route("GET", "/api/sessions/*/corrected") { api, request, parameters in
      try api.corrected(in: parameters[0], for: request.value("vocabulary"))
    },
    Route("GET", "/api/vocabularies") { api, _, _ in
      .json(
        .object([
          (
            "vocabularies",
            .array(([VocabularyFolder.common] + api.library.vocabularies.names).map(JSONValue.string))
          )
        ])
      )
    },
    Route("GET", "/api/vocabularies/*") { api, _, parameters in
      let words = try api.vocabulary(parameters[0])
      guard words.exists || parameters[0] == VocabularyFolder.common else {
        throw noVocabulary(parameters[0])
      }
      return .json(table(try read { try words.vocabulary() }))
    },
    Route("PUT", "/api/vocabularies/*", body: .part) { api, request, parameters in
      let words = try api.vocabulary(parameters[0])
      let wanted = try request.json(Table.self)
      try refuseMistakes(try checked(wanted.rows, words), parameter: "rows")
      let changed = try read { try words.replace(wanted.rows, before: wanted.before) }
      guard let changed else {
        throw HTTPError(
          .conflict, "The vocabulary was changed meanwhile. Read it, and repeat the change.",
          parameter: "before", code: "changed")
      }
      return .json(table(changed))
    },
    Route("POST", "/api/vocabulary/rows", body: .part) { _, request, _ in
      let rows = VocabularyRow.pasted(try request.json(Pasted.self).text)
      guard rows.count <= LibraryWords.maxCount else {
        throw HTTPError(
          .badRequest,
          "The text has \(rows.count) terms. A vocabulary of the library has at most \(LibraryWords.maxCount).",
          parameter: "text")
      }
      return .json(.object([("rows", table(of: rows))]))
    },
    Route("GET", "/api/vocabularies/*/file") { api, request, parameters in
      try api.file(of: parameters[0], format: request.value("format") ?? "json5")
    },
    Route("PUT", "/api/vocabularies/*/file", body: .part) { api, request, parameters in
      guard case .bytes(let content) = request.body else {
        throw HTTPError(.badRequest, "The body must be the content of a vocabulary file.")
      }
      let words = try api.vocabulary(parameters[0])
      guard !words.exists, parameters[0] != VocabularyFolder.common else {
        throw HTTPError(
          .conflict, "The library has a vocabulary '\(parameters[0])' already. Use another name.",
          code: "exists")
      }
      let vocabulary = try read(.badRequest) { try Vocabulary(content, file: request.value("name") ?? "") }
      try refuseMistakes(vocabulary, parameter: nil)
      return .json(table(try words.create(vocabulary)), status: 201)
    },
    Route("POST", "/api/vocabularies/*/check", body: .part) { api, request, parameters in
      .json(
        table(
          try checked(try request.json(Table.self).rows, try api.vocabulary(parameters[0]))))
    },
    Route("POST", "/api/vocabularies/*/trial") { api, _, parameters in
      let words = try api.vocabulary(parameters[0])
      guard words.exists || parameters[0] == VocabularyFolder.common else {
        throw noVocabulary(parameters[0])
      }
      let vocabulary = try read { try words.vocabulary() }
      return .json(try api.trials.begin(vocabulary, named: words.name).document, status: 202)
    },
    Route("GET", "/api/vocabularies/*/trial") { api, _, parameters in
      .json(api.trials.trial(of: try api.vocabulary(parameters[0]).name).document)
    },
    Route("POST", "/api/vocabularies/*/trial/stop") { api, _, parameters in
      .json(try api.trials.stop(try api.vocabulary(parameters[0]).name).document)
    },
    Route("DELETE", "/api/vocabularies/*") { api, _, parameters in
      let words = try api.vocabulary(parameters[0])
      guard words.exists else { throw noVocabulary(parameters[0]) }
      try words.erase()
      api.trials.forget(words.name)
      return .done
    },
  ]

  private struct Word: Decodable {
    var text: String
    var recognized: String?
    /// The session in which it was corrected: the word goes into its vocabulary, if that is one of the library.
    var session: String?
    /// The vocabulary to add it to; it overrides that of the session.
    var vocabulary: String?
  }

  private struct Pasted: Decodable {
    var text: String
  }

  private struct Table: Decodable {
    var rows: [VocabularyRow]
    /// The rows as the client has read them; terms that others added since then would be lost.
    var before: [VocabularyRow]?
  }

  /// The vocabulary with a name, else that of a session, else the words for every recording.
  private func words(_ name: String?, for session: String?) throws -> LibraryWords {
    if let name {
      let words = try vocabulary(name)
      guard words.exists || name == VocabularyFolder.common else { throw Self.noVocabulary(name) }
      return words
    }
    guard let session, let name = try self.session(session).vocabulary?.name,
      library.vocabularies.names.contains(name)
    else { return library.vocabularies.words }
    return try vocabulary(name)
  }

  private func vocabulary(_ name: String) throws -> LibraryWords {
    try library.vocabularies.words(named: name)
  }

  /// The words that were corrected in a session and are not in a vocabulary yet. Those that were corrected in several
  /// sessions come first.
  private func corrected(in session: String, for name: String?) throws -> HTTPResponse {
    let session = try self.session(session)
    let words = try words(name, for: session.id)
    let vocabulary = try Self.read { try words.vocabulary() }
    let terms = LearnedTerm.all(
      try library.store.correctedWords(of: session.id), everywhere: try library.store.correctedWords(),
      locale: session.locale, without: vocabulary)
    return .json(
      .object([("vocabulary", .string(words.name)), ("words", .array(terms.map(\.json)))]))
  }

  /// A vocabulary as a file that a browser saves.
  private func file(of name: String, format: String) throws -> HTTPResponse {
    let words = try vocabulary(name)
    let vocabulary = try Self.read { try words.vocabulary() }
    let (content, type): (Data, String) = try Self.read {
      switch format {
      case "json5": (try LibraryWords.contents(of: vocabulary), "application/json5")
      // Without the mark at the beginning, Excel does not read UTF-8.
      case "csv": (Data("\u{FEFF}\(try vocabulary.table())".utf8), "text/csv; charset=utf-8")
      case "txt": (Data(try vocabulary.lines().utf8), "text/plain; charset=utf-8")
      default:
        throw HTTPError(
          .badRequest, "'format' must be 'txt', 'csv' or 'json5', not '\(format)'.", parameter: "format")
      }
    }
    var response = HTTPResponse.bytes(content, type: type)
    let file = FileName(RecordingTitle(name: name, source: name), extension: format)
    response.headers.append(HTTPHeader("Content-Disposition", file.disposition))
    return response
  }

  private static func noVocabulary(_ name: String) -> HTTPError {
    HTTPError(
      .notFound, "The library has no vocabulary '\(name)'. GET /api/vocabularies lists them.",
      code: "no_vocabulary")
  }

  private static func read<Content>(
    _ status: HTTPError.Status = .conflict, _ body: () throws -> Content
  ) throws -> Content {
    do { return try body() } catch let error as VocabularyError {
      throw HTTPError(status, "\(error)", code: "unreadable_vocabulary")
    }
  }

  private static func refuseMistakes(_ vocabulary: Vocabulary, parameter: String?) throws {
    let findings = VocabularyCheck(vocabulary).findings
    guard let mistake = findings.first(where: { $0.severity == .mistake }) else { return }
    throw HTTPError(.badRequest, "\(mistake.problem): \(mistake.remedy).", parameter: parameter)
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

  private static func table(of rows: [VocabularyRow]) -> JSONValue {
    func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    return .array(
      rows.map { row in
        .object([
          ("term", .string(row.term)), ("soundsLike", strings(row.soundsLike)),
          ("replaces", strings(row.replaces)),
        ])
      })
  }

  /// The rows, and what is found in each. `others` counts what the table does not show.
  private static func table(_ vocabulary: Vocabulary) -> JSONValue {
    let terms = vocabulary.terms.map(\.text)
    let others = vocabulary.countsBesideRows
    return .object([
      ("name", .string(vocabulary.name)), ("rows", table(of: vocabulary.rows)),
      ("others", .object(others.map { ($0.name, .integer($0.count)) })),
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
