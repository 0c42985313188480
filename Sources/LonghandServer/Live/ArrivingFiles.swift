import Foundation

/// Which files of a folder no longer grow: a pure state machine. The callers pass the time, in seconds.
struct ArrivingFiles: Sendable {
  /// What changes while a file is written.
  struct Stamp: Sendable, Hashable {
    /// The length in bytes.
    var size: Int64
    /// The time of the last change, in seconds since 1970.
    var modified: TimeInterval
    /// The number of the file in its file system: a file may be replaced.
    var number: UInt64
  }

  /// Seconds without a change after which a file counts as complete.
  static let patience = 3.0

  /// Seconds without a change after which a file that seems to have only its beginning counts as complete.
  static let longPatience = 20.0

  private var seen: [String: (stamp: Stamp, since: TimeInterval, isDoubted: Bool)] = [:]

  /// The files are these now.
  /// - Parameter files: by their paths.
  /// - Returns: those that no longer grow and are not empty, in the order of their paths.
  mutating func look(_ files: [String: Stamp], now: TimeInterval) -> [String] {
    seen = files.reduce(into: [:]) { all, file in
      let before = seen[file.key]
      all[file.key] = before?.stamp == file.value ? before : (file.value, now, false)
    }
    return seen.filter { $0.value.stamp.size > 0 && now - $0.value.since >= Self.patience }.keys.sorted()
  }

  /// A file that no longer grows may have only its beginning. It has to wait once for longer.
  /// - Returns: whether it has to wait.
  mutating func doubt(_ path: String, now: TimeInterval) -> Bool {
    guard seen[path]?.isDoubted == false else { return false }
    seen[path]?.isDoubted = true
    delay(path, until: now + Self.longPatience)
    return true
  }

  /// A file has to wait once more.
  mutating func delay(_ path: String, until time: TimeInterval) { seen[path]?.since = time - Self.patience }
}
