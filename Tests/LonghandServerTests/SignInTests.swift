import Foundation
import TestSupport
import Testing

@testable import LonghandServer

/// What clients get with the token, and without it.
@Suite struct SignInTests {
  /// The target of each route, with a session that exists.
  private func targets(_ session: String) -> [(method: String, target: String)] {
    API.routes.map { route in
      let parts = route.pattern.enumerated().map { index, part in
        part == "*" ? (route.pattern[max(0, index - 1)] == "sessions" ? session : "0") : part
      }
      return (route.method, "/" + parts.joined(separator: "/"))
    }
  }

  /// The response to a request without the token. A stream of events, which would be wrong, has no end.
  private func refusal(
    by server: TestServer, _ method: String, _ target: String, _ headers: [String: String]
  ) throws -> HTTPConnection.Response {
    let connection = try HTTPConnection(port: server.port)
    try connection.send(method, target, headers, port: server.port)
    return try connection.response(isHead: method == "HEAD", readsStreams: false)
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0"])
  func everyRouteNeedsTheToken(_ address: String) async throws {
    try await TestServer.run(address: address) { server in
      let id = try server.begin(["a secret word"])
      for (method, target) in targets(id) {
        for given in ["", "Bearer \(AccessToken.random().text)", "Basic \(server.token?.text ?? "")"] {
          let answer = try refusal(by: server, method, target, ["Authorization": given])
          // No other request is sent then: some routes start work that waits for the threads of the tests.
          try #require(answer.status == 401, "\(method) \(target)")
          #expect(answer.headers["www-authenticate"] == "Bearer", "\(method) \(target)")
          #expect(!answer.text.contains("secret"), "\(method) \(target)")
          #expect(!answer.text.contains(id), "\(method) \(target)")
          if target != "/" { #expect(answer.code == "no_token", "\(method) \(target)") }
        }
      }
      #expect(try server.library.store.segments(of: id, from: 0, limit: 10).count == 1)
      #expect(try server.ask("/api/sessions").status == 200)
    }
  }

  /// The test vectors of RFC 4231.
  @Test func hmacIsThatOfTheStandard() {
    let short = AccessToken.hmac(Array("Jefe".utf8), "what do ya want for nothing?")
    #expect(
      AccessToken.hex(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = AccessToken.hmac(
      Array(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First")
    #expect(AccessToken.hex(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test func keyOfABrowserIsForItsHostAndTokenAlone() throws {
    let token = try #require(AccessToken("0123456789abcdef"))
    let proof = AccessToken.hex(AccessToken.hmac(token.browserKey(host: "127.0.0.1:80"), "challenge"))
    #expect(token.matches(proof: proof, of: "challenge", host: "127.0.0.1:80"))
    #expect(!token.matches(proof: proof, of: "another", host: "127.0.0.1:80"))
    #expect(!token.matches(proof: proof, of: "challenge", host: "127.0.0.1:81"))
    #expect(!token.matches(proof: "", of: "challenge", host: "127.0.0.1:80"))
    #expect(!AccessToken.random().matches(proof: proof, of: "challenge", host: "127.0.0.1:80"))
  }

  /// The sign-in page has one script, loads nothing, and says nothing of the library.
  @Test func strangerGetsTheSignInPageOnly() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a secret word"])
      let browser = ["Authorization": "", "Sec-Fetch-Dest": "document"]
      for target in ["/", "/?token=wrong", "/old/", "/api/sessions/\(id)/export"] {
        let page = try server.ask(target, browser)
        #expect(page.status == 401, "\(target)")
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        let scripts = page.text.components(separatedBy: "<script").count - 1
        #expect(scripts == (target.contains("wrong") ? 0 : 1))
        #expect(
          page.headers["content-security-policy"]?.contains("script-src 'nonce-") == (scripts == 1))
        #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(page.headers["set-cookie"] == nil)
        for text in ["src=", "secret", id] { #expect(!page.text.contains(text), "\(target)") }
        #expect(page.text.contains("This token is wrong.") == target.contains("wrong"))
      }
    }
  }

  /// The printed address leads to a page whose address has no token, and whose cookie goes to this page only.
  @Test func tokenIsExchangedForACookie() async throws {
    try await TestServer.run { server in
      let address = try #require(URLComponents(string: server.pageAddress))
      let opened = try server.ask("/?\(address.percentEncodedQuery ?? "")", ["Authorization": ""])
      #expect(opened.status == 303)
      let path = try #require(opened.headers["location"])
      #expect(path.count > 40)
      let cookie = try #require(opened.headers["set-cookie"])
      #expect(cookie.hasPrefix("longhand-\(server.port)="))
      #expect(cookie.hasSuffix("; Path=\(path); HttpOnly; SameSite=Strict"))
      let token = try #require(server.token?.text)
      #expect(!cookie.contains(token))
      #expect(!path.contains(token))
      let page = ["Authorization": "", "Cookie": String(try #require(cookie.split(separator: ";").first))]
      #expect(try server.ask(path, page).text.contains("page/app.js"))
      #expect(try server.ask(path + "page/app.js", page).status == 200)
      #expect(try server.ask(path + "api/sessions", page).status == 200)
      #expect(try server.ask(path + "api/sessions", ["Authorization": ""]).status == 401)
      for header in ["Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"] {
        let answer = try server.ask(path + "api/sessions", page.merging([header.key: header.value]) { $1 })
        #expect(answer.status == 403)
      }
      // Browsers leave out the cookie when another site has the link. They send it when the page loads itself again.
      let link = [
        "Authorization": "", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
      ]
      #expect(try server.ask(path, link).headers["refresh"] == "0; url=\(path)?")
      // A client without the token does not learn whether a path exists.
      #expect(try server.ask("/", link).headers["refresh"] == nil)
    }
  }

  @Test func serverWithoutATokenAnswersAllClientsOnThisMachine() async throws {
    try await TestServer.run(hasToken: false) { server async throws in
      #expect(!server.pageAddress.contains("token"))
      for target in ["/", "/page/app.js", "/health", "/api/sessions"] {
        #expect(try server.ask(target).status == 200)
      }
      #expect(try server.ask("/api/sessions", ["Origin": "http://evil.example"]).status == 403)
    }
    #expect(throws: ServerError.self) { _ = try TestServer(address: "0.0.0.0", hasToken: false) }
  }

  /// Another user of the machine, who sends what a browser or a program would send.
  @Test(.tagged(.childProcess), .enabled(if: getuid() == 0, "only root can become another user"))
  func anotherUserGetsNothing() async throws {
    try await TestServer.run { server in
      let id = try server.begin(["a secret word"])
      let requests = targets(id).map { "\($0.method) \($0.target)" }.joined(separator: "\n")
      let script = """
        import http.client, os, sys
        print(os.getuid())
        for line in sys.argv[2].splitlines():
            method, target = line.split(" ", 1)
            for headers in [{}, {"Sec-Fetch-Dest": "document"}, {"Authorization": "Bearer none"}]:
                connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
                connection.request(method, target, headers=headers)
                response = connection.getresponse()
                if response.status != 401:
                    sys.exit(f"{method} {target}: {response.status}")
                print(response.status, "secret" in response.read().decode())
        """
      let lines = try await Program.output(of: [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script,
        "\(server.port)", requests,
      ]).split(separator: "\n")
      #expect(lines.first == "65534")
      #expect(lines.count == 1 + 3 * API.routes.count)
      #expect(lines.dropFirst().allSatisfy { $0 == "401 False" })
      #expect(try server.library.store.segments(of: id, from: 0, limit: 10).count == 1)
    }
  }
}
