import Foundation
import Sandboxing

/// How much memory this process may have before another takes its place.
struct MemoryLimit {
  /// Bytes that any process may have. The library keeps the memory of its longest utterance.
  private static let any = 2 << 30
  /// Bytes that decoding may take above the model, however large it is.
  private static let growth = 1 << 30

  private let limit: Int

  /// The limit of a process that has loaded its model.
  /// - Parameter environment: `SPEECH_SERVICE_MEMORY` sets the limit in megabytes, for tests.
  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let wanted = environment["SPEECH_SERVICE_MEMORY"].flatMap(Int.init)
    limit = wanted.map { $0 << 20 } ?? max(Self.any, (ProcessMemory.resident ?? 0) + Self.growth)
  }

  /// Whether the process has more.
  var isExceeded: Bool { (ProcessMemory.resident ?? 0) > limit }
}
