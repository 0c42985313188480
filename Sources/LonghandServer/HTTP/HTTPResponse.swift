import Foundation
import Longhand

/// The response to a request.
struct HTTPResponse: Sendable {
  enum Body: Sendable {
    case bytes(Data)
    /// Chunks; the length of all chunks together, if it is known.
    case content(any HTTPContent, length: UInt64?)
  }

  var status = 200
  var headers: [HTTPHeader] = []
  var body = Body.bytes(Data())
  /// Whether the body has no end of its own.
  var isEndless = false

  /// A JSON document.
  static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    bytes(Data(value.text.utf8), type: "application/json", status: status)
  }

  /// Bytes with their media type.
  static func bytes(_ data: Data, type: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPHeader("Content-Type", type)], body: .bytes(data))
  }

  /// A stream of server-sent events.
  /// - Parameter isEndless: whether the client follows something that has no end of its own.
  static func events(_ content: any HTTPContent, isEndless: Bool) -> HTTPResponse {
    var response = HTTPResponse(
      headers: [HTTPHeader("Content-Type", "text/event-stream"), HTTPHeader("X-Accel-Buffering", "no")],
      body: .content(content, length: nil))
    response.isEndless = isEndless
    return response
  }

  /// Success without content.
  static let done = HTTPResponse(status: 204)

  init(status: Int = 200, headers: [HTTPHeader] = [], body: Body = .bytes(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The response to any error.
  init(_ error: any Error) {
    let error = HTTPError(error)
    self = .json(error.json, status: error.status.rawValue)
    headers += error.headers
  }

  /// The response with the headers that every response has. The page can load, run and call only what this server
  /// delivers, and no other site can embed or read a response.
  var guarded: HTTPResponse {
    var response = self
    response.headers += [
      HTTPHeader("X-Content-Type-Options", "nosniff"), HTTPHeader("Referrer-Policy", "no-referrer"),
      HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"),
      HTTPHeader("Cross-Origin-Opener-Policy", "same-origin"), HTTPHeader("X-Frame-Options", "DENY"),
    ]
    let defaults = [
      HTTPHeader("Content-Security-Policy", Self.contentPolicy), HTTPHeader("Cache-Control", "no-store"),
    ]
    response.headers += defaults.filter { header in !headers.contains { $0.name == header.name } }
    return response
  }

  private static let contentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

/// A header of a response.
struct HTTPHeader: Sendable, Hashable {
  var name: String
  var value: String

  init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The content of a response, chunk by chunk. One thread at a time reads it, and a read may block.
protocol HTTPContent: AnyObject, Sendable {
  /// The next chunk, which is not empty; nil at the end.
  /// - Throws: any error, to break the response off.
  func next() throws -> Data?
}

/// The format of events that a browser's `EventSource` reads.
enum ServerSentEvent {
  /// An event whose data is one line of text.
  static func data(_ kind: String?, _ data: String, id: Int? = nil) -> Data {
    var text = ""
    if let id { text += "id: \(id)\n" }
    if let kind { text += "event: \(kind)\n" }
    return Data("\(text)data: \(data)\n\n".utf8)
  }

  /// An event whose data is JSON. `JSONValue.text` has no line breaks.
  static func data(_ kind: String?, _ value: JSONValue, id: Int? = nil) -> Data {
    data(kind, value.text, id: id)
  }

  /// A comment. It keeps the connection open, and shows the sender whether the client is still connected.
  static let comment = Data(":\n\n".utf8)
}
