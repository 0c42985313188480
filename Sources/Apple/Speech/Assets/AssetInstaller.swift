import FileSupport
import Foundation
import ModelInstallation
import SpeechServiceProtocol

/// Copies one language's model from its source into the folder of models, completely or not at all.
///
/// All files go to a hidden folder beside the target, are checked there, and then the folder is renamed. The next attempt
/// continues an interrupted transfer. A cancelled installation removes everything.
struct AssetInstaller: Sendable {
  /// The folder of models. Each language has a folder in it.
  let folder: URL
  let source: AssetSource?
  let locale: String
  /// The free space of a folder's disk for this user, in bytes; nil if unknown.
  var freeSpace: @Sendable (String) -> Int64? = DiskSpace.free

  private var name: String { ModelLocations.folderName(locale: locale) }
  private var target: URL { folder.appendingPathComponent(name) }
  private var hiddenPrefix: String { ".\(name)." }

  /// - Parameter report: receives the number of bytes so far and the total.
  /// - Throws: `AssetError`, `CancellationError`, and errors of the file system.
  func run(report: @escaping @Sendable (_ completed: Int64, _ total: Int64) -> Void) async throws {
    guard let source else { throw AssetError.noSource }
    // Against other programs that install models.
    let lock = try await FolderLock.exclusive(creating: folder)
    defer { withExtendedLifetime(lock) {} }
    // Another program may have installed the model while this one waited.
    guard ModelLocations.find(locale: locale, in: [folder.path]) == nil else { return }
    let (manifest, digest) = try await fetchManifest(from: source)
    let draft = folder.appendingPathComponent(hiddenPrefix + digest.prefix(16) + ".partial")
    removeHidden(except: draft)
    try checkSpace(for: manifest, besides: draft)
    do {
      try await fetch(manifest, from: source, into: draft, report: report)
      try Task.checkCancellation()
      try publish(draft)
    } catch is CancellationError {
      removeHidden(except: nil)
      throw CancellationError()
    }
  }

  private func fetchManifest(from source: AssetSource) async throws -> (AssetManifest, digest: String) {
    let file = folder.appendingPathComponent(hiddenPrefix + UUID().uuidString + ".manifest")
    defer { try? FileManager.default.removeItem(at: file) }
    try await source.copy(
      "\(name)/\(AssetManifest.name)", to: file, size: nil, limit: AssetManifest.maxLength,
      report: { _ in })
    let data = try Data(contentsOf: file)
    return (try AssetManifest.read(data, locale: locale), SHA256.hash(data: data).hexadecimal)
  }

  private func fetch(
    _ manifest: AssetManifest, from source: AssetSource, into draft: URL,
    report: @escaping @Sendable (Int64, Int64) -> Void
  ) async throws {
    let total = manifest.size
    var done: Int64 = 0
    report(0, total)
    for file in manifest.files {
      let destination = draft.appendingPathComponent(file.path)
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
    // A wrong checksum is worth a second attempt only if the file continued an earlier part, which may be of another
    // version.
    var hasOldPart = FileDownload.length(of: destination) > 0
    while true {
      try await source.copy(
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

  private func publish(_ draft: URL) throws {
    if FileManager.default.fileExists(atPath: target.path) {
      // The existing folder is not a complete model.
      let aside = folder.appendingPathComponent(hiddenPrefix + UUID().uuidString + ".old")
      try FileManager.default.moveItem(at: target, to: aside)
    }
    try FileManager.default.moveItem(at: draft, to: target)
    removeHidden(except: nil)
  }

  private func removeHidden(except kept: URL?) {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for entry in entries where entry.hasPrefix(hiddenPrefix) && entry != kept?.lastPathComponent {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(entry))
    }
  }

  private func checkSpace(for manifest: AssetManifest, besides draft: URL) throws {
    let present = manifest.files.reduce(Int64(0)) {
      $0 + FileDownload.length(of: draft.appendingPathComponent($1.path))
    }
    guard let free = freeSpace(folder.path) else { return }
    if manifest.size - present > free { throw AssetError.noSpace(needed: manifest.size) }
  }
}
