import FileSupport
import Foundation
import LonghandRecording

/// The folder that a server watches for a library, and the files that were imported from it. It is kept in the library, so
/// that a file is imported once, also if its session was deleted.
package struct WatchedFiles: Sendable, Hashable, Codable {
  /// A file of the folder that is done.
  package struct File: Sendable, Hashable, Codable {
    /// Its length in bytes.
    package var size: Int64
    /// The time of its last change, in seconds since 1970.
    package var modified: TimeInterval
    /// The SHA-256 digest of its bytes, in lower-case hexadecimal digits.
    package var sha256: String
    /// Why it was not imported; nil if the library has, or had, its audio.
    package var problem: String?
    /// What else a person should know about the import; nil for nothing.
    package var note: String?

    /// Describes a file that is done.
    package init(size: Int64, modified: TimeInterval, sha256: String, problem: String? = nil) {
      (self.size, self.modified, self.sha256, self.problem) = (size, modified, sha256, problem)
    }
  }

  /// The path of the folder that a client chose; nil for none.
  package var folder: String?
  /// The files that are done, by their paths.
  package var files: [String: File] = [:]
  /// The digests of all files that were imported, also of those that are no longer in the folder; nil if none was.
  private var imported: Set<String>?

  private static let fileName = "watched.json"

  /// Reads what a library has; nothing if the file does not exist, or is damaged.
  package init(of library: Library) {
    let file = library.url.appendingPathComponent(Self.fileName)
    guard let data = FileManager.default.contents(atPath: file.path),
      let known = try? JSONDecoder().decode(Self.self, from: data)
    else { return }
    self = known
    // The files of an older library have no list of digests.
    for file in files.values { keep(file) }
  }

  /// Whether a file with this digest was imported, by whatever name.
  package func hasImported(_ sha256: String) -> Bool { imported?.contains(sha256) == true }

  /// Adds a file that is done.
  package mutating func add(_ file: File, at path: String) {
    files[path] = file
    keep(file)
  }

  private mutating func keep(_ file: File) {
    guard file.problem == nil else { return }
    if imported == nil { imported = [] }
    imported?.insert(file.sha256)
  }

  /// Stores it in a library.
  /// - Throws: `RecordingError`.
  package func save(in library: Library) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try SystemDisk().replace(
      library.url.appendingPathComponent(Self.fileName), with: try encoder.encode(self))
  }
}

extension Library {
  /// The SHA-256 digest of a file, in lower-case hexadecimal digits.
  /// - Throws: an error of Foundation if it cannot be read.
  package static func sha256(of file: URL) throws -> String {
    try SHA256.hash(contentsOf: file).hexadecimal
  }
}
