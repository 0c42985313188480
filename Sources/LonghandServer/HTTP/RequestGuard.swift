import Foundation

/// Whom the server answers.
///
/// A page of somebody else in the user's browser can send requests to any address, the loopback address too, and with a
/// name that it lets point there (DNS rebinding) it could read the answers. Three headers that no page can forge tell
/// such requests: `Host`, `Origin` and `Sec-Fetch-Site`.
struct RequestGuard: Sendable {
  /// The address that is listened to, as it was given: an IP address, without brackets.
  var address: String
  var port: Int
  /// What a client must know where the address is not the machine's own; nil where nothing is asked.
  var token: String?
  /// What the page's cookie holds once it knew the token.
  var cookie = ""
  /// What the machine is called in its network, in lower case.
  var ownNames: Set<String> = []

  /// The name of the page's cookie: cookies do not know ports, and several servers may run on a machine.
  var cookieName: String { "longhand-\(port)" }

  /// Why a request is not to be answered; nil if it is.
  func refusal(of request: HTTPRequest) -> HTTPError? {
    guard let host = request.header("host"), isOwn(host) else {
      return HTTPError(
        .misdirected, "this server does not go by that name; use the address that it printed",
        code: "wrong_host")
    }
    let origins = request.headers.filter { $0.name == "origin" }
    guard origins.allSatisfy({ $0.value.lowercased() == "http://\(host.lowercased())" }) else {
      return HTTPError(.forbidden, "pages of other servers are not answered", code: "wrong_origin")
    }
    let sites = request.headers.filter { $0.name == "sec-fetch-site" }
    guard sites.allSatisfy({ ["same-origin", "none"].contains($0.value) }) || isVisit(request) else {
      return HTTPError(.forbidden, "pages of other servers are not answered", code: "wrong_site")
    }
    guard let token, needsToken(request.path), !knows(token, request) else { return nil }
    var error = HTTPError(
      .unauthorized, "this server wants the token that it printed when it was started", code: "no_token")
    error.headers = [HTTPHeader("WWW-Authenticate", "Bearer")]
    return error
  }

  /// Whether somebody follows a link to the page, which holds nothing of the library and may not be framed.
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

  /// Takes as long whatever stands in them.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count, !left.isEmpty else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a `Host` names this server: no name that somebody else may give away.
  private func isOwn(_ host: String) -> Bool {
    guard let (name, port) = Self.parts(of: host.lowercased()), port ?? 80 == self.port else { return false }
    // Whoever knows the token is no page that goes by a name of somebody else.
    if name == "localhost" || token != nil && ownNames.contains(name) { return true }
    guard let number = IPAddress(name) else { return false }
    guard let own = IPAddress(address) else { return number.isLoopback }
    // Only names can be made to point elsewhere; of a machine's own addresses each may be the one that was asked.
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
