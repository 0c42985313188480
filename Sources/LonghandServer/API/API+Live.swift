import Foundation

extension API {
  static let liveRoutes = [
    Route("GET", "/api/sessions/*/events") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      // What the browser knows of itself is newer than the address that it was given.
      let after = request.header("last-event-id") ?? request.value("after")
      let sequence = try after.map { text in
        guard let number = Int(text), number >= 0 else {
          throw HTTPError(.badRequest, "events are numbered", parameter: "after")
        }
        return number
      }
      return .events(try SessionEvents(of: id, after: sequence, by: api.hub, to: request.client))
    },
    Route("GET", "/api/events") { api, request, _ in
      .events(GeneralEvents(by: api.hub, to: request.client))
    },
  ]
}
