import Foundation

extension Failure {
  /// What `--json-errors` prints. All four keys are always present; an absent value is `null`.
  private struct Document: Encodable {
    struct Body: Encodable {
      enum Key: String, CodingKey { case code, message, input, hint }
      let failure: Failure

      func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: Key.self)
        try body.encode(failure.code.rawValue, forKey: .code)
        try body.encode(failure.message, forKey: .message)
        try body.encode(failure.input, forKey: .input)
        try body.encode(failure.hint, forKey: .hint)
      }
    }
    let error: Body
  }

  /// The line that programs read.
  var json: String { JSONLine.string(Document(error: Document.Body(failure: self))) }
}
