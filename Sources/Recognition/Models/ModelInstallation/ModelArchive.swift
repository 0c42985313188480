import CArchive
import FileSupport
import Foundation
import ModelStorage

/// An archive of a model, which is not trusted: it can write only regular files below one folder, and not too much.
struct ModelArchive {
  /// What an archive may hold at most.
  struct Limits: Sendable {
    /// The bytes of all files.
    var bytes: Int64 = 8 << 30
    /// The bytes of all files, as a multiple of the archive's size.
    var ratio: Int64 = 200
    /// The entries: files and folders.
    var entries = 10_000
  }

  /// The archive: tar, compressed or not, or zip.
  let file: URL
  var limits = Limits()

  /// Writes the files into a folder that exists and is empty.
  /// - Parameters:
  ///   - folder: the folder.
  ///   - isWanted: whether a file of this name, without its folders, is written; others are only checked.
  /// - Throws: `ModelError`, `AtomicFile.Failure` if the disk fails, `CancellationError`.
  func extract(into folder: URL, isWanted: (String) -> Bool = { _ in true }) throws {
    try Self.withUnicodeNames { try read(into: folder, isWanted) }
  }

  /// libarchive converts names to the locale of the thread, and refuses what that cannot write. The program sets none.
  private static func withUnicodeNames(_ body: () throws -> Void) rethrows {
    guard let locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) else { return try body() }
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    try body()
  }

  private func read(into folder: URL, _ isWanted: (String) -> Bool) throws {
    guard let archive = archive_read_new() else { throw AtomicFile.Failure(number: ENOMEM) }
    defer { archive_read_free(archive) }
    archive_read_support_format_tar(archive)
    archive_read_support_format_zip(archive)
    archive_read_support_filter_bzip2(archive)
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_xz(archive)
    archive_read_support_filter_zstd(archive)
    guard archive_read_open_filename(archive, file.path, 1 << 16) == ARCHIVE_OK else {
      throw malformed(message(of: archive))
    }
    let (most, isMore) = FileDownload.length(of: file).multipliedReportingOverflow(by: limits.ratio)
    var budget = min(limits.bytes, isMore ? .max : most)
    var count = 0
    var entry: OpaquePointer?
    while true {
      let status = archive_read_next_header(archive, &entry)
      if status == ARCHIVE_EOF { break }
      // A warning is about a name or a property that cannot be converted. The path is checked below.
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else {
        throw malformed(message(of: archive))
      }
      count += 1
      guard count <= limits.entries else { throw tooLarge("it has more than \(limits.entries) entries") }
      let path = try Self.path(of: entry, in: self)
      let target = folder.appendingPathComponent(path).path
      if archive_entry_filetype(entry) == Self.folderType {
        try makeFolder(target)
        continue
      }
      guard archive_entry_size(entry) <= budget else { throw tooLarge() }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if isWanted(name) {
        try makeFolder((target as NSString).deletingLastPathComponent)
        try write(archive, to: target, name: path, budget: &budget)
      } else {
        try readParts(archive, budget: &budget) { _ in }
      }
    }
    if count == 0 { throw malformed("it is empty") }
  }

  private static let folderType = mode_t(0o040000)
  private static let fileType = mode_t(0o100000)

  /// The path of an entry, which stays inside the folder.
  private static func path(of entry: OpaquePointer, in archive: ModelArchive) throws(ModelError) -> String {
    let name = (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)).map {
      String(cString: $0)
    }
    guard let name, !name.isEmpty, name.utf8.count <= 1000 else {
      throw archive.malformed("an entry has no name that can be read")
    }
    func refused(_ reason: String) -> ModelError {
      ModelError(
        .unsafeArchive,
        "The archive \(archive.file.path) is refused: its entry '\(name.prefix(80))' \(reason).",
        remedy: "Take the archive from its publisher, or unpack it yourself and import the folder.")
    }
    guard archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil,
      archive_entry_hardlink_utf8(entry) == nil, archive_entry_symlink_utf8(entry) == nil
    else {
      throw refused("is a link")
    }
    let type = archive_entry_filetype(entry)
    guard type == folderType || type == fileType else { throw refused("is neither a file nor a folder") }
    guard !name.hasPrefix("/"), !name.contains("\\"), !name.contains(":") else {
      throw refused("has an absolute path, or one of another system")
    }
    guard name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
      throw refused("has control characters in its name")
    }
    let parts = name.split(separator: "/").filter { $0 != "." }
    guard !parts.contains("..") else { throw refused("would be written outside of the model's folder") }
    return parts.joined(separator: "/")
  }

  private func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch let error as CocoaError where error.code == .fileWriteFileExists {
      throw malformed("a file and a folder have the same name")
    }
  }

  private func write(_ archive: OpaquePointer, to path: String, name: String, budget: inout Int64) throws {
    let output = open(path.systemName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard output >= 0 else {
      throw errno == EEXIST ? malformed("it has \(name) twice") : AtomicFile.Failure(number: errno)
    }
    defer { close(output) }
    try readParts(archive, budget: &budget) { try AtomicFile.write(Data($0), to: output) }
  }

  private func readParts(
    _ archive: OpaquePointer, budget: inout Int64, _ receive: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      while true {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw malformed(message(of: archive)) }
        if count == 0 { return }
        budget -= Int64(count)
        guard budget >= 0 else { throw tooLarge() }
        try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        try Task.checkCancellation()
      }
    }
  }

  private func malformed(_ reason: String) -> ModelError {
    ModelError(
      .malformed, "The archive \(file.path) cannot be unpacked: \(reason).",
      remedy: "Check that it is a whole tar or zip archive, or download it again.")
  }

  private func tooLarge(_ reason: String? = nil) -> ModelError {
    let reason =
      reason ?? "its files are larger than \(limits.bytes) bytes, or than \(limits.ratio) times the archive"
    return ModelError(
      .unsafeArchive, "The archive \(file.path) is refused: \(reason).",
      remedy: "Unpack it yourself, and import the folder.")
  }

  private func message(of archive: OpaquePointer) -> String {
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
    // The sentence around it has its own end.
    return message.hasSuffix(".") ? String(message.dropLast()) : message
  }
}
