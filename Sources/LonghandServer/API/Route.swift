/// One thing that can be asked for.
struct Route: Sendable {
  /// Answers a request; `parameters` are the parts of the path that the pattern leaves open.
  typealias Answer =
    @Sendable (
      _ api: API, _ request: HTTPRequest, _ parameters: [String]
    ) throws -> HTTPResponse

  let method: String
  /// Parts of a path; `*` stands for any one.
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

  /// The open parts of a path; nil if it is another one.
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
