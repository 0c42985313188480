/// The folder whose files are imported.
extension API {
  static let watchRoutes = [
    Route("GET", "/api/watch") { api, _, _ in .json(api.watched.document) },
    Route("PUT", "/api/watch") { api, request, _ in
      try api.watched.choose(try request.json(Choice.self).folder)
      return .json(api.watched.document)
    },
  ]

  private struct Choice: Decodable {
    /// Its path; nil to watch none.
    var folder: String?
  }
}
