import FileSupport
import Foundation
import LonghandRecording
import Synchronization

/// The sessions that wait for their turn in this process, in a file that other processes read. They count as waiting only
/// while this process has the lock of the file's folder, which the system releases when the process ends, also after a crash.
///
/// If the file cannot be written, readers see these sessions as interrupted.
package final class SessionQueue: Sendable {
  private static let fileName = "waiting"
  private let url: URL
  private let lock = Mutex<FolderLock?>(nil)

  package init(in library: Library) {
    url = library.queues.appendingPathComponent(UUID().uuidString.lowercased())
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Sets the sessions that wait. Readers see all of the old ones or all of the new ones.
  package func set(_ sessions: [String]) {
    lock.withLock { lock in
      if sessions.isEmpty, lock == nil { return }
      if lock == nil { lock = try? Self.create(url) }
      let text = Data(sessions.map { "\($0)\n" }.joined().utf8)
      try? text.write(to: url.appendingPathComponent(Self.fileName), options: .atomic)
    }
  }

  private static func create(_ url: URL) throws -> FolderLock {
    // Killed processes have left these.
    for old in folders(in: url.deletingLastPathComponent()) where !SystemDisk().isInUse(old) {
      try? FileManager.default.removeItem(at: old)
    }
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try FolderLock(url, .exclusiveAfterOthers)
  }

  private static func folders(in folder: URL) -> [URL] {
    (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }

  /// Whether a session waits in a process that is alive.
  static func contains(_ session: String, in library: Library) -> Bool {
    folders(in: library.queues).contains { folder in
      let text = try? String(contentsOf: folder.appendingPathComponent(fileName), encoding: .utf8)
      return text?.split(separator: "\n").contains { $0 == session } == true
        && SystemDisk().isInUse(folder)
    }
  }
}
