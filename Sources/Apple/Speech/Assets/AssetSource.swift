import FileSupport
import Foundation
import ModelInstallation

/// A source of models: a folder or an HTTP server. It has a folder for each language, such as `en-us`, with a
/// `manifest.json` and the model's files.
enum AssetSource: Sendable, Equatable {
  case folder(URL)
  case server(URL)
  /// Neither a folder nor an HTTP address.
  case invalid(String)

  /// The source in `SPEECH_ASSET_SOURCE`; nil if it is not set.
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
        self = .invalid(text)
      }
    case "file":
      if let url = URL(string: text) { self = .folder(url) } else { self = .invalid(text) }
    case nil where !text.contains("://"): self = .folder(URL(fileURLWithPath: text))
    default: self = .invalid(text)
    }
  }

  /// Copies a file from the source. A part that `destination` holds already is not downloaded again.
  /// - Parameters:
  ///   - path: relative to the source, separated by `/`.
  ///   - size: in bytes; a file of another size is refused.
  ///   - limit: the size limit of a file whose size is unknown.
  ///   - report: receives the number of bytes so far.
  /// - Throws: `AssetError`, `CancellationError`, and errors of the file system.
  func copy(
    _ path: String, to destination: URL, size: Int64?, limit: Int64,
    report: @escaping @Sendable (Int64) -> Void
  ) async throws {
    switch self {
    case .invalid(let text): throw AssetError.badSource(text)
    case .folder(let folder):
      try copy(folder.appendingPathComponent(path), path: path, to: destination, limit: size ?? limit, report)
    case .server(let address):
      let download = FileDownload(
        address: address.appendingPathComponent(path), destination: destination, size: size, limit: limit,
        isAllowed: { _ in true }, report: report)
      do {
        try await download.run()
      } catch let error as DownloadError {
        throw AssetError(error, path: path)
      } catch let failure as AtomicFile.Failure {
        throw failure.cocoaError(path: destination.path)
      }
    }
    if let size, FileDownload.length(of: destination) != size { throw AssetError.wrongSize(path) }
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
    while let part = try input.read(upToCount: 1 << 18), !part.isEmpty {
      try Task.checkCancellation()
      copied += Int64(part.count)
      guard copied <= limit else { throw AssetError.wrongSize(path) }
      try output.write(contentsOf: part)
      report(copied)
    }
  }
}
