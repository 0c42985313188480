import Foundation

/// What kind of thing a path or a descriptor leads to.
extension stat {
  /// A folder.
  var isFolder: Bool { kind == S_IFDIR }
  /// A file with a length, that can be read from any place.
  var isFile: Bool { kind == S_IFREG }
  /// A pipe, a socket or a device: bytes come and go, and there is nothing to replace.
  var isStream: Bool { !isFolder && !isFile }

  /// The same file, whatever its names.
  func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }

  private var kind: mode_t { st_mode & S_IFMT }
}
