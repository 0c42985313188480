import Foundation
import Longhand

extension API {
  static let pageRoutes = [
    Route("GET", "/") { _, _, _ in try PageAssets.response("index.html") },
    Route("GET", "/page/*") { _, _, parameters in try PageAssets.response(parameters[0]) },
    Route("GET", "/health") { _, _, _ in .json(.object([("status", .string("ok"))])) },
    Route("POST", "/api/login") { api, request, _ in try api.login(request) },
  ]

  private struct Login: Decodable {
    var token: String
  }

  /// A token for a cookie, which no script can read and no other page sends.
  private func login(_ request: HTTPRequest) throws -> HTTPResponse {
    let given = try request.json(Login.self).token
    if let token = requests.token, !RequestGuard.areEqual(given, token) {
      throw HTTPError(.unauthorized, "this is not the token that the server printed", code: "wrong_token")
    }
    var response = HTTPResponse.done
    response.headers = [
      HTTPHeader(
        "Set-Cookie", "\(requests.cookieName)=\(requests.cookie); Path=/; HttpOnly; SameSite=Strict")
    ]
    return response
  }
}
