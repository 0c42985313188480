import Foundation
import Longhand
import Synchronization

/// A disk that fails on demand, in front of the real one: what an app's tests need to see that it loses nothing.
///
/// ```swift
/// let disk = FaultyDisk()
/// disk.fault = .full(afterBytes: 1 << 20)
/// ```
public final class FaultyDisk: RecordingDisk {
  /// What goes wrong.
  public enum Fault: Sendable, Hashable {
    /// Nothing.
    case none
    /// Only so many more bytes fit; a write beyond them writes what fits (`ENOSPC`).
    case full(afterBytes: Int)
    /// Every write writes a half of what it is given and fails (`EIO`).
    case shortWrite
    /// Every write and synchronization takes so many seconds.
    case slow(TimeInterval)
    /// Synchronizing fails (`EIO`), and what was written since the last one that did not is lost: zeros stand there.
    case failingSynchronization
    /// Writes are said to be done, and are not. A disk that lies: what must never pass unnoticed.
    case lying
  }

  private let state = Mutex(Fault.none)
  private let disk: any RecordingDisk

  /// - Parameter disk: what stands behind it.
  public init(before disk: any RecordingDisk = SystemDisk()) { self.disk = disk }

  /// What goes wrong from now on.
  public var fault: Fault {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// As the disk behind it.
  public func makeFolder(_ url: URL) throws { try disk.makeFolder(url) }

  /// As the disk behind it; the file has the disk's faults, also those that come later.
  public func open(_ url: URL, isNew: Bool) throws -> any RecordingFile {
    FaultyDiskFile(try disk.open(url, isNew: isNew), of: self, path: url.path)
  }

  /// As the disk behind it.
  public func read(_ url: URL) throws -> Data { try disk.read(url) }

  /// As the disk behind it; fails where a write would.
  public func replace(_ url: URL, with data: Data) throws {
    switch fault {
    case .full, .shortWrite, .failingSynchronization:
      throw RecordingError.system(action: "write", path: url.path, number: EIO)
    case .slow(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .none, .lying: break
    }
    try disk.replace(url, with: data)
  }

  /// What still fits, if that is the fault; else as the disk behind it.
  public func freeBytes(_ folder: URL) -> Int64? {
    if case .full(let left) = fault { Int64(left) } else { disk.freeBytes(folder) }
  }

  /// Takes so many of the bytes that still fit.
  /// - Returns: how many there were; nil if there is no end of them.
  func take(_ count: Int) -> Int? {
    state.withLock { fault in
      guard case .full(let left) = fault else { return nil }
      let taken = min(left, count)
      fault = .full(afterBytes: left - taken)
      return taken
    }
  }
}
