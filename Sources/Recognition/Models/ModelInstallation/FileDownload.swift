import FileSupport
import Foundation

/// The reason why a file could not be downloaded.
package enum DownloadError: Error, Equatable {
  /// The file's size differs from the expected one.
  case wrongSize
  /// The server answered with another HTTP status than those of success.
  case refused(status: Int)
  /// The address, or one that the server redirected to, must not be used.
  case forbidden(String)
  /// The connection broke.
  case interrupted(String)

  /// Whether another attempt may succeed.
  fileprivate var isTemporary: Bool {
    switch self {
    case .interrupted: true
    case .refused(let status): status >= 500 || status == 416 || status == 408 || status == 429
    default: false
    }
  }
}

/// Downloads one file. An interrupted transfer continues at the last byte, by HTTP Range.
package struct FileDownload: Sendable {
  let address: URL
  /// The file to write. If it exists, it is the beginning of the download.
  let destination: URL
  /// In bytes; a file of another size is refused. Nil if it is not known.
  let size: Int64?
  /// The size limit of a file whose size is not known.
  let limit: Int64
  /// Whether an address may be used: the given one, and those of redirections.
  let isAllowed: @Sendable (URL) -> Bool
  /// Receives the number of bytes so far; an error that it throws ends the download.
  let report: @Sendable (Int64) throws -> Void

  /// The largest number of transfers in a row without a new byte.
  private static let maxFailures = 3
  /// The largest number of transfers for one file.
  private static let maxAttempts = 50

  /// Downloads the file.
  /// - Throws: `DownloadError`, `AtomicFile.Failure` if the disk fails, `CancellationError`, and errors of `report`.
  package func run() async throws {
    guard isAllowed(address) else { throw DownloadError.forbidden(address.absoluteString) }
    var failures = 0
    for _ in 0..<Self.maxAttempts {
      try Task.checkCancellation()
      let before = Self.length(of: destination)
      if let size, before == size, size > 0 { return try report(size) }
      if before > size ?? limit { try FileManager.default.removeItem(at: destination) }
      do {
        return try await FileTransfer(self, from: min(before, size ?? 0)).run()
      } catch let error as DownloadError {
        if error == .wrongSize { try? FileManager.default.removeItem(at: destination) }
        guard error.isTemporary else { throw error }
        let hasProgress = Self.length(of: destination) > before
        failures = hasProgress ? 0 : failures + 1
        if failures >= Self.maxFailures { throw error }
        try await Task.sleep(for: .milliseconds(200 << failures))
      }
    }
    throw DownloadError.interrupted("it was interrupted \(Self.maxAttempts) times")
  }

  /// The size of a file in bytes; 0 if it does not exist.
  package static func length(of file: URL) -> Int64 {
    var status = stat()
    return stat(file.path.systemName, &status) == 0 ? Int64(status.st_size) : 0
  }
}
