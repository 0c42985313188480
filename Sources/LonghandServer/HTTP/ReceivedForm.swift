import Foundation

/// A form that was sent: its fields, and its one file, which lies in the folder for temporary files, for its owner alone,
/// until this goes.
final class ReceivedForm: Sendable {
  /// In order; of a name that comes twice both are there.
  let fields: [(name: String, value: String)]
  /// Where the file lies, and the name that its sender gave it; nil if none was sent.
  let file: (url: URL, name: String)?

  init(fields: [(name: String, value: String)], file: (url: URL, name: String)?) {
    self.fields = fields
    self.file = file
  }

  deinit { if let file { unlink(file.url.path) } }
}
