import Foundation
import Longhand
import Synchronization

/// A disk that fails on demand, in front of the real one. Tests use it to check that an app loses no audio.
///
/// ```swift
/// let disk = FaultyDisk()
/// disk.fault = .full(afterBytes: 1 << 20)
/// ```
public final class FaultyDisk: RecordingDisk {
  /// A fault of the disk.
  public enum Fault: Sendable, Hashable {
    /// No fault.
    case none
    /// Only this many more bytes fit. A longer write writes the bytes that fit, and fails (`ENOSPC`).
    case full(afterBytes: Int)
    /// Every write writes half of its data, and fails (`EIO`).
    case shortWrite
    /// Every write and every synchronization takes this many seconds longer.
    case slow(TimeInterval)
    /// Synchronizing fails (`EIO`), and everything written since the last successful one is replaced by zeros.
    case failingSynchronization
    /// Writes report success and write nothing. Tests check that they notice such a disk.
    case lying
  }

  private let state = Mutex(Fault.none)
  private let disk: any RecordingDisk

  /// Creates a disk without a fault.
  /// - Parameter disk: the disk that does the work.
  public init(before disk: any RecordingDisk = SystemDisk()) { self.disk = disk }

  /// The fault of all operations from now on.
  public var fault: Fault {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Creates a folder on the disk behind it.
  public func makeFolder(_ url: URL) throws { try disk.makeFolder(url) }

  /// Opens a file on the disk behind it. The file has the faults of this disk, also later ones.
  public func open(_ url: URL, isNew: Bool) throws -> any RecordingFile {
    FaultyDiskFile(try disk.open(url, isNew: isNew), of: self, path: url.path)
  }

  /// Reads a file from the disk behind it.
  public func read(_ url: URL) throws -> Data { try disk.read(url) }

  /// Replaces a file on the disk behind it; fails if a write would fail.
  public func replace(_ url: URL, with data: Data) throws {
    switch fault {
    case .full: throw RecordingError.system(action: "write", path: url.path, number: ENOSPC)
    case .shortWrite, .failingSynchronization:
      throw RecordingError.system(action: "write", path: url.path, number: EIO)
    case .slow(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .none, .lying: break
    }
    try disk.replace(url, with: data)
  }

  /// Sets the protection on the disk behind it.
  public func protect(_ url: URL, _ protection: FileProtection) { disk.protect(url, protection) }

  /// The bytes that still fit, if the fault is `full`; else the free bytes of the disk behind it.
  public func freeBytes(_ folder: URL) -> Int64? {
    if case .full(let left) = fault { Int64(left) } else { disk.freeBytes(folder) }
  }

  /// Takes `count` of the bytes that still fit.
  /// - Returns: the number of bytes taken; nil if there is no limit.
  func take(_ count: Int) -> Int? {
    state.withLock { fault in
      guard case .full(let left) = fault else { return nil }
      let taken = min(left, count)
      fault = .full(afterBytes: left - taken)
      return taken
    }
  }
}
