import FileSupport
import Foundation
import LonghandRecording
import Synchronization

/// What this process says to others, in a file that they read. It counts only while this process has the lock of the file's folder,
/// which the system releases when the process ends, also after a crash.
///
/// If the file cannot be written, readers do not see it.
final class ProcessNote: Sendable {
  private static let fileName = "waiting"
  private let url: URL
  private let lock = Mutex<FolderLock?>(nil)

  /// - Parameter folder: where the processes of a library have such files, each in a folder of its own.
  init(in folder: URL) { url = folder.appendingPathComponent(UUID().uuidString.lowercased()) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Sets the text. Readers see all of the old one or all of the new one. As long as it was always empty, there is no file.
  func set(_ text: String) {
    lock.withLock { lock in
      if text.isEmpty, lock == nil { return }
      if lock == nil { lock = try? Self.create(url) }
      try? SystemDisk().replace(url.appendingPathComponent(Self.fileName), with: Data(text.utf8))
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

  /// The lines of the processes that are alive.
  /// - Parameter line: only this line; nil for all.
  static func lines(in folder: URL, only line: String? = nil) -> [String] {
    folders(in: folder).flatMap { folder -> [String] in
      let text = try? String(contentsOf: folder.appendingPathComponent(fileName), encoding: .utf8)
      let lines = (text ?? "").split(separator: "\n").map(String.init).filter { line == nil || $0 == line }
      return !lines.isEmpty && SystemDisk().isInUse(folder) ? lines : []
    }
  }
}
