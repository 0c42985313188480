import Foundation

/// Decides which requests the server answers.
///
/// A page of another site in the user's browser can send requests to any address, also to the loopback address. With a
/// host name that resolves to this address (DNS rebinding) it could also read the responses. Three headers that a page
/// cannot forge identify such requests: `Host`, `Origin` and `Sec-Fetch-Site`.
struct RequestGuard: Sendable {
  /// The address that the server listens on, as the user gave it: an IP address, without brackets.
  var address: String
  var port: Int
  /// The token that clients must send; nil if none is needed, because only this machine can connect.
  var token: String?
  /// The value of the page's cookie after a login with the token.
  var cookie = ""
  /// The names of this machine in its network, in lower case.
  var ownNames: Set<String> = []

  /// The name of the page's cookie. It has the port, because browsers send a cookie to every port of a host.
  var cookieName: String { "longhand-\(port)" }

  /// The reason to refuse a request; nil if it is allowed.
  func refusal(of request: HTTPRequest) -> HTTPError? {
    guard let host = request.header("host"), isOwn(host) else {
      return HTTPError(
        .misdirected,
        "The server does not have this host name. Use the address that it printed at its start.",
        code: "wrong_host")
    }
    let origins = request.headers.filter { $0.name == "origin" }
    guard origins.allSatisfy({ $0.value.lowercased() == "http://\(host.lowercased())" }) else {
      return HTTPError(.forbidden, Self.otherSite, code: "wrong_origin")
    }
    let sites = request.headers.filter { $0.name == "sec-fetch-site" }
    guard sites.allSatisfy({ ["same-origin", "none"].contains($0.value) }) || isVisit(request) else {
      return HTTPError(.forbidden, Self.otherSite, code: "wrong_site")
    }
    guard let token, needsToken(request.path), !knows(token, request) else { return nil }
    var error = HTTPError(
      .unauthorized,
      "A token is needed. Send the one that the server printed at its start, as 'Authorization: Bearer TOKEN'.",
      code: "no_token")
    error.headers = [HTTPHeader("WWW-Authenticate", "Bearer")]
    return error
  }

  private static let otherSite =
    "Pages of other sites cannot use this server. Open the address that it printed at its start."

  /// Whether the user follows a link to the page. The page itself has no content of the library, and cannot be framed.
  private func isVisit(_ request: HTTPRequest) -> Bool {
    request.method == "GET" && request.path.isEmpty && request.header("sec-fetch-mode") == "navigate"
      && request.header("sec-fetch-dest") == "document"
  }

  private func needsToken(_ path: [String]) -> Bool {
    switch path.first {
    case nil, "page", "health": false
    case "api": path != ["api", "login"]
    default: true
    }
  }

  private func knows(_ token: String, _ request: HTTPRequest) -> Bool {
    let prefix = "bearer "
    if let given = request.header("authorization"), given.lowercased().hasPrefix(prefix) {
      return Self.areEqual(String(given.dropFirst(prefix.count)), token)
    }
    let cookies = request.headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
    return cookies.contains { part in
      let sides = part.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0].trimmingCharacters(in: .whitespaces) == cookieName
        && Self.areEqual(sides[1].trimmingCharacters(in: .whitespaces), cookie)
    }
  }

  /// Compares two secrets in a time that does not depend on their content.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count, !left.isEmpty else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a `Host` header names this server.
  private func isOwn(_ host: String) -> Bool {
    guard let (name, port) = Self.parts(of: host.lowercased()), port ?? 80 == self.port else { return false }
    // A page of another site cannot know the token, so that the machine's own name is safe together with one.
    if name == "localhost" || token != nil && ownNames.contains(name) { return true }
    guard let number = IPAddress(name) else { return false }
    guard let own = IPAddress(address) else { return number.isLoopback }
    // Only names can be made to resolve to another address. With "any address" each one may be this machine's.
    return number.isLoopback || number == own || own.isAny
  }

  /// The name or address, without brackets, and the port.
  private static func parts(of host: String) -> (name: String, port: Int?)? {
    let name: Substring
    let rest: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      name = host[host.index(after: host.startIndex)..<end]
      guard name.contains(":") else { return nil }
      rest = host[host.index(after: end)...]
    } else {
      let end = host.firstIndex(of: ":") ?? host.endIndex
      name = host[..<end]
      rest = host[end...]
    }
    guard !rest.isEmpty else { return (String(name), nil) }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), (1...5).contains(digits.count),
      digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = Int(digits)
    else { return nil }
    return (String(name), port)
  }
}
