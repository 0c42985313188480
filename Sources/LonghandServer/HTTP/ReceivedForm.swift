import Foundation

/// A form that was sent: its fields, and its one file, which lies on the disk without a name: it is gone with this, and with
/// this process, however that ends.
final class ReceivedForm: Sendable {
  /// In order; of a name that comes twice both are there.
  let fields: [(name: String, value: String)]
  /// The open file, and the name that its sender gave it; nil if none was sent.
  let file: (descriptor: Int32, name: String)?

  /// - Parameter file: belongs to this.
  init(fields: [(name: String, value: String)], file: (descriptor: Int32, name: String)?) {
    self.fields = fields
    self.file = file
  }

  deinit { if let file { close(file.descriptor) } }
}
