import Foundation

/// Where recordings are kept. The real one is `SystemDisk`; tests stand a faulty one before it.
public protocol RecordingDisk: Sendable {
  /// Makes a folder that is not there yet, for its owner alone.
  /// - Throws: `RecordingError`; also if it is there.
  func makeFolder(_ url: URL) throws
  /// Opens a file for its owner alone, and for this process alone.
  /// - Parameter isNew: true makes it, and throws if it is there; false throws if it is not.
  /// - Throws: `RecordingError`; `inUse` if another process has it open.
  func open(_ url: URL, isNew: Bool) throws -> any RecordingFile
  /// Reads a whole file.
  /// - Throws: `RecordingError`.
  func read(_ url: URL) throws -> Data
  /// Puts a file in the place of one that may be there: whole or not at all, and durable when it returns.
  /// - Throws: `RecordingError`.
  func replace(_ url: URL, with data: Data) throws
  /// Bytes that can still be written into a folder; nil if that cannot be known.
  func freeBytes(_ folder: URL) -> Int64?
}

/// A file of a recording. Not for more than one thread.
public protocol RecordingFile: AnyObject {
  /// Bytes in it.
  /// - Throws: `RecordingError`.
  func length() throws -> UInt64
  /// Writes all of `data` from `offset` on, over what may be there. After an error some of it may be written, and the
  /// same can be written again.
  /// - Throws: `RecordingError`.
  func write(_ data: Data, at offset: UInt64) throws
  /// Makes the file so long at least; what is new is zeros, which take no room where the file system knows holes.
  /// - Throws: `RecordingError`.
  func extend(to length: UInt64) throws
  /// Returns when everything that was written would outlive a loss of power.
  /// - Throws: `RecordingError`.
  func synchronize() throws
  /// Closes the file, after which nothing else may be called.
  func close()
}
