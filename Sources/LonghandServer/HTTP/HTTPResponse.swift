import Foundation
import Longhand

/// What a client gets.
struct HTTPResponse: Sendable {
  typealias Header = HTTPHeader

  /// What follows the headers.
  enum Body: Sendable {
    case bytes(Data)
    /// Pieces, so many bytes in all if that is known.
    case content(any HTTPContent, length: UInt64?)
  }

  var status = 200
  var headers: [Header] = []
  var body = Body.bytes(Data())

  /// A document.
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    bytes(Data(value.text.utf8), type: "application/json", status: status)
  }

  /// Bytes of a type of content.
  static func bytes(_ data: Data, type: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [Header("Content-Type", type)], body: .bytes(data))
  }

  /// Events, for as long as there are some.
  static func events(_ content: any HTTPContent) -> HTTPResponse {
    HTTPResponse(
      headers: [Header("Content-Type", "text/event-stream"), Header("X-Accel-Buffering", "no")],
      body: .content(content, length: nil))
  }

  /// Nothing, and all is well.
  static let done = HTTPResponse(status: 204)

  init(status: Int = 200, headers: [Header] = [], body: Body = .bytes(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// What any error means to a client.
  init(_ error: any Error) {
    let error = HTTPError(error)
    self = .json(error.json, status: error.status.rawValue)
    headers += error.headers
  }

  /// With what every answer carries: nothing but what the page itself brings may run in it, be shown in it or be asked
  /// by it, and nobody else may embed or read it.
  var guarded: HTTPResponse {
    var response = self
    response.headers += [
      Header("Content-Security-Policy", Self.contentPolicy), Header("X-Content-Type-Options", "nosniff"),
      Header("Referrer-Policy", "no-referrer"), Header("Cross-Origin-Resource-Policy", "same-origin"),
      Header("Cross-Origin-Opener-Policy", "same-origin"), Header("X-Frame-Options", "DENY"),
    ]
    if !headers.contains(where: { $0.name == "Cache-Control" }) {
      response.headers.append(Header("Cache-Control", "no-store"))
    }
    return response
  }

  private static let contentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

/// A line of an answer's head.
struct HTTPHeader: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The content of an answer, piece by piece. It is asked by one thread at a time, which it may hold up; it ends with its
/// last reference.
protocol HTTPContent: AnyObject, Sendable {
  /// The next piece, not empty; nil at the end.
  /// - Throws: whatever cuts the answer off.
  func next() throws -> Data?
}
