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

  init(_ file: URL) {
    let files = FileManager.default
    guard files.fileExists(atPath: file.path),
      !files.isWritableFile(atPath: file.path)
        || !files.isWritableFile(atPath: file.deletingLastPathComponent().path)
    else {
      self = .readWrite
      return
    }
    let log = try? files.attributesOfItem(atPath: file.path + "-wal")[.size] as? NSNumber
    self = (log?.intValue ?? 0) == 0 ? .immutable : .readOnly
  }

  var flags: Int32 {
    self == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
  }

  /// The name for SQLite.
  func name(of file: URL) -> String {
    switch self {
    case .readWrite: file.path
    case .readOnly: Self.uri(file)
    case .immutable: Self.uri(file) + "?immutable=1"
    }
  }

  private static func uri(_ file: URL) -> String { URL(fileURLWithPath: file.path).absoluteString }
}
