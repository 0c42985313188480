import Foundation
import FoundationNetworking

/// One file's way from a server to the disk. A transfer that breaks off goes on from where it was, by HTTP Range.
struct AssetDownload {
  let address: URL
  let path: String
  let destination: URL
  let size: Int64?
  let limit: Int64
  let report: @Sendable (Int64) -> Void

  /// How often a transfer that does not get on is tried again.
  private static let patience = 3
  /// The most transfers for one file, whatever they bring.
  private static let maximumAttempts = 50

  /// - Throws: `AssetError`, `CancellationError`, and what the file system throws.
  func run() async throws {
    var failures = 0
    for _ in 0..<Self.maximumAttempts {
      try Task.checkCancellation()
      let before = try AssetSource.length(of: destination)
      if let size, before == size, size > 0 { return report(size) }
      if before > size ?? limit { try FileManager.default.removeItem(at: destination) }
      do {
        return try await AssetTransfer(self, from: min(before, size ?? 0)).run()
      } catch let error as AssetError {
        if case .wrongSize = error { try? FileManager.default.removeItem(at: destination) }
        guard error.isPassing else { throw error }
        let gotOn = try AssetSource.length(of: destination) > before
        failures = gotOn ? 0 : failures + 1
        if failures >= Self.patience { throw error }
        try await Task.sleep(for: .milliseconds(200 << failures))
      }
    }
    throw AssetError.interrupted(path, "too often")
  }
}

extension AssetError {
  /// Whether it may be over when it is tried again.
  fileprivate var isPassing: Bool {
    switch self {
    case .interrupted: true
    case .refused(_, let status): status >= 500 || status == 416 || status == 408 || status == 429
    default: false
    }
  }
}
