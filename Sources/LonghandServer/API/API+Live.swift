import Foundation
import Longhand

/// Event streams, and control of the server's recording.
extension API {
  static let liveRoutes = [
    Route("GET", "/api/sessions/*/events") { api, request, parameters in
      let id = try api.session(parameters[0]).id
      // The header wins: a browser that reconnects sends the old address with a new header.
      let after = request.header("last-event-id") ?? request.value("after")
      let sequence = try after.map { text in
        guard let number = Int(text), number >= 0 else {
          throw HTTPError(
            .badRequest, "'after' must be the sequence number of an event, 0 or more, not '\(text)'.",
            parameter: "after")
        }
        return number
      }
      return .events(
        try SessionEventStream(of: id, after: sequence, by: api.hub, to: request.client), isEndless: true)
    },
    Route("GET", "/api/events") { api, request, _ in
      .events(LibraryEventStream(by: api.hub, to: request.client), isEndless: true)
    },
  ]

  static let recordingRoutes = [
    Route("GET", "/api/sources") { api, _, _ in .json(try api.recordings.sources()) },
    Route("GET", "/api/level") { api, request, _ in
      let names = request.value("source").map { [$0] } ?? []
      return .events(
        try LevelStream(of: try RecordingSources.capture(named: names), by: api.hub, to: request.client),
        isEndless: true)
    },
    Route("GET", "/api/recording") { api, _, _ in .json(api.recordings.document) },
    Route("POST", "/api/recording") { api, request, _ in
      let options = request.body.isEmpty ? RecordingOptions() : try request.json(RecordingOptions.self)
      let document = try api.recordings.start(
        sources: options.sources ?? options.source.map { [$0] } ?? [], rate: options.sampleRate,
        choice: try request.body.isEmpty ? nil : request.json(RecognitionFields.self).choice,
        translates: options.translate ?? false)
      return .json(document, status: 201)
    },
    Route("GET", "/api/recording/audio/*") { api, _, parameters in
      .json(try api.recordings.received(of: parameters[0]))
    },
    Route("PUT", "/api/recording/audio/*", body: .part) { api, request, parameters in
      var piece = Data()
      if case .bytes(let data) = request.body { piece = data }
      return .json(
        try api.recordings.receive(
          piece, at: request.offset(of: "stream"), of: parameters[0],
          missing: request.seconds("missing") ?? 0))
    },
    Route("POST", "/api/recording/take-over") { api, request, _ in
      .json(try api.recordings.takeOver(rate: request.json(Rate.self).sampleRate))
    },
    Route("POST", "/api/recording/pause") { api, _, _ in
      try api.recordings.pause()
      return .json(api.recordings.document)
    },
    Route("POST", "/api/recording/resume") { api, request, _ in
      try api.recordings.resume(
        after: request.body.isEmpty ? nil : request.json(MeasuredPause.self).seconds)
      return .json(api.recordings.document)
    },
    Route("POST", "/api/recording/stop") { api, _, _ in
      try api.recordings.stop()
      return .json(api.recordings.document)
    },
  ]

  private struct Rate: Decodable {
    var sampleRate: Int
  }

  private struct MeasuredPause: Decodable {
    var seconds: Double?
  }

  private struct RecordingOptions: Decodable {
    var source: String?
    /// Several at once, each its own channel.
    var sources: [String]?
    /// That of the browser's microphone.
    var sampleRate: Int?
    /// Whether a second text in English is made.
    var translate: Bool?
  }

  /// Checks that a text can be a language tag (BCP 47).
  /// - Throws: `HTTPError` if it cannot.
  static func languageTag(_ text: String, parameter: String) throws -> String? {
    guard let language = ClientLanguage(text) else {
      throw HTTPError(
        .badRequest, "'\(text)' is not a language tag. Use one such as en-US.", parameter: parameter)
    }
    return language.tag
  }
}
