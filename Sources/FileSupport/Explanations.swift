import Foundation

extension Error {
  /// What went wrong, in a sentence for people. An error of Foundation describes itself with its domain and its code.
  package var explanation: String {
    type(of: self) is NSError.Type || self is CocoaError || self is POSIXError
      ? localizedDescription : "\(self)"
  }
}

extension BinaryInteger {
  /// A number of bytes as people read it, such as `108 MB`, `1.5 MB` or `12 KB`.
  package var asSize: String {
    let bytes = Double(self)
    return switch bytes {
    case ..<1e3: "\(self) bytes"
    case ..<1e6: "\(Int(bytes / 1e3)) KB"
    case ..<1e7: String(format: "%.1f MB", bytes / 1e6)
    default: "\(Int(clamping: Int64((bytes / 1e6).rounded()))) MB"
    }
  }
}
