import Foundation

/// A file that takes its place when it is whole, over what was there, or leaves no trace.
///
/// Not for more than one thread.
final class FileReplacement {
  /// Where the file is written until then.
  let handle: FileHandle
  private let place: URL
  private let temporary: URL
  private var isDone = false

  /// Begins a file beside `place`.
  /// - Throws: `CocoaError`.
  init(_ place: URL) throws {
    self.place = place
    temporary = place.appendingPathExtension("\(UUID().uuidString).part")
    try Data().write(to: temporary, options: .withoutOverwriting)
    handle = try FileHandle(forWritingTo: temporary)
  }

  deinit { abandon() }

  /// Puts the file in its place. Without this call it is removed.
  /// - Throws: `CocoaError`.
  func finish() throws {
    try handle.synchronize()
    try handle.close()
    guard rename(temporary.path, place.path) == 0 else {
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [
          NSFilePathErrorKey: place.path,
          NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(errno)),
        ])
    }
    isDone = true
  }

  private func abandon() {
    guard !isDone else { return }
    try? handle.close()
    try? FileManager.default.removeItem(at: temporary)
  }
}
