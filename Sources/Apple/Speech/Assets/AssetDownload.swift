import Foundation
import FoundationNetworking

/// Downloads one file. An interrupted transfer continues at the last byte, by HTTP Range.
struct AssetDownload {
  let address: URL
  let path: String
  let destination: URL
  let size: Int64?
  let limit: Int64
  let report: @Sendable (Int64) -> Void

  /// The largest number of transfers in a row without a new byte.
  private static let maxFailures = 3
  /// The largest number of transfers for one file.
  private static let maxAttempts = 50

  /// - Throws: `AssetError`, `CancellationError`, and errors of the file system.
  func run() async throws {
    var failures = 0
    for _ in 0..<Self.maxAttempts {
      try Task.checkCancellation()
      let before = try AssetSource.length(of: destination)
      if let size, before == size, size > 0 { return report(size) }
      if before > size ?? limit { try FileManager.default.removeItem(at: destination) }
      do {
        return try await AssetTransfer(self, from: min(before, size ?? 0)).run()
      } catch let error as AssetError {
        if case .wrongSize = error { try? FileManager.default.removeItem(at: destination) }
        guard error.isTemporary else { throw error }
        let hasProgress = try AssetSource.length(of: destination) > before
        failures = hasProgress ? 0 : failures + 1
        if failures >= Self.maxFailures { throw error }
        try await Task.sleep(for: .milliseconds(200 << failures))
      }
    }
    throw AssetError.interrupted(path, "it was interrupted \(Self.maxAttempts) times")
  }
}

extension AssetError {
  /// Whether another attempt may succeed.
  fileprivate var isTemporary: Bool {
    switch self {
    case .interrupted: true
    case .refused(_, let status): status >= 500 || status == 416 || status == 408 || status == 429
    default: false
    }
  }
}
