import Foundation

/// Where models come from: a folder, or an HTTP server. Under it each language has a folder, such as `en-us`, with
/// its `manifest.json` and its files.
enum AssetSource: Sendable, Equatable {
  case folder(URL)
  case server(URL)
  /// What was named is nothing of the kind.
  case unreadable(String)

  /// What `SPEECH_ASSET_SOURCE` names; nil if nothing.
  init?(environment: [String: String]) {
    guard let text = environment["SPEECH_ASSET_SOURCE"], !text.isEmpty else { return nil }
    self.init(text)
  }

  init(_ text: String) {
    let scheme = text.contains("://") ? URL(string: text)?.scheme?.lowercased() : nil
    switch scheme {
    case "http", "https":
      if let url = URL(string: text), url.host?.isEmpty == false {
        self = .server(url)
      } else {
        self = .unreadable(text)
      }
    case "file":
      if let url = URL(string: text) { self = .folder(url) } else { self = .unreadable(text) }
    case nil where !text.contains("://"): self = .folder(URL(fileURLWithPath: text))
    default: self = .unreadable(text)
    }
  }

  /// Brings a file here. What `destination` holds of it already is not brought again.
  /// - Parameters:
  ///   - path: from the source on, with `/` between its parts.
  ///   - size: in bytes; a file that is not this long is refused.
  ///   - limit: the most that is accepted of a file whose size is not known.
  ///   - report: hears how many bytes are here.
  /// - Throws: `AssetError`, `CancellationError`, and what the file system throws.
  func bring(
    _ path: String, to destination: URL, size: Int64?, limit: Int64,
    report: @escaping @Sendable (Int64) -> Void
  ) async throws {
    switch self {
    case .unreadable(let text): throw AssetError.badSource(text)
    case .folder(let folder):
      try copy(folder.appendingPathComponent(path), path: path, to: destination, limit: size ?? limit, report)
    case .server(let address):
      let download = AssetDownload(
        address: address.appendingPathComponent(path), path: path, destination: destination, size: size,
        limit: limit, report: report)
      try await download.run()
    }
    if let size, try Self.length(of: destination) != size { throw AssetError.wrongSize(path) }
  }

  private func copy(
    _ source: URL, path: String, to destination: URL, limit: Int64, _ report: (Int64) -> Void
  ) throws {
    guard let input = try? FileHandle(forReadingFrom: source) else { throw AssetError.notFound(path) }
    defer { try? input.close() }
    try Data().write(to: destination)
    let output = try FileHandle(forWritingTo: destination)
    defer { try? output.close() }
    var copied: Int64 = 0
    while let piece = try input.read(upToCount: 1 << 18), !piece.isEmpty {
      try Task.checkCancellation()
      copied += Int64(piece.count)
      guard copied <= limit else { throw AssetError.wrongSize(path) }
      try output.write(contentsOf: piece)
      report(copied)
    }
  }

  /// How long a file is, in bytes; 0 if it is not there.
  static func length(of file: URL) throws -> Int64 {
    guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes[.size] as? NSNumber)?.int64Value ?? 0
  }
}
