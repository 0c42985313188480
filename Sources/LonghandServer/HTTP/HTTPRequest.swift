import Foundation

/// What a client asks for.
struct HTTPRequest: Sendable {
  /// In capitals, such as `GET`.
  var method: String
  /// The path's parts, decoded: `/api/sessions` has two.
  var path: [String]
  /// The query, decoded, in order; of a name that comes twice both are there.
  var query: [(name: String, value: String)] = []
  /// Names in lower case, in order.
  var headers: [(name: String, value: String)] = []
  /// What was sent with it.
  var body = RequestBody.none
  /// Who asks.
  var client: any HTTPClient = AbsentClient()

  /// - Parameter target: the path and the query, as they were sent.
  /// - Throws: `HTTPError` if it is none.
  init(method: String, target: String, headers: [(name: String, value: String)] = []) throws(HTTPError) {
    self.method = method
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("/") else {
      throw HTTPError(.badRequest, "the address is no path of this server")
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
      throw HTTPError(.badRequest, "the address is not encoded as an address must be")
    }
    return decoded
  }

  /// The value of a header; nil if there is none, or more than one.
  func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// The first value of a name in the query.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// A number of the query.
  /// - Throws: `HTTPError` if it is none, or outside of `range`.
  func integer(_ name: String, in range: ClosedRange<Int>, or usual: Int) throws -> Int {
    guard let text = value(name) else { return usual }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPError(
        .badRequest, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)",
        parameter: name)
    }
    return number
  }

  /// Seconds of the query, 0 or more.
  /// - Throws: `HTTPError` if they are none.
  func seconds(_ name: String) throws -> TimeInterval? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number >= 0, number.isFinite else {
      throw HTTPError(.badRequest, "\(name) is a number of seconds", parameter: name)
    }
    return number
  }

  /// The body as JSON.
  /// - Throws: `HTTPError` if it is none.
  func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let kind = header("content-type")?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
    guard kind?.lowercased() == "application/json" else {
      throw HTTPError(.unsupportedMediaType, "the body must be application/json")
    }
    guard case .bytes(let data) = body, let value = try? JSONDecoder().decode(type, from: data) else {
      throw HTTPError(.badRequest, "the body is not the JSON that is wanted here")
    }
    return value
  }
}

/// What was sent with a request.
enum RequestBody: Sendable {
  case none
  case bytes(Data)
  case form(ReceivedForm)
}

/// Who asked, for as long as it waits for the answer.
protocol HTTPClient: Sendable {
  /// The socket, to be watched beside other descriptors; negative if there is none.
  var socket: Int32 { get }
  /// Whether nobody waits for the answer any more.
  var isGone: Bool { get }
}

/// Nobody in particular, who waits.
struct AbsentClient: HTTPClient {
  var socket: Int32 { -1 }
  var isGone: Bool { false }
}
