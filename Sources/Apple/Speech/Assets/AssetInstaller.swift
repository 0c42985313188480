import FileSupport
import Foundation
import Glibc
import SpeechServiceProtocol

/// Brings one language's model from its source and puts it in its place, whole or not at all.
///
/// Everything comes into a hidden folder beside the place, is checked there, and is renamed at last. What a
/// broken transfer leaves there is used by the next try; a cancelled installation leaves nothing.
struct AssetInstaller: Sendable {
  /// The folder in which each language has one.
  let place: URL
  let source: AssetSource?
  let locale: String
  /// How many bytes a folder's disk has left for this user; nil if that is not known.
  var freeSpace: @Sendable (String) -> Int64? = { path in
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, isMore) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isMore ? .max : Int64(clamping: bytes)
  }

  private var name: String { ModelLocations.folderName(locale: locale) }
  private var target: URL { place.appendingPathComponent(name) }
  private var hiddenPrefix: String { ".\(name)." }

  /// - Parameter report: hears how many bytes are here, of how many.
  /// - Throws: `AssetError`, `CancellationError`, and what the file system throws.
  func run(report: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void) async throws {
    guard let source else { throw AssetError.noSource }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let lock = try await lockPlace()
    defer { close(lock) }
    // Another program may have done it while this one waited.
    guard ModelLocations.find(locale: locale, in: [place.path]) == nil else { return }
    let (manifest, digest) = try await fetchManifest(from: source)
    let folder = place.appendingPathComponent(hiddenPrefix + digest.prefix(16) + ".partial")
    removeHidden(but: folder)
    try checkSpace(for: manifest, besides: folder)
    do {
      try await fetch(manifest, from: source, into: folder, report: report)
      try Task.checkCancellation()
      try moveIntoPlace(folder)
    } catch is CancellationError {
      removeHidden(but: nil)
      throw CancellationError()
    }
  }

  /// Keeps other programs from installing here at the same time; closing the descriptor lets them.
  private func lockPlace() async throws -> Int32 {
    let descriptor = open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
    do {
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else { throw CocoaError(.fileLocking) }
        try await Task.sleep(for: .milliseconds(100))
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private func fetchManifest(from source: AssetSource) async throws -> (AssetManifest, digest: String) {
    let file = place.appendingPathComponent(hiddenPrefix + UUID().uuidString + ".manifest")
    defer { try? FileManager.default.removeItem(at: file) }
    try await source.bring(
      "\(name)/\(AssetManifest.name)", to: file, size: nil, limit: AssetManifest.maximumLength,
      report: { _ in })
    let data = try Data(contentsOf: file)
    return (try AssetManifest.read(data, locale: locale), SHA256.hash(data: data).hexadecimal)
  }

  private func fetch(
    _ manifest: AssetManifest, from source: AssetSource, into folder: URL,
    report: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws {
    let total = manifest.size
    var done: Int64 = 0
    report(0, total)
    for file in manifest.files {
      let destination = folder.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(
        at: destination.deletingLastPathComponent(), withIntermediateDirectories: true)
      let before = done
      try await fetch(file, from: source, to: destination) { report(before + min($0, file.size), total) }
      done += file.size
      report(done, total)
    }
  }

  private func fetch(
    _ file: AssetManifest.File, from source: AssetSource, to destination: URL,
    report: @escaping @Sendable (Int64) -> Void
  ) async throws {
    // A second time only if a part of the first came from an earlier try, and may be of something else.
    var hasOldPart = try AssetSource.length(of: destination) > 0
    while true {
      try await source.bring(
        "\(name)/\(file.path)", to: destination, size: file.size, limit: file.size, report: report)
      if try SHA256.hash(contentsOf: destination).hexadecimal == file.sha256.lowercased() { break }
      try FileManager.default.removeItem(at: destination)
      guard hasOldPart else { throw AssetError.wrongChecksum(file.path) }
      hasOldPart = false
    }
    let handle = try FileHandle(forUpdating: destination)
    defer { try? handle.close() }
    try handle.synchronize()
  }

  private func moveIntoPlace(_ folder: URL) throws {
    if FileManager.default.fileExists(atPath: target.path) {
      // There is something, but not a whole model.
      let aside = place.appendingPathComponent(hiddenPrefix + UUID().uuidString + ".old")
      try FileManager.default.moveItem(at: target, to: aside)
    }
    try FileManager.default.moveItem(at: folder, to: target)
    removeHidden(but: nil)
  }

  private func removeHidden(but kept: URL?) {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    for entry in entries where entry.hasPrefix(hiddenPrefix) && entry != kept?.lastPathComponent {
      try? FileManager.default.removeItem(at: place.appendingPathComponent(entry))
    }
  }

  private func checkSpace(for manifest: AssetManifest, besides folder: URL) throws {
    let here = try manifest.files.reduce(Int64(0)) {
      $0 + (try AssetSource.length(of: folder.appendingPathComponent($1.path)))
    }
    guard let free = freeSpace(place.path) else { return }
    if manifest.size - here > free { throw AssetError.noSpace(needed: manifest.size) }
  }
}
