import Foundation

/// A client's request.
struct HTTPRequest: Sendable {
  /// In capitals, such as `GET`.
  var method: String
  /// The decoded parts of the path: `/api/sessions` has two.
  var path: [String]
  /// The decoded query, in order. A name can occur more than once.
  var query: [(name: String, value: String)] = []
  /// In order, with names in lower case.
  var headers: [(name: String, value: String)] = []
  var body = RequestBody.none
  var client: any HTTPClient = AbsentClient()

  /// - Parameter target: the path and the query, as the client sent them.
  /// - Throws: `HTTPError` if the target is malformed.
  init(method: String, target: String, headers: [(name: String, value: String)] = []) throws(HTTPError) {
    self.method = method
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("/") else {
      throw HTTPError(.badRequest, "The request target is not a path. A path starts with '/'.")
    }
    path = try first.split(separator: "/").map { part throws(HTTPError) in try Self.decoded(part) }
    guard parts.count > 1 else { return }
    query = try parts[1].split(separator: "&").map { pair throws(HTTPError) in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1].replacingOccurrences(of: "+", with: " ") : ""
      return (try Self.decoded(sides[0]), try Self.decoded(value[...]))
    }
  }

  private static func decoded(_ text: Substring) throws(HTTPError) -> String {
    guard let decoded = text.removingPercentEncoding, !decoded.contains("\0") else {
      throw HTTPError(.badRequest, "The percent-encoding of the address is malformed.")
    }
    return decoded
  }

  /// The value of a header; nil if the request has none or several.
  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// The first value of a name in the query.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// A whole number in the query.
  /// - Throws: `HTTPError` if the value is not a number in `range`.
  func integer(_ name: String, in range: ClosedRange<Int>, or defaultValue: Int) throws -> Int {
    guard let sent = value(name).flatMap(ClientValue.init) else { return defaultValue }
    guard let number = sent.integer, range.contains(number) else {
      throw HTTPError(
        .badRequest,
        "'\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(sent.text)'.",
        parameter: name)
    }
    return number
  }

  /// A number of seconds in the query, 0 or more.
  /// - Throws: `HTTPError` if the value is not such a number.
  func seconds(_ name: String) throws -> TimeInterval? {
    guard let sent = value(name).flatMap(ClientValue.init) else { return nil }
    guard let number = sent.number, number >= 0, number.isFinite else {
      throw HTTPError(
        .badRequest, "'\(name)' must be a number of seconds, 0 or more, not '\(sent.text)'.", parameter: name)
    }
    return number
  }

  /// The position of the body's first byte in a file or a stream: `offset` in the query.
  /// - Throws: `HTTPError` if it is not one.
  func offset(of whole: String) throws -> Int64 {
    guard let offset = value("offset").flatMap({ Int64($0) }), offset >= 0 else {
      throw HTTPError(
        .badRequest, "'offset' must be the position of the first byte in the \(whole).", parameter: "offset")
    }
    return offset
  }

  /// The body as JSON.
  /// - Throws: `HTTPError` if the body is not a JSON document of this type.
  func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let kind = header("content-type")?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
    guard kind?.lowercased() == "application/json" else {
      throw HTTPError(
        .unsupportedMediaType, "The body must be JSON. Send it with Content-Type: application/json.")
    }
    guard case .bytes(let data) = body else { throw HTTPError(.badRequest, "The body is not valid JSON.") }
    do { return try JSONDecoder().decode(type, from: data) } catch {
      let member = Self.member(of: error)
      throw HTTPError(
        .badRequest,
        "The body is not valid JSON for this request"
          + (member.map { ": its member '\($0)' is missing or has the wrong type." } ?? "."),
        parameter: member)
    }
  }

  /// The member that cannot be decoded; nil if that is the whole body.
  private static func member(of error: any Error) -> String? {
    let path: [any CodingKey] =
      switch error {
      case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        context.codingPath
      default: []
      }
    return path.isEmpty
      ? nil : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}

/// The body of a request.
enum RequestBody: Sendable {
  case none
  case bytes(Data)
  case form(ReceivedForm)

  var isEmpty: Bool { if case .none = self { true } else { false } }
}
