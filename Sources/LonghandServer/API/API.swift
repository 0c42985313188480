import Foundation
import Longhand

/// Everything that can be asked of the server.
final class API: HTTPService {
  let library: Library
  let documents: SessionDocuments
  let hub: LiveHub
  let recordings: RecordingHost
  let transcriptions: TranscriptionQueue
  let requests: RequestGuard

  static let routes: [Route] =
    pageRoutes + sessionRoutes + segmentRoutes + soundRoutes + liveRoutes + recordingRoutes + openAIRoutes

  /// - Parameter library: for questions alone; those who record and those who wait have others.
  init(
    _ library: Library, hub: LiveHub, recordings: RecordingHost, transcriptions: TranscriptionQueue,
    requests: RequestGuard
  ) {
    self.library = library
    documents = SessionDocuments(library)
    self.hub = hub
    self.recordings = recordings
    self.transcriptions = transcriptions
    self.requests = requests
  }

  func admit(_ head: HTTPRequest) throws -> RequestBodyKind {
    if let refusal = requests.refusal(of: head) { throw refusal }
    return try route(of: head).route.body
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    do {
      let (route, parameters) = try route(of: request)
      return try route.answer(self, request, parameters)
    } catch {
      return HTTPResponse(error)
    }
  }

  private func route(of request: HTTPRequest) throws -> (route: Route, parameters: [String]) {
    let method = request.method == "HEAD" ? "GET" : request.method
    var others: [String] = []
    for route in Self.routes {
      guard let parameters = route.parameters(of: request.path) else { continue }
      if route.method == method { return (route, parameters) }
      others.append(route.method)
    }
    guard !others.isEmpty else { throw HTTPError(.notFound, "there is nothing at this address") }
    var error = HTTPError(.methodNotAllowed, "\(request.method) is not for this address")
    error.headers = [HTTPHeader("Allow", others.joined(separator: ", "))]
    throw error
  }

  /// A session by its whole id.
  /// - Throws: `HTTPError` or `StoreError` if there is none.
  func session(_ id: String) throws -> RecordedSession {
    let found = UUID(uuidString: id) == nil ? nil : try library.store.session(matching: id)
    guard let found else { throw HTTPError(.notFound, "there is no such session", code: "no_session") }
    return found
  }

  /// A segment's number.
  /// - Throws: `HTTPError` if it is none.
  static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw HTTPError(.notFound, "segments have numbers from 0", code: "no_segment")
    }
    return number
  }
}
