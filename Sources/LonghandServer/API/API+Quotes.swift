import Foundation
import Longhand

/// Whether quotes were said.
extension API {
  static let quoteRoutes = [
    Route("POST", "/api/quotes", body: .part) { api, request, _ in
      try api.check(try request.json(Quotes.self))
    }
  ]

  private struct Quotes: Decodable {
    var quotes: OneOrMore
    /// The ID of the only session.
    var session: String?
  }

  /// A list, or what is in a list of one.
  private struct OneOrMore: Decodable {
    var items: [Quote?]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      items = try (try? [container.decode(Quote.self)]) ?? container.decode([Quote?].self)
    }
  }

  /// A text, or a number: programs write "8" as either.
  private struct Quote: Decodable {
    var text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        text = String(number)
      } else {
        text = try (try? String(container.decode(Double.self))) ?? container.decode(String.self)
      }
    }
  }

  private func check(_ request: Quotes) throws -> HTTPResponse {
    let session = try request.session.flatMap(ClientValue.init).map { try self.session($0.text).id }
    do {
      let answers = try library.check(
        request.quotes.items.map { $0?.text ?? "" }, in: SessionFilter(session: session))
      return .json(.object(answers.members))
    } catch let error as QuoteError {
      throw HTTPError(.badRequest, error.description, parameter: "quotes")
    }
  }
}
