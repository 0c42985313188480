import Foundation
import Longhand

/// The words that were added on the page. What is recorded or brought in from then on is recognized with them.
extension API {
  static let vocabularyRoutes = [
    Route("GET", "/api/vocabulary") { api, _, _ in .json(try document(api.library.words.vocabulary())) },
    Route("POST", "/api/vocabulary") { api, request, _ in
      let word = try request.json(Word.self)
      return .json(try document(api.library.words.add(word.text, recognized: word.recognized)))
    },
    Route("DELETE", "/api/vocabulary") { api, request, _ in
      .json(try document(api.library.words.remove(request.value("text") ?? "")))
    },
  ]

  private struct Word: Decodable {
    var text: String
    var recognized: String?
  }

  private static func document(_ vocabulary: Vocabulary) throws -> JSONValue {
    .object([("terms", .array(vocabulary.terms.map { .string($0.text) }))])
  }
}
