/// What a listener asks.
protocol HTTPService: Sendable {
  /// How the body of a request is taken, told by its head.
  /// - Throws: `HTTPError` if it is not answered.
  func admit(_ head: HTTPRequest) throws -> RequestBodyKind
  /// Answers; may take its time.
  func answer(_ request: HTTPRequest) -> HTTPResponse
}

/// How a body is taken.
enum RequestBodyKind: Sendable, Equatable {
  /// Into memory.
  case small
  /// A form with a file.
  case form

  /// Bytes that it may have.
  var limit: Int64 {
    switch self {
    case .small: 64 << 10
    case .form: 2 << 30
    }
  }
}
