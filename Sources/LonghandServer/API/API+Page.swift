import CPage
import Foundation
import Longhand

/// The page, and the sign-in with the token.
extension API {
  static let pageRoutes = [
    Route("GET", "/") { _, _, _ in try PageAssets.response("index.html") },
    Route("GET", "/page/*") { _, _, parameters in try PageAssets.response(parameters[0]) },
    Route("GET", "/openapi.json") { _, _, _ in try PageAssets.response("openapi.json") },
    Route("GET", "/api/browser-key") { api, request, _ in
      let host = api.requests.lastingHost(of: request)
      let key = host.flatMap { host in api.requests.token.map { AccessToken.hex($0.browserKey(host: host)) } }
      return .json(.object([("key", key.map(JSONValue.string) ?? .null)]))
    },
    Route("GET", "/health") { _, _, _ in .json(.object([("status", .string("ok"))])) },
  ]

  /// The response to a client without the token, and to one that opens the page with it; nil for all other requests.
  func signIn(_ request: HTTPRequest) -> HTTPResponse? {
    if let token = requests.token, request.path.isEmpty, let given = request.value("token") {
      return token.matches(given) ? openedPage : signInPage(error: "This token is wrong.")
    }
    if requests.isForProof(request) { return proved(request) }
    if requests.isSignedIn(request) { return nil }
    var response = signInPage(
      error: nil, challenge: requests.lastingHost(of: request) == nil ? nil : requests.challenge)
    if requests.needsReload(request) {
      // Another address than this one: browsers treat a reload as the visit of the other site that it repeats.
      response.headers.append(HTTPHeader("Refresh", "0; url=/\(requests.pagePath)/?"))
    }
    return response
  }

  /// Exchanges the token for a cookie that scripts cannot read and other sites cannot send, and removes the token from
  /// the address.
  private var openedPage: HTTPResponse {
    HTTPResponse(status: 303, headers: [HTTPHeader("Location", "/\(requests.pagePath)/"), pageCookie])
  }

  private var pageCookie: HTTPHeader {
    HTTPHeader(
      "Set-Cookie",
      "\(requests.cookieName)=\(requests.cookie); Path=/\(requests.pagePath)/; HttpOnly; SameSite=Strict")
  }

  private struct Proof: Decodable {
    var proof: String
  }

  /// Gives the cookie to a browser that has the key of its host.
  private func proved(_ request: HTTPRequest) -> HTTPResponse {
    guard let token = requests.token, let host = requests.lastingHost(of: request),
      let given = try? request.json(Proof.self),
      token.matches(proof: given.proof, of: requests.challenge, host: host)
    else { return HTTPResponse(RequestGuard.noToken) }
    var response = HTTPResponse.json(.object([("path", .string("/\(requests.pagePath)/"))]))
    response.headers.append(pageCookie)
    return response
  }

  /// A page that asks for the token.
  /// - Parameters:
  ///   - error: the reason why it asks again.
  ///   - challenge: what its one script proves with the key that the browser may have; nil for a page without scripts.
  private func signInPage(error: String?, challenge: String? = nil) -> HTTPResponse {
    let nonce = AccessToken.secret()
    let script = challenge.map {
      "<script nonce=\"\(nonce)\" data-challenge=\"\($0)\">\n\(PageAssets.files["sign-in.js", default: ""])</script>"
    }
    let page = PageAssets.files["sign-in.html", default: ""]
      .replacingOccurrences(of: "<!-- error -->", with: error.map { "<p role=\"alert\">\($0)</p>" } ?? "")
      .replacingOccurrences(of: "<!-- script -->", with: script ?? "")
    let scripts = challenge == nil ? "" : "script-src 'nonce-\(nonce)'; connect-src 'self'; "
    var response = HTTPResponse.bytes(Data(page.utf8), type: "text/html; charset=utf-8", status: 401)
    response.headers += [
      RequestGuard.challenge,
      HTTPHeader(
        "Content-Security-Policy",
        "default-src 'none'; \(scripts)style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; "
          + "frame-ancestors 'none'"),
    ]
    return response
  }
}

/// The files of the page, which are embedded in the executable.
enum PageAssets {
  /// Texts by file name.
  static let files = Dictionary(
    uniqueKeysWithValues: (0..<page_file_count).map { index in
      let file = page_file(index)
      return (String(cString: file.name), String(cString: file.text))
    })

  /// The response with a file.
  /// - Throws: `HTTPError` if the page has no such file.
  static func response(_ name: String) throws -> HTTPResponse {
    guard let text = files[name] else {
      throw HTTPError(.notFound, "The page has no file '\(name)'. Reload the page.")
    }
    var response = HTTPResponse.bytes(Data(text.utf8), type: contentType(of: name))
    // Another version of the program has another page.
    response.headers.append(HTTPHeader("Cache-Control", "no-cache"))
    return response
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }
}
