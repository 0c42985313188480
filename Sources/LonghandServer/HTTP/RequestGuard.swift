import Foundation

/// Decides which requests the server answers.
///
/// A page of another site in the user's browser can send requests to any address, also to the loopback address. With a
/// host name that resolves to this address (DNS rebinding) it could also read the responses. Three headers that a page
/// cannot forge identify such requests: `Host`, `Origin` and `Sec-Fetch-Site`.
///
/// Other users and programs of the machine can forge every header. Only the token keeps them away.
struct RequestGuard: Sendable {
  /// The address that the server listens on, as the user gave it: an IP address, without brackets.
  var address: String
  var port: Int
  /// The token that clients must send; nil if every client that can connect may use the server.
  var token: AccessToken?
  /// The value of the page's cookie after the page was opened with the token.
  var cookie = ""
  /// The first part of the page's path after the page was opened with the token. It is secret: browsers send the cookie
  /// to this path only, but to every port of the host. The server of another user on another port would receive a
  /// cookie for all paths.
  var pagePath = ""
  /// The names of this machine in its network, in lower case.
  var ownNames: Set<String> = []
  /// Where a proxy offers the server, such as `https://name`, in lower case; nil if none does.
  var origin: String?
  /// What a browser proves its key with. It is new at each start, so that a proof is of no use later.
  let challenge = AccessToken.secret()

  /// The name of the page's cookie. It has the port, because browsers send a cookie to every port of a host.
  var cookieName: String { "longhand-\(port)" }

  /// The path of a request without the page's own part.
  func route(of request: HTTPRequest) -> [String] {
    isUnderPage(request) ? Array(request.path.dropFirst()) : request.path
  }

  private func isUnderPage(_ request: HTTPRequest) -> Bool {
    request.path.first.map { AccessToken.areEqual($0, pagePath) } ?? false
  }

  /// Whether a request is for the page itself, under its own path or without it.
  private func isForPage(_ request: HTTPRequest) -> Bool {
    ["GET", "HEAD"].contains(request.method) && route(of: request).isEmpty
  }

  /// The reason to refuse a request because of the site that sends it; nil if there is none.
  func refusal(of request: HTTPRequest) -> HTTPError? {
    guard let host = request.header("host"), isOwn(host) else {
      return HTTPError(
        .misdirected,
        "The server does not have this host name. Use the address that it printed at its start.",
        code: "wrong_host")
    }
    let origins = request.headers.filter { $0.name == "origin" }
    let own = isProxied(host) ? origin : "http://\(host.lowercased())"
    guard origins.allSatisfy({ $0.value.lowercased() == own }) else {
      return HTTPError(.forbidden, Self.otherSite, code: "wrong_origin")
    }
    let sites = request.headers.filter { $0.name == "sec-fetch-site" }
    guard sites.allSatisfy({ ["same-origin", "none"].contains($0.value) }) || isVisit(request) else {
      return HTTPError(.forbidden, Self.otherSite, code: "wrong_site")
    }
    return nil
  }

  private static let otherSite =
    "Pages of other sites cannot use this server. Open the address that it printed at its start."

  /// Whether the user follows a link to the page. The page itself has no content of the library, and cannot be framed.
  private func isVisit(_ request: HTTPRequest) -> Bool {
    isForPage(request) && request.header("sec-fetch-mode") == "navigate"
      && request.header("sec-fetch-dest") == "document"
  }

  /// Whether a browser follows a link of another site to the page. It does not send the page's cookie then, but sends it
  /// when the page is loaded again.
  func needsReload(_ request: HTTPRequest) -> Bool {
    isUnderPage(request) && isVisit(request)
      && !["same-origin", "none"].contains(request.header("sec-fetch-site"))
  }

  /// Whether a client without the token gets the sign-in page: a browser opens an address.
  func isForSignIn(_ request: HTTPRequest) -> Bool {
    isForPage(request) || request.method == "GET" && request.header("sec-fetch-dest") == "document"
  }

  /// Whether a client has the token, or the cookie that it was exchanged for.
  func isSignedIn(_ request: HTTPRequest) -> Bool {
    guard let token else { return true }
    let prefix = "bearer "
    if let given = request.header("authorization"), given.lowercased().hasPrefix(prefix) {
      return token.matches(String(given.dropFirst(prefix.count)))
    }
    let cookies = request.headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
    return cookies.contains { part in
      let sides = part.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0].trimmingCharacters(in: .whitespaces) == cookieName
        && AccessToken.areEqual(sides[1].trimmingCharacters(in: .whitespaces), cookie)
    }
  }

  /// The error for a client without the token.
  static let noToken: HTTPError = {
    var error = HTTPError(
      .unauthorized,
      "A token is needed. Send the one that 'longhand serve' printed, as 'Authorization: Bearer TOKEN'.",
      code: "no_token")
    error.headers = [challenge]
    return error
  }()

  /// The header that a response with status 401 must have.
  static let challenge = HTTPHeader("WWW-Authenticate", "Bearer")

  /// The host of a request at which a browser can stay signed in; nil for others. Only at a loopback address no other computer
  /// can be in its place. The name `localhost` has two addresses, of which another user's program may have one.
  func lastingHost(of request: HTTPRequest) -> String? {
    guard token != nil, let host = request.header("host")?.lowercased(), isOwn(host),
      let (name, _) = Self.parts(of: host), IPAddress(name)?.isLoopback == true
    else { return nil }
    return host
  }

  /// Whether a browser asks to be signed in by its key.
  func isForProof(_ request: HTTPRequest) -> Bool {
    request.method == "POST" && request.path == ["sign-in"] && lastingHost(of: request) != nil
  }

  private func isProxied(_ host: String) -> Bool {
    origin.map { $0.hasSuffix("://\(host.lowercased())") } ?? false
  }

  /// Whether a `Host` header names this server.
  private func isOwn(_ host: String) -> Bool {
    if isProxied(host) { return true }
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
