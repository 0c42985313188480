import FileSupport
import Longhand

extension Failure {
  /// The line that programs read: what `--json-errors` prints.
  var json: String {
    JSONLine.string(
      ErrorDocument(
        .init(
          code: code, message: message.readableName, input: input?.readableName, hint: hint?.readableName)))
  }
}
