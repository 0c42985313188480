import Foundation

/// One request as it comes in. Its connection's thread alone uses it.
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

  /// Whether the head was taken.
  var isBegun: Bool { request != nil }

  /// Takes the head.
  /// - Throws: `HTTPError` if there is no need for the body.
  func begin(method: String, headers: [(name: String, value: String)], by service: any HTTPService) throws {
    var request = try HTTPRequest(method: method, target: target, headers: headers)
    request.client = client
    self.request = request
    let kind = try service.admit(request)
    limit = kind.limit
    if let length = request.header("content-length").flatMap(Int64.init), length > limit {
      throw HTTPError(.tooLarge, "the body is too large: it may have \(limit) bytes")
    }
    switch kind {
    case .small: receiver = .bytes(Data())
    case .form: receiver = .form(try FormReceiver(contentType: request.header("content-type"), room: limit))
    }
  }

  /// Takes a part of the body.
  /// - Returns: false if it is more than can be.
  func take(_ bytes: Data) -> Bool {
    received += Int64(bytes.count)
    guard received <= limit else { return false }
    switch receiver {
    case .none: break
    case .bytes(let before): receiver = .bytes(before + bytes)
    case .form(let form): form.take(bytes)
    }
    return true
  }

  /// Answers, when all is there.
  func answer(by service: any HTTPService) -> HTTPResponse {
    guard var request else { return HTTPResponse(HTTPError(.badRequest, "there is no request")) }
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
