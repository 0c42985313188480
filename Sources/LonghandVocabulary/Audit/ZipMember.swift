import Foundation

#if os(Linux)
  import CArchive
#endif

/// A file in a zip archive, which is not trusted.
enum ZipMember {
  private static let maxEntries = 10_000

  /// The contents of a file in an archive; nil if there is no such file, or no archive.
  /// - Parameter limit: bytes; a larger file counts as none.
  static func read(_ name: String, of archive: Data, limit: Int) throws -> Data? {
    #if os(Linux)
      return archive.withUnsafeBytes { bytes in
        guard let reader = archive_read_new() else { return nil }
        defer { archive_read_free(reader) }
        archive_read_support_format_zip(reader)
        guard archive_read_open_memory(reader, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
          return nil
        }
        var entry: OpaquePointer?
        for _ in 0..<maxEntries where archive_read_next_header(reader, &entry) == ARCHIVE_OK {
          guard archive_entry_pathname(entry).map({ String(cString: $0) }) == name else { continue }
          return contents(reader, limit: limit)
        }
        return nil
      }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    private static func contents(_ reader: OpaquePointer, limit: Int) -> Data? {
      var contents = Data()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = archive_read_data(reader, &buffer, buffer.count)
        guard count >= 0, contents.count + count <= limit else { return nil }
        if count == 0 { return contents }
        contents += buffer[..<count]
      }
    }
  #endif
}
