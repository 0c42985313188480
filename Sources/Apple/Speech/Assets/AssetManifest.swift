import Foundation
import SpeechServiceProtocol

/// The manifest of one language's model: `manifest.json` in the model's folder.
///
/// ```json
/// {"format": 1, "locale": "en-US", "version": "2024.1",
///  "files": [{"path": "en-us/mdef", "size": 2959176, "sha256": "9f86d0…"}]}
/// ```
///
/// A manifest is not trusted: paths that leave the model's folder and sizes that fill the disk are refused.
struct AssetManifest: Codable, Sendable, Equatable {
  struct File: Codable, Sendable, Equatable {
    /// Relative to the model's folder: names of letters, digits, `.`, `_`, `+` and `-`, separated by `/`.
    var path: String
    /// In bytes.
    var size: Int64
    /// In 64 hexadecimal digits.
    var sha256: String
  }

  static let name = "manifest.json"
  /// The size limit of a manifest, in bytes.
  static let maxLength: Int64 = 1 << 20
  /// The size limit of a model, in bytes.
  static let maxSize: Int64 = 16 << 30
  static let maxFileCount = 4096
  private static let maxPathLength = 512

  var format: Int
  var locale: String
  var version: String
  var files: [File]

  /// The size of all files, in bytes.
  var size: Int64 { files.reduce(0) { $0 + $1.size } }

  /// Decodes a manifest and checks it.
  /// - Throws: `AssetError.badManifest`, `.incomplete`.
  static func read(_ data: Data, locale: String) throws(AssetError) -> AssetManifest {
    guard data.count <= maxLength else { throw .badManifest("it is longer than \(maxLength) bytes") }
    let manifest: AssetManifest
    do {
      manifest = try JSONDecoder().decode(AssetManifest.self, from: data)
    } catch {
      throw .badManifest("it is not JSON with the required fields")
    }
    try manifest.check(locale: locale)
    return manifest
  }

  private func check(locale wanted: String) throws(AssetError) {
    guard format == 1 else { throw .badManifest("its format is \(format); only format 1 is supported") }
    guard ModelLocations.folderName(locale: locale) == ModelLocations.folderName(locale: wanted) else {
      throw .badManifest("it is for the language \(locale), not for \(wanted)")
    }
    guard files.count <= Self.maxFileCount else {
      throw .badManifest("it lists more than \(Self.maxFileCount) files")
    }
    var paths: Set<String> = []
    var left = Self.maxSize
    for file in files {
      guard Self.isPlain(file.path) else {
        throw .badManifest("a path is not allowed: \(file.path.prefix(80).debugDescription)")
      }
      // On a disk that ignores case, one file would overwrite the other.
      guard paths.insert(file.path.lowercased()).inserted else {
        throw .badManifest("it lists \(file.path) twice")
      }
      guard file.size >= 0, file.size <= left else {
        throw .badManifest("the size of \(file.path) is out of range")
      }
      left -= file.size
      guard file.sha256.count == 64, file.sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        throw .badManifest("the sha256 of \(file.path) is not 64 hexadecimal digits")
      }
    }
    let folders = paths.flatMap(Self.parents)
    guard paths.isDisjoint(with: folders) else { throw .badManifest("a path is both a file and a folder") }
    for file in ModelLocations.files(locale: wanted) where !files.contains(where: { $0.path == file }) {
      throw .incomplete(file)
    }
  }

  private static func isPlain(_ path: String) -> Bool {
    guard path.utf8.count <= maxPathLength else { return false }
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
