import FileSupport
import Foundation
import ModelStorage
import Synchronization

/// Downloads a model of the catalogue, checks it, and installs it completely or not at all.
///
/// The archive goes to a hidden folder and stays there if the download is interrupted; the next one continues it. It is
/// unpacked in another hidden folder, and the model gets its name in one step.
package struct ModelInstaller: Sendable {
  /// What an installation does.
  package enum Step: Sendable, Equatable {
    /// Downloads: the bytes so far.
    case downloading(Int64)
    /// Reads the archive, and compares its SHA-256.
    case checking
    /// Unpacks the archive.
    case unpacking
  }

  private static let downloadPrefix = ".download-"
  /// A file in the folder of a download that another process wants to stop.
  private static let stopName = "stop"
  /// Bytes that must stay free: other programs need the disk too.
  private static let reserve: Int64 = 64 << 20
  /// The free space is looked up after so many bytes.
  private static let interval: Int64 = 8 << 20

  let store: ModelStore
  /// The model.
  package let entry: ModelCatalogue.Entry
  /// Whether a cancelled installation leaves its part of the archive to the next one.
  var keepsPart: Bool
  var freeSpace: @Sendable (String) -> Int64? = DiskSpace.free

  package init(_ entry: ModelCatalogue.Entry, store: ModelStore, keepsPart: Bool = true) {
    (self.entry, self.store, self.keepsPart) = (entry, store, keepsPart)
  }

  /// The folder of a model's download.
  private static func folder(of model: String, in store: ModelStore) -> URL {
    store.folder.appendingPathComponent(downloadPrefix + model)
  }

  /// Stops the download of a model, in whatever process. What was downloaded is kept for the next one.
  /// - Returns: whether the model was being downloaded. It is not any more then.
  package static func stop(_ model: String, in store: ModelStore) async throws -> Bool {
    let folder = folder(of: model, in: store)
    func isDownloaded() -> Bool {
      do { _ = try FolderLock(folder, .exclusive) } catch { return error.number == EWOULDBLOCK }
      return false
    }
    guard isDownloaded() else { return false }
    let stop = folder.appendingPathComponent(stopName)
    // Each of several processes that want the model takes it away.
    while isDownloaded() {
      try? Data().write(to: stop)
      try await Task.sleep(for: .milliseconds(150))
    }
    unlink(stop.path)
    return true
  }

  /// Installs the model.
  /// - Throws: `ModelError`, `CancellationError`, also if another process stopped the download.
  package func run(report: @escaping @Sendable (Step) -> Void = { _ in }) async throws -> InstalledModel {
    let stop = Self.folder(of: entry.name, in: store).appendingPathComponent(Self.stopName).path
    // A program that was killed may have left it.
    unlink(stop)
    return try await Task { try await install(report: report) }
      .value(lookingEvery: .milliseconds(100)) { unlink(stop) == 0 }
  }

  private func install(report: @escaping @Sendable (Step) -> Void) async throws -> InstalledModel {
    let importer = ModelImporter(store: store)
    try importer.checkIsFree(entry.name)
    let folder = Self.folder(of: entry.name, in: store)
    do {
      try FileManager.default.createDirectory(
        at: store.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      store.removeAbandoned()
      let lock = try await FolderLock.exclusive(creating: folder)
      defer { withExtendedLifetime(lock) {} }
      // Another program may have installed the model while this one waited.
      if let model = try? store.model(named: entry.name) {
        removeIfEmpty(folder)
        return model
      }
      let parts = entry.downloads.map { (file: $0, part: folder.appendingPathComponent($0.sha256 + ".part")) }
      try removeOthers(in: folder, but: parts.map(\.part))
      try checkSpace(besides: parts.reduce(0) { $0 + FileDownload.length(of: $1.part) })
      var done: Int64 = 0
      for (file, part) in parts {
        try await fetch(file, to: part, after: done, report)
        done += file.bytes
      }
      report(.unpacking)
      return try install(entry.archive == nil ? nil : parts[0].part, by: importer, folder)
    } catch let error as CancellationError {
      if !keepsPart { try? FileManager.default.removeItem(at: folder) }
      throw error
    } catch {
      removeIfEmpty(folder)
      return try importer.mapped(store.folder.path) { throw error }
    }
  }

  /// Unpacks the archive, or takes the files. They stay if the user cancels, or if the disk is full.
  private func install(_ archive: URL?, by importer: ModelImporter, _ folder: URL) throws -> InstalledModel {
    var isDone = true
    defer { if isDone { try? FileManager.default.removeItem(at: folder) } }
    do {
      return try importer.mapped(store.folder.path) {
        guard let archive else {
          return try importer.take(entry.origin) { try complete($0, from: folder) }
        }
        return try importer.unpack(archive, isWanted: entry.keeps) { root in
          try complete(root, from: folder)
          return entry.origin
        }
      }
    } catch {
      isDone = !(error is CancellationError) && (error as? ModelError)?.kind != .noSpace
      throw error
    }
  }

  /// Gives what was unpacked its names, and adds what was not in the archive.
  private func complete(_ root: URL, from folder: URL) throws {
    for (name, other) in entry.archive?.renamed ?? [:] {
      try FileManager.default.moveItem(
        at: root.appendingPathComponent(name), to: root.appendingPathComponent(other))
    }
    for file in entry.others ?? [] {
      // A link, so that the file stays for another attempt.
      try FileManager.default.linkItem(
        at: folder.appendingPathComponent(file.sha256 + ".part"), to: root.appendingPathComponent(file.name))
    }
  }

  /// Fetches a file from the first of its addresses that has it.
  /// - Parameter done: the bytes of what was fetched before.
  private func fetch(
    _ file: ModelCatalogue.File, to part: URL, after done: Int64, _ report: @escaping @Sendable (Step) -> Void
  ) async throws {
    for (index, address) in file.addresses.enumerated() {
      do {
        return try await fetch(file, from: address, to: part, after: done, report)
      } catch let error as ModelError where [.network, .malformed].contains(error.kind) {
        if index == file.addresses.count - 1 { throw error }
      }
    }
  }

  private func fetch(
    _ file: ModelCatalogue.File, from address: URL, to part: URL, after done: Int64,
    _ report: @escaping @Sendable (Step) -> Void
  ) async throws {
    // A wrong checksum is worth a second attempt only if the file continued an earlier part, which may be damaged.
    var hasOldPart = FileDownload.length(of: part) > 0
    while true {
      try await download(file, from: address, to: part, after: done, report)
      report(.checking)
      if try SHA256.hash(contentsOf: part).hexadecimal == file.sha256.lowercased() { return }
      try FileManager.default.removeItem(at: part)
      guard hasOldPart else {
        throw ModelError(
          .malformed,
          "The SHA-256 of \(address.absoluteString) differs from the catalogue's: the publisher changed "
            + "the file, or it was damaged. It was deleted.",
          remedy: "Try again; if it stays, take a newer version of this program, or another model.")
      }
      hasOldPart = false
    }
  }

  private func download(
    _ file: ModelCatalogue.File, from address: URL, to part: URL, after done: Int64,
    _ report: @escaping @Sendable (Step) -> Void
  ) async throws {
    let folder = store.folder.path
    let download = FileDownload(
      address: address, destination: part, size: file.bytes, limit: file.bytes,
      isAllowed: ModelCatalogue.isAllowed
    ) { [freeSpace, meter = SpaceMeter(interval: Self.interval)] bytes in
      report(.downloading(done + bytes))
      if meter.isDue(bytes), let free = freeSpace(folder), free < Self.reserve { throw noSpace() }
    }
    do {
      try await download.run()
    } catch let error as DownloadError {
      throw ModelError(.network, error, address: address.absoluteString)
    }
    guard FileDownload.length(of: part) == file.bytes else {
      throw ModelError(.network, DownloadError.wrongSize, address: address.absoluteString)
    }
  }

  private func checkSpace(besides present: Int64) throws(ModelError) {
    guard let free = freeSpace(store.folder.path) else { return }
    if entry.downloadBytes - present + entry.installedSize + Self.reserve > free { throw noSpace() }
  }

  private func noSpace() -> ModelError {
    let needed = entry.downloadBytes + entry.installedSize + Self.reserve
    return ModelError(
      .noSpace, "The disk has not enough space for the model '\(entry.name)' in \(store.folder.path).",
      remedy: "Free \(needed >> 20) MB, and type the same command again.")
  }

  /// Removes the parts of other versions.
  private func removeOthers(in folder: URL, but kept: [URL]) throws {
    let kept = kept.map(\.lastPathComponent)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !kept.contains(name) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private func removeIfEmpty(_ folder: URL) { rmdir(folder.path) }
}

/// Says after how many bytes the disk's free space is looked up again.
private final class SpaceMeter: Sendable {
  private let interval: Int64
  private let next = Mutex<Int64>(0)

  init(interval: Int64) { self.interval = interval }

  func isDue(_ bytes: Int64) -> Bool {
    next.withLock { next in
      guard bytes >= next else { return false }
      next = bytes + interval
      return true
    }
  }
}
