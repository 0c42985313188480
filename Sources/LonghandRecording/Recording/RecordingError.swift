import Foundation

/// An error of writing or recovering a recording.
public enum RecordingError: Error, Hashable, Sendable {
  /// A system call failed: the action, the file, and the error number (`errno`).
  case system(action: String, path: String, number: Int32)
  /// The manifest cannot be read; the text is the reason.
  case manifest(String)
  /// Another process is writing this recording.
  case inUse(path: String)

  /// Whether the disk is full, or the user's quota is used up.
  public var isFullDisk: Bool {
    guard case .system(_, _, let number) = self else { return false }
    return number == ENOSPC || number == EDQUOT || number == EFBIG
  }
}

extension RecordingError: CustomStringConvertible {
  /// The problem, the file and the remedy.
  public var description: String {
    switch self {
    case .system(let action, let path, let number):
      let remedy = isFullDisk ? "; free some space" : ""
      return "cannot \(action) \(path): \(String(cString: strerror(number)))\(remedy)"
    case .manifest(let problem): return "the manifest cannot be read: \(problem)"
    case .inUse(let path): return "another process is working on \(path); wait for it, or stop it"
    }
  }
}
