import Foundation

/// The disk operations of a recording. `SystemDisk` is the real disk; tests put a faulty disk before it.
public protocol RecordingDisk: Sendable {
  /// Creates a folder that only its owner can read.
  /// - Throws: `RecordingError`, also if the folder exists.
  func makeFolder(_ url: URL) throws
  /// Opens a file that only its owner can read, and locks it for this process.
  ///
  /// If `isNew` is true, it creates the file and throws if the file exists; otherwise it throws if there is no file.
  /// - Throws: `RecordingError`; `inUse` if another process has the file open.
  func open(_ url: URL, isNew: Bool) throws -> any RecordingFile
  /// Reads a whole file.
  /// - Throws: `RecordingError`.
  func read(_ url: URL) throws -> Data
  /// Writes a file, or replaces it, atomically. When this returns, the file is durable.
  /// - Throws: `RecordingError`.
  func replace(_ url: URL, with data: Data) throws
  /// Sets when a file can be read while the device is locked, or what is made in a folder from now on.
  func protect(_ url: URL, _ protection: FileProtection)
  /// Bytes that can still be written into a folder; nil if unknown.
  func freeBytes(_ folder: URL) -> Int64?
}

extension RecordingDisk {
  /// Sets the protection of a recording that has ended.
  func protectEnded(_ folder: RecordingFolder) {
    for url in [folder.url, folder.audio, folder.manifest] { protect(url, .complete) }
  }
}

/// An open file of a recording. Use it from one thread at a time.
public protocol RecordingFile: AnyObject {
  /// The length of the file in bytes.
  /// - Throws: `RecordingError`.
  func length() throws -> UInt64
  /// Writes all of `data` at `offset`, and overwrites existing bytes. After an error a part may be written; the same data
  /// can be written again.
  /// - Throws: `RecordingError`.
  func write(_ data: Data, at offset: UInt64) throws
  /// Extends the file with zeros to at least `length` bytes. In a file system with sparse files, the zeros take no space.
  /// - Throws: `RecordingError`.
  func extend(to length: UInt64) throws
  /// Makes everything that was written durable: it survives a power failure.
  /// - Throws: `RecordingError`.
  func synchronize() throws
  /// Closes the file, which releases its lock. No method but this one may be called after it.
  func close()
}
