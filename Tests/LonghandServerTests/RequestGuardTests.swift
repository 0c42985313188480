import Testing

@testable import LonghandServer

@Suite struct RequestGuardTests {
  private let own = RequestGuard(address: "127.0.0.1", port: 8765)
  private let open = RequestGuard(
    address: "0.0.0.0", port: 8765, token: AccessToken("0123456789abcdef"), cookie: "fedcba9876543210",
    pagePath: "0f1e2d3c")

  private func code(
    _ requests: RequestGuard, at target: String = "/api/sessions", _ headers: (String, String)...
  ) throws -> String? {
    let headers = headers.map { (name: $0.0, value: $0.1) }
    let request = try HTTPRequest(method: "GET", target: target, headers: headers)
    return requests.refusal(of: request)?.code
      ?? (requests.isSignedIn(request) ? nil : RequestGuard.noToken.code)
  }

  @Test(arguments: [
    "127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765", "127.1.2.3:8765",
  ])
  func ownHostNameIsAllowed(_ host: String) throws {
    #expect(try code(own, ("Host", host)) == nil)
    #expect(try code(own, ("Host", host), ("Origin", "http://\(host)")) == nil)
    #expect(try code(own, ("Host", host), ("Sec-Fetch-Site", "same-origin")) == nil)
  }

  /// Names that can be made to resolve to the loopback address, and texts that only look like an own name.
  @Test(arguments: [
    "", "evil.example:8765", "evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8766", "localhost:",
    "localhost.evil.example:8765", "127.0.0.1.evil.example:8765", "127.0.0.1.nip.io:8765", "localhost.:8765",
    "2130706433:8765", "0x7f000001:8765", "0177.0.0.1:8765", "127.1:8765", "0.0.0.0:8765", "[::]:8765",
    "[::1:8765", "::1:8765", "[localhost]:8765", "[::ffff:127.0.0.1]:8765", "192.168.1.7:8765",
    "8.8.8.8:8765",
    "localhost:8765:8765", "localhost:08765x", "user@localhost:8765", "localhost:8765/", " localhost:8765",
    "localhost:99999", "localhost:-1", "[fe80::1%25lo]:8765",
  ])
  func otherHostNameIsRefused(_ host: String) throws {
    #expect(try code(own, ("Host", host)) == "wrong_host")
  }

  @Test func missingOrRepeatedHostIsRefused() throws {
    #expect(try code(own) == "wrong_host")
    #expect(try code(own, ("Host", "localhost:8765"), ("Host", "localhost:8765")) == "wrong_host")
    #expect(try code(own, ("Host", "localhost:8765"), ("host", "evil.example")) == "wrong_host")
  }

  @Test(arguments: [
    "http://evil.example", "null", "", "http://localhost:3000", "https://localhost:8765",
    "http://127.0.0.1:8765",
    "http://localhost:8765.evil.example", "http://evil.example/http://localhost:8765", "file://",
    "localhost:8765",
  ])
  func originOfAnotherSiteIsRefused(_ origin: String) throws {
    #expect(try code(own, ("Host", "localhost:8765"), ("Origin", origin)) == "wrong_origin")
    #expect(
      try code(
        own, ("Host", "localhost:8765"), ("Origin", "http://localhost:8765"), ("Origin", origin))
        == "wrong_origin")
  }

  @Test(arguments: ["cross-site", "same-site", "", "CROSS-SITE"])
  func crossSiteRequestIsRefused(_ site: String) throws {
    #expect(try code(own, ("Host", "localhost:8765"), ("Sec-Fetch-Site", site)) == "wrong_site")
    #expect(try code(own, at: "/", ("Host", "localhost:8765"), ("Sec-Fetch-Site", site)) == "wrong_site")
  }

  /// Any site may link to the page.
  @Test func linkToThePageIsAllowed() throws {
    let headers = [
      ("Host", "localhost:8765"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
      ("Sec-Fetch-Dest", "document"),
    ]
    func code(_ method: String, _ target: String, _ headers: [(String, String)]) throws -> String? {
      let headers = headers.map { (name: $0.0, value: $0.1) }
      return own.refusal(of: try HTTPRequest(method: method, target: target, headers: headers))?.code
    }
    #expect(try code("GET", "/", headers) == nil)
    #expect(try code("POST", "/", headers) == "wrong_site")
    #expect(try code("GET", "/api/sessions", headers) == "wrong_site")
    for value in ["iframe", "empty", "object"] {
      #expect(try code("GET", "/", headers.dropLast() + [("Sec-Fetch-Dest", value)]) == "wrong_site")
    }
    #expect(try code("GET", "/", headers + [("Origin", "http://evil.example")]) == "wrong_origin")
  }

  /// The machine's own name is allowed together with a token only.
  @Test func nameOfTheMachineNeedsAToken() throws {
    var (named, closed) = (open, own)
    (named.ownNames, closed.ownNames) = (["desk", "desk.local"], ["desk", "desk.local"])
    for host in ["desk:8765", "Desk.local:8765"] {
      #expect(try code(named, ("Host", host)) == "no_token")
      #expect(try code(named, ("Host", host), ("Authorization", "bearer 0123456789abcdef")) == nil)
      #expect(try code(closed, ("Host", host)) == "wrong_host")
    }
    #expect(try code(named, ("Host", "other:8765")) == "wrong_host")
  }

  @Test func everyRequestNeedsTheToken() throws {
    let host = ("Host", "192.168.1.7:8765")
    for target in [
      "/", "/page/app.js", "/health", "/api/sessions", "/v1/models", "/v1/audio/transcriptions", "/api",
      "/0f1e2d3c/", "/0f1e2d3c/api/sessions", "/other",
    ] {
      #expect(try code(open, at: target, host) == "no_token")
      #expect(try code(open, at: target, host, ("Authorization", "Bearer 0123456789abcdef")) == nil)
      #expect(try code(open, at: target, host, ("Cookie", "a=b; longhand-8765=fedcba9876543210; c=d")) == nil)
    }
    // A host name is still checked, with or without the token.
    #expect(try code(open, ("Host", "evil.example:8765")) == "wrong_host")
    #expect(
      try code(open, host, ("Authorization", "Bearer 0123456789abcdef"), ("Origin", "http://evil.example"))
        == "wrong_origin")
  }

  @Test(arguments: [
    ("Authorization", "Bearer "), ("Authorization", "Bearer 0123456789abcdee"),
    ("Authorization", "Bearer 0123456789abcdef0"), ("Authorization", "Basic 0123456789abcdef"),
    ("Authorization", "0123456789abcdef"), ("Authorization", "Bearer fedcba9876543210"),
    ("Cookie", "longhand-8765=0123456789abcdef"), ("Cookie", "longhand-8765="), ("Cookie", "longhand-8765"),
    ("Cookie", "longhand-8766=fedcba9876543210"),
    ("Cookie", "other=fedcba9876543210"), ("X-Token", "0123456789abcdef"),
  ])
  func wrongTokenIsRefused(_ name: String, _ value: String) throws {
    #expect(try code(open, ("Host", "10.0.0.1:8765"), (name, value)) == "no_token")
  }

  @Test func emptySecretIsRefused() throws {
    let empty = RequestGuard(address: "0.0.0.0", port: 8765, token: AccessToken("0123456789abcdef"))
    #expect(try code(empty, ("Host", "10.0.0.1:8765"), ("Authorization", "Bearer ")) == "no_token")
    #expect(try code(empty, ("Host", "10.0.0.1:8765"), ("Cookie", "longhand-8765=")) == "no_token")
  }

  @Test func tokenHasAllowedCharactersOnly() {
    #expect(AccessToken("0123456789abcde") == nil)
    #expect(AccessToken(String(repeating: "a", count: 257)) == nil)
    #expect(AccessToken("0123456789abcde ") == nil)
    #expect(AccessToken("0123456789abcdeé") == nil)
    #expect(AccessToken("0123456789abcd\r\n") == nil)
    #expect(AccessToken("AZaz09-._~+/====")?.queryValue == "AZaz09-._~%2B%2F%3D%3D%3D%3D")
    #expect(AccessToken.random() != AccessToken.random())
    #expect(AccessToken(AccessToken.random().text) != nil)
  }

  /// The page's own path leads to the same routes, and only the whole part counts.
  @Test func pathOfThePageIsLeftOut() throws {
    func route(_ target: String, _ requests: RequestGuard) throws -> [String] {
      requests.route(of: try HTTPRequest(method: "GET", target: target))
    }
    #expect(try route("/0f1e2d3c/api/sessions", open) == ["api", "sessions"])
    #expect(try route("/0f1e2d3c", open).isEmpty)
    #expect(try route("/0f1e2d3/api", open) == ["0f1e2d3", "api"])
    #expect(try route("/api/0f1e2d3c", open) == ["api", "0f1e2d3c"])
    #expect(try route("//api", own) == ["api"])
  }

  /// A link of another site to the page's own path works, but not to what is below it.
  @Test func linkToThePathOfThePageIsAllowed() throws {
    let link = [
      ("Host", "localhost:8765"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"),
      ("Sec-Fetch-Dest", "document"),
    ].map { (name: $0.0, value: $0.1) }
    let page = try HTTPRequest(method: "GET", target: "/0f1e2d3c/", headers: link)
    #expect(open.refusal(of: page) == nil)
    #expect(open.needsReload(page))
    #expect(!open.needsReload(try HTTPRequest(method: "GET", target: "/", headers: link)))
    let data = try HTTPRequest(method: "GET", target: "/0f1e2d3c/api/sessions", headers: link)
    #expect(open.refusal(of: data)?.code == "wrong_site")
  }

  @Test func addressOfVersion6IsAllowed() throws {
    let long = RequestGuard(address: "fd00::7", port: 80)
    #expect(try code(long, at: "/", ("Host", "[fd00:0:0::7]")) == nil)
    #expect(try code(long, at: "/", ("Host", "[fd00::8]")) == "wrong_host")
    #expect(try code(long, at: "/", ("Host", "[fd00::7]:8080")) == "wrong_host")
  }
}
