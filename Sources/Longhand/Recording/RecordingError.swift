import Foundation

/// Why a recording cannot be written or taken up.
public enum RecordingError: Error, Hashable, Sendable {
  /// The system refused: what was to be done, to which file, and the number of its error (`errno`).
  case system(action: String, path: String, number: Int32)
  /// The manifest cannot be read; the text says why.
  case manifest(String)
  /// Another process writes this recording at the moment.
  case inUse(path: String)

  /// Whether the disk is full, or the user may write no more on it.
  public var isFullDisk: Bool {
    guard case .system(_, _, let number) = self else { return false }
    return number == ENOSPC || number == EDQUOT || number == EFBIG
  }
}

extension RecordingError: CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .system(let action, let path, let number):
      let mend = isFullDisk ? "; free some space" : ""
      return "cannot \(action) \(path): \(String(cString: strerror(number)))\(mend)"
    case .manifest(let problem): return "the manifest cannot be read: \(problem)"
    case .inUse(let path): return "\(path) is being recorded by another process; end that first"
    }
  }
}
