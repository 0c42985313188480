import Foundation

/// The file that was copied into a recording, as it was when the copy began.
package struct ImportedFile: Sendable, Hashable, Codable {
  /// The path of the file.
  package var path: String
  /// Its length in bytes.
  package var size: Int64
  /// The time of its last change, in seconds since 1970.
  package var modified: TimeInterval
  /// Its duration in seconds, as the file states.
  package var duration: TimeInterval
  /// The SHA-256 digest of its bytes, in lower-case hexadecimal digits; nil if it was not computed.
  package var sha256: String?

  /// Describes a file.
  /// - Parameters:
  ///   - file: the file.
  ///   - duration: its duration in seconds, as the file states.
  /// - Returns: nil if the file cannot be read.
  package init?(_ file: URL, duration: TimeInterval) {
    guard
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path),
      let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
    else { return nil }
    path = file.standardizedFileURL.path
    self.size = size.int64Value
    modified = date.timeIntervalSince1970
    self.duration = duration
  }

  /// Whether the file is still there, and has the same length and time.
  package var isUnchanged: Bool {
    let now = ImportedFile(URL(fileURLWithPath: path), duration: duration)
    return now?.size == size && now?.modified == modified
  }

  /// Whether its duration is one that a file can have.
  var isValid: Bool { (0...1e9).contains(duration) }
}
