import Foundation
import Longhand

/// A file of a `FaultyDisk`.
final class FaultyDiskFile: RecordingFile {
  private let file: any RecordingFile
  private let disk: FaultyDisk
  private let path: String
  /// The writes since the last synchronization.
  private var unsafe: [(data: Data, offset: UInt64)] = []

  init(_ file: any RecordingFile, of disk: FaultyDisk, path: String) {
    self.file = file
    self.disk = disk
    self.path = path
  }

  func length() throws -> UInt64 { try file.length() }

  func write(_ data: Data, at offset: UInt64) throws {
    switch disk.fault {
    case .lying: return
    case .slow(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .shortWrite:
      try file.write(data.prefix(data.count / 2), at: offset)
      throw RecordingError.system(action: "write", path: path, number: EIO)
    case .full:
      // Overwritten bytes take no additional space.
      let old = try file.length()
      let grown = Int(max(0, Int64(offset) + Int64(data.count) - Int64(old)))
      let fits = data.count - grown + (disk.take(grown) ?? grown)
      try file.write(data.prefix(fits), at: offset)
      guard fits == data.count else {
        throw RecordingError.system(action: "write", path: path, number: ENOSPC)
      }
    case .none, .failingSynchronization: break
    }
    try file.write(data, at: offset)
    unsafe.append((data, offset))
  }

  func extend(to length: UInt64) throws { if disk.fault != .lying { try file.extend(to: length) } }

  func synchronize() throws {
    switch disk.fault {
    case .failingSynchronization:
      for (data, offset) in unsafe { try file.write(Data(count: data.count), at: offset) }
      unsafe = []
      throw RecordingError.system(action: "synchronize", path: path, number: EIO)
    case .slow(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .none, .full, .shortWrite, .lying: break
    }
    unsafe = []
    try file.synchronize()
  }

  func close() { file.close() }
}
