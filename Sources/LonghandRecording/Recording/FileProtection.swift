import Foundation

/// When a file can be read while the device is locked. Apple's platforms encrypt files by it; elsewhere encryption at rest is
/// the file system's work, and this does nothing.
public enum FileProtection: Sendable, Hashable {
  /// Never: the class of a recording that has ended.
  case complete
  /// By who has it open already; new files can be written too. Recordings continue while the device is locked, and so do the
  /// store's transactions.
  case completeUnlessOpen

  /// Sets the protection of a file, or of a folder and of what is made in it from now on. A file system that has no such
  /// protection keeps the item as it is.
  package func protect(_ url: URL) {
    #if canImport(Darwin)
      let type: FileProtectionType =
        switch self {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        }
      try? FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: url.path)
    #endif
  }
}
