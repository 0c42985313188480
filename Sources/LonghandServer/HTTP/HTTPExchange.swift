import Foundation

/// Answers the requests that a listener receives.
protocol HTTPService: Sendable {
  /// Decides from the head of a request how its body is received.
  /// - Throws: `HTTPError` to refuse the request without its body.
  func admit(_ head: HTTPRequest) throws -> Admission
  /// Answers a complete request. It may block.
  func answer(_ request: HTTPRequest) -> HTTPResponse
}

/// What a service decides from the head of a request.
struct Admission: Sendable, Equatable {
  var body: RequestBodyKind
  /// Whether the client has the token, or needs none.
  var isSignedIn: Bool
}

/// How the body of a request is received.
enum RequestBodyKind: Sendable, Equatable {
  /// Into memory.
  case small
  /// As a form with a file.
  case form
  /// A part of a file, into memory.
  case part

  /// The largest part of a file, in bytes.
  static let maxPart: Int64 = 8 << 20

  /// The largest body, in bytes.
  var limit: Int64 {
    switch self {
    case .small: 64 << 10
    case .form: 2 << 30
    case .part: Self.maxPart
    }
  }
}

/// One request while it arrives. Only the thread of its connection uses it.
final class HTTPExchange {
  private enum Receiver {
    case none
    case bytes(Data)
    case form(FormReceiver)
  }

  private let target: String
  let client: SocketClient
  private var request: HTTPRequest?
  private var receiver = Receiver.none
  private var received: Int64 = 0
  private var limit: Int64 = 0

  init(target: String, client: SocketClient) {
    self.target = target
    self.client = client
  }

  /// Whether `begin` accepted the head.
  var isBegun: Bool { request != nil }

  /// Takes the head.
  /// - Returns: whether the client has the token, or needs none.
  /// - Throws: `HTTPError` if the body is not needed.
  func begin(
    method: String, version: String, headers: [(name: String, value: String)], by service: any HTTPService
  ) throws -> Bool {
    var request = try HTTPRequest(method: method, target: target, headers: headers)
    request.client = SocketClient(
      socket: client.socket, acceptsInterimResponses: version != "HTTP/1.0")
    self.request = request
    let admission = try service.admit(request)
    limit = admission.body.limit
    if let length = request.header("content-length").flatMap(Int64.init), length > limit {
      throw HTTPError(.tooLarge, "The body has \(length) bytes. At most \(limit) are allowed here.")
    }
    switch admission.body {
    case .small, .part: receiver = .bytes(Data())
    case .form:
      receiver = .form(
        try FormReceiver(contentType: request.header("content-type"), maxFileBytes: limit))
    }
    return admission.isSignedIn
  }

  /// Takes a part of the body.
  /// - Returns: false if the body is larger than its limit.
  func take(_ bytes: Data) -> Bool {
    received += Int64(bytes.count)
    guard received <= limit else { return false }
    switch receiver {
    case .none: break
    case .bytes(var data):
      // Only one reference, so that the bytes before are not copied.
      receiver = .none
      data.append(bytes)
      receiver = .bytes(data)
    case .form(let form): form.take(bytes)
    }
    return true
  }

  /// Answers the request once it is complete.
  func answer(by service: any HTTPService) -> HTTPResponse {
    guard var request else { return HTTPResponse(HTTPError(.badRequest, "The request has no head.")) }
    do {
      switch receiver {
      case .none: break
      case .bytes(let data): if !data.isEmpty { request.body = .bytes(data) }
      case .form(let form): request.body = .form(try form.finish())
      }
      receiver = .none
    } catch {
      return HTTPResponse(error)
    }
    return service.answer(request)
  }
}
