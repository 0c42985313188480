import CPage
import Foundation
import Longhand

/// The page, and the sign-in with the token.
extension API {
  static let pageRoutes = [
    Route("GET", "/") { _, _, _ in try PageAssets.response("index.html") },
    Route("GET", "/page/*") { _, _, parameters in try PageAssets.response(parameters[0]) },
    Route("GET", "/openapi.json") { _, _, _ in try PageAssets.response("openapi.json") },
    Route("GET", "/health") { _, _, _ in .json(.object([("status", .string("ok"))])) },
  ]

  /// The response to a client without the token, and to one that opens the page with it; nil for all other requests.
  func signIn(_ request: HTTPRequest) -> HTTPResponse? {
    if let token = requests.token, request.path.isEmpty, let given = request.value("token") {
      return token.matches(given) ? openedPage : signInPage(error: "This token is wrong.")
    }
    if requests.isSignedIn(request) { return nil }
    var response = signInPage(error: nil)
    if requests.needsReload(request) {
      // Another address than this one: browsers treat a reload as the visit of the other site that it repeats.
      response.headers.append(HTTPHeader("Refresh", "0; url=/\(requests.pagePath)/?"))
    }
    return response
  }

  /// Exchanges the token for a cookie that scripts cannot read and other sites cannot send, and removes the token from
  /// the address.
  private var openedPage: HTTPResponse {
    let path = "/\(requests.pagePath)/"
    return HTTPResponse(
      status: 303,
      headers: [
        HTTPHeader("Location", path),
        HTTPHeader(
          "Set-Cookie", "\(requests.cookieName)=\(requests.cookie); Path=\(path); HttpOnly; SameSite=Strict"),
      ])
  }

  /// A page without scripts, which asks for the token.
  /// - Parameter error: the reason why it asks again.
  private func signInPage(error: String?) -> HTTPResponse {
    let page = PageAssets.files["sign-in.html", default: ""]
      .replacingOccurrences(of: "<!-- error -->", with: error.map { "<p role=\"alert\">\($0)</p>" } ?? "")
    var response = HTTPResponse.bytes(Data(page.utf8), type: "text/html; charset=utf-8", status: 401)
    response.headers += [
      RequestGuard.challenge,
      HTTPHeader(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; "
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
