import Foundation
import SpeechServiceProtocol

/// What a source says of one language's model: `manifest.json` in the model's folder.
///
/// ```json
/// {"format": 1, "locale": "en-US", "version": "2024.1",
///  "files": [{"path": "en-us/mdef", "size": 2959176, "sha256": "9f86d0…"}]}
/// ```
///
/// A manifest comes from elsewhere: nothing in it is believed that could reach outside of the model's folder,
/// or fill the disk.
struct AssetManifest: Codable, Sendable, Equatable {
  struct File: Codable, Sendable, Equatable {
    /// From the model's folder on: parts of letters, digits, `.`, `_`, `+` and `-`, with `/` between them.
    var path: String
    /// In bytes.
    var size: Int64
    /// In hexadecimal digits.
    var sha256: String
  }

  static let name = "manifest.json"
  /// The longest manifest that is read, in bytes.
  static let maximumLength: Int64 = 1 << 20
  /// The largest model, in bytes.
  static let maximumSize: Int64 = 16 << 30
  static let maximumFileCount = 4096
  private static let maximumPathLength = 512

  var format: Int
  var locale: String
  var version: String
  var files: [File]

  /// All files together, in bytes.
  var size: Int64 { files.reduce(0) { $0 + $1.size } }

  /// Reads a manifest and checks it.
  /// - Throws: `AssetError.badManifest`, `.incomplete`.
  static func read(_ data: Data, locale: String) throws(AssetError) -> AssetManifest {
    guard data.count <= maximumLength else { throw .badManifest("it is too long") }
    let manifest: AssetManifest
    do {
      manifest = try JSONDecoder().decode(AssetManifest.self, from: data)
    } catch {
      throw .badManifest("it is not of the form that is expected")
    }
    try manifest.check(locale: locale)
    return manifest
  }

  private func check(locale wanted: String) throws(AssetError) {
    guard format == 1 else { throw .badManifest("its format is \(format), and 1 is understood") }
    guard ModelLocations.folderName(locale: locale) == ModelLocations.folderName(locale: wanted) else {
      throw .badManifest("it is of another language than \(wanted)")
    }
    guard files.count <= Self.maximumFileCount else { throw .badManifest("it has too many files") }
    var paths: Set<String> = []
    var left = Self.maximumSize
    for file in files {
      guard Self.isPlain(file.path) else { throw .badManifest("a path leaves the model's folder") }
      // On a disk that tells no capitals apart, one would overwrite the other.
      guard paths.insert(file.path.lowercased()).inserted else { throw .badManifest("a path is there twice") }
      guard file.size >= 0, file.size <= left else { throw .badManifest("a size is absurd") }
      left -= file.size
      guard file.sha256.count == 64, file.sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        throw .badManifest("a checksum is none")
      }
    }
    let folders = paths.flatMap(Self.parents)
    guard paths.isDisjoint(with: folders) else { throw .badManifest("a path is a file and a folder") }
    for file in ModelLocations.files(locale: wanted) where !files.contains(where: { $0.path == file }) {
      throw .incomplete(file)
    }
  }

  private static func isPlain(_ path: String) -> Bool {
    guard path.utf8.count <= maximumPathLength else { return false }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.first != "."
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._+-".contains($0)) }
    }
  }

  private static func parents(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
  }
}
