import Foundation
import Longhand

/// Answers every request to the server.
final class API: HTTPService {
  let library: Library
  let documents: SessionDocuments
  let hub: LiveHub
  let recordings: RecordingHost
  let recoveries: RecoveryHost
  let transcriptions: TranscriptionQueue
  let imports: ImportHost
  let watched: WatchedFolder
  let trials: TrialHost
  let unsure: UnsureWordsCache
  let searches: TranscriptSearch
  let requests: RequestGuard

  static let routes: [Route] =
    pageRoutes + sessionRoutes + annotationRoutes + uploadRoutes + segmentRoutes + correctionRoutes
    + speakerRoutes + recognitionRoutes + replacementRoutes + vocabularyRoutes + audioRoutes + liveRoutes
    + recordingRoutes + watchRoutes + quoteRoutes + openAIRoutes

  init(
    _ library: Library, hub: LiveHub, recordings: RecordingHost, recoveries: RecoveryHost,
    transcriptions: TranscriptionQueue, imports: ImportHost, watched: WatchedFolder, trials: TrialHost,
    waiting: WaitingSessions, requests: RequestGuard
  ) {
    self.library = library
    unsure = UnsureWordsCache(library.store)
    searches = TranscriptSearch(library)
    documents = SessionDocuments(library, waiting: waiting)
    self.imports = imports
    self.watched = watched
    self.trials = trials
    self.hub = hub
    self.recordings = recordings
    self.recoveries = recoveries
    self.transcriptions = transcriptions
    self.requests = requests
  }

  func admit(_ head: HTTPRequest) throws -> Admission {
    if let refusal = requests.refusal(of: head) { throw refusal }
    if requests.isSignedIn(head) { return Admission(body: try route(of: head).route.body, isSignedIn: true) }
    guard requests.isForSignIn(head) || requests.isForProof(head) else { throw RequestGuard.noToken }
    return Admission(body: .small, isSignedIn: false)
  }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    do {
      if let response = signIn(request) { return response }
      let (route, parameters) = try route(of: request)
      return try route.answer(self, request, parameters)
    } catch {
      return HTTPResponse(error)
    }
  }

  private func route(of request: HTTPRequest) throws -> (route: Route, parameters: [String]) {
    let method = request.method == "HEAD" ? "GET" : request.method
    let path = requests.route(of: request)
    var allowed: [String] = []
    for route in Self.routes {
      guard let parameters = route.parameters(of: path) else { continue }
      if route.method == method { return (route, parameters) }
      allowed.append(route.method)
    }
    guard !allowed.isEmpty else { throw Self.nothing(at: path) }
    let methods = allowed.joined(separator: ", ")
    var error = HTTPError(
      .methodNotAllowed, "The method \(request.method) is not allowed at this path. Allowed: \(methods).")
    error.headers = [HTTPHeader("Allow", methods)]
    throw error
  }

  /// The error for a path that no route has.
  private static func nothing(at path: [String]) -> HTTPError {
    func isRoute(_ path: [String]) -> Bool { routes.contains { $0.parameters(of: path) != nil } }
    let base = "The base address of OpenAI's API is that of the server with /v1 at its end"
    if isRoute(["v1"] + path) {
      return HTTPError(.notFound, "\(base). Use /v1/\(path.joined(separator: "/")).", code: "no_v1")
    }
    if path.starts(with: ["v1", "v1"]), isRoute(Array(path.dropFirst())) {
      return HTTPError(.notFound, "\(base), once.", code: "no_v1")
    }
    return HTTPError(
      .notFound, "The server has nothing at this path. GET /openapi.json lists the paths of the API.")
  }

  /// The session with this complete ID.
  /// - Throws: `HTTPError` or `StoreError` if there is none.
  func session(_ id: String) throws -> RecordedSession {
    guard UUID(uuidString: id) != nil else { throw HTTPError.noSession }
    return try library.store.session(matching: id)
  }

  /// The key of a segment.
  /// - Throws: `HTTPError` if the text is not one.
  static func key(_ text: String) throws -> Int {
    guard let key = Int(text), key >= 0 else { throw HTTPError.noSegment("'\(text)'") }
    return key
  }
}

/// A method and a path of the API, and the function that answers it.
struct Route: Sendable {
  /// - Parameter parameters: the parts of the path at the places of the wildcards.
  typealias Answer =
    @Sendable (_ api: API, _ request: HTTPRequest, _ parameters: [String]) throws -> HTTPResponse

  let method: String
  /// The parts of the path; `*` is a wildcard for one part.
  let pattern: [String]
  let body: RequestBodyKind
  let answer: Answer

  init(
    _ method: String, _ path: String, body: RequestBodyKind = .small, _ answer: @escaping Answer
  ) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.body = body
    self.answer = answer
  }

  /// The parts at the wildcards; nil if the path does not match.
  func parameters(of path: [String]) -> [String]? {
    guard path.count == pattern.count else { return nil }
    var parameters: [String] = []
    for (part, wanted) in zip(path, pattern) {
      if wanted == "*" {
        parameters.append(part)
      } else if part != wanted {
        return nil
      }
    }
    return parameters
  }
}
