import Foundation
import LonghandRecording
import Synchronization

/// The sessions that wait for their turn in this process, in a file that other processes read. They count as waiting only
/// while this process holds the lock of the file, which the system releases when the process ends, also after a crash.
///
/// If the file cannot be written, other processes see these sessions as interrupted.
package final class SessionQueue: Sendable {
  private let url: URL
  private let file = Mutex<SystemDiskFile?>(nil)

  package init(in library: Library) {
    url = library.queues.appendingPathComponent(UUID().uuidString.lowercased())
  }

  deinit { unlink(url.path) }

  /// Sets the sessions that wait.
  package func set(_ sessions: [String]) {
    file.withLock { file in
      if sessions.isEmpty, file == nil { return }
      if file == nil { file = try? Self.create(url) }
      let text = Data(sessions.map { "\($0)\n" }.joined().utf8)
      try? file?.write(text, at: 0)
      try? file?.cut(to: UInt64(text.count))
    }
  }

  private static func create(_ url: URL) throws -> SystemDiskFile? {
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Killed processes have left these.
    for old in files(in: folder) where !SystemDisk().isInUse(old) { unlink(old.path) }
    return try SystemDisk().open(url, isNew: true) as? SystemDiskFile
  }

  private static func files(in folder: URL) -> [URL] {
    (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }

  /// Whether a session waits in a process that is alive.
  static func contains(_ session: String, in library: Library) -> Bool {
    files(in: library.queues).contains { file in
      SystemDisk().isInUse(file)
        && (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").contains { $0 == session }
          == true
    }
  }
}
