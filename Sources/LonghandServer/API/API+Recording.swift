import Foundation
import Longhand

extension API {
  static let recordingRoutes = [
    Route("GET", "/api/sources") { _, _, _ in .json(try RecordingHost.sources()) },
    Route("GET", "/api/recording") { api, _, _ in .json(api.recordings.document) },
    Route("POST", "/api/recording") { api, request, _ in
      let wish = request.body.isEmpty ? Wish() : try request.json(Wish.self)
      try api.recordings.start(source: wish.source, locale: try wish.locale.map(API.language))
      return .json(api.recordings.document, status: 201)
    },
    Route("POST", "/api/recording/pause") { api, _, _ in
      try api.recordings.pause()
      return .json(api.recordings.document)
    },
    Route("POST", "/api/recording/resume") { api, _, _ in
      try api.recordings.resume()
      return .json(api.recordings.document)
    },
    Route("POST", "/api/recording/stop") { api, _, _ in
      try api.recordings.stop()
      return .json(api.recordings.document)
    },
  ]

  private struct Wish: Decodable {
    var source: String?
    var locale: String?
  }

  /// A language as it may be named (BCP 47).
  /// - Throws: `HTTPError` if it cannot be one.
  private static func language(_ text: String) throws -> String {
    guard (2...35).contains(text.utf8.count),
      text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    else { throw HTTPError(.badRequest, "'\(text)' is no language, such as en-US", parameter: "locale") }
    return text
  }
}

extension RequestBody {
  /// Whether nothing was sent.
  var isEmpty: Bool { if case .none = self { true } else { false } }
}
