import Foundation
import Longhand
import Synchronization

/// The last transcript of a file that is not in the library, in memory until the connection ends, so that a long one is read in parts.
final class MCPFileTranscripts: Sendable {
  private struct Key: Equatable {
    var arguments: MCPArguments
    var size: Int
    var modified: Date
  }

  private let last = Mutex<(key: Key, transcript: Transcript)?>(nil)

  /// The transcript with the same arguments, if the file is the same; else a new one.
  func transcript(
    _ arguments: MCPArguments, of path: String, make: () async throws -> Transcript
  ) async throws -> Transcript {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let key = Key(
      arguments: arguments.only(MCPRecognition.parameters), size: facts?[.size] as? Int ?? 0,
      modified: facts?[.modificationDate] as? Date ?? .distantPast)
    if let known = last.withLock({ $0?.key == key ? $0?.transcript : nil }) { return known }
    let transcript = try await make()
    last.withLock { $0 = (key, transcript) }
    return transcript
  }
}
