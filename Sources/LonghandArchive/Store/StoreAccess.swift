import Foundation
import SQLite3

/// How a store's file can be opened.
enum StoreAccess {
  /// It is writable, or does not exist yet.
  case readWrite
  /// The file or its folder is not writable; its log is read.
  case readOnly
  /// The same, and it has no log, so that no other file is needed.
  case immutable
  /// It is writable, and no other connection may use it meanwhile, so that the log needs no index on the disk.
  case alone

  init(_ file: URL) {
    let files = FileManager.default
    guard files.fileExists(atPath: file.path),
      !files.isWritableFile(atPath: file.path)
        || !files.isWritableFile(atPath: file.deletingLastPathComponent().path)
    else {
      self = .readWrite
      return
    }
    self = Self.size(of: file.path + "-wal") == 0 ? .immutable : .readOnly
  }

  /// The bytes of a file; 0 if there is none.
  static func size(of path: String) -> Int {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return size?.intValue ?? 0
  }

  var flags: Int32 {
    switch self {
    case .readWrite, .alone: SQLITE_OPEN_READWRITE
    case .readOnly, .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    }
  }

  /// The name for SQLite.
  func name(of file: URL) -> String {
    switch self {
    case .readWrite, .alone: file.path
    case .readOnly: Self.uri(file)
    case .immutable: Self.uri(file) + "?immutable=1"
    }
  }

  private static func uri(_ file: URL) -> String { URL(fileURLWithPath: file.path).absoluteString }
}
