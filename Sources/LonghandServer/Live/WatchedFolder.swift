import Foundation
import Longhand
import Synchronization

/// Imports the audio and video files that arrive in a folder and in the folders in it, each once.
final class WatchedFolder: Sendable {
  /// Seconds between two looks.
  private static let interval = 2.0
  /// Seconds until a file is tried again that could not be copied.
  private static let delay = 60.0
  /// The deepest folder.
  private static let maxDepth = 16

  private struct State {
    /// The folder; nil for none.
    var folder: URL?
    var known: WatchedFiles
    var arriving = ArrivingFiles()
    /// The files that are not done yet.
    var waiting: [String] = []
    /// Why the folder, or files that are tried again, could not be read; by their paths.
    var problems: [String: String] = [:]
    var isEnded = false
  }

  /// Whether clients may choose the folder.
  let isChangeable: Bool

  private let library: Library
  private let imports: ImportHost
  private let recoveries: RecoveryHost
  private let hub: LiveHub
  private let state: Mutex<State>
  private let wake = DispatchSemaphore(value: 0)

  /// Begins to watch.
  /// - Parameters:
  ///   - folder: the folder; nil for the one that a client chose before.
  ///   - isChangeable: whether clients may choose the folder.
  /// - Throws: `ServerError` if it is no folder that can be watched.
  init(
    _ path: String?, of library: Library, imports: ImportHost, recoveries: RecoveryHost, hub: LiveHub,
    isChangeable: Bool
  ) throws {
    let folder: URL?
    do {
      folder = try path.map { try Self.folder($0, of: library) }
    } catch let error as HTTPError {
      throw ServerError(error.message, remedy: "name another folder after --watch")
    }
    (self.library, self.imports, self.recoveries, self.hub) = (library, imports, recoveries, hub)
    self.isChangeable = isChangeable
    let known = WatchedFiles(of: library)
    state = Mutex(State(folder: folder ?? known.folder.map { URL(fileURLWithPath: $0) }, known: known))
    // A thread: files are read and copied.
    Thread.detachNewThread { [self] in
      while !state.withLock(\.isEnded) {
        look()
        _ = wake.wait(timeout: .now() + Self.interval)
      }
    }
  }

  /// Stops watching. A file that is being copied is copied to its end, or again by a later server.
  func stop() {
    state.withLock { $0.isEnded = true }
    wake.signal()
  }

  /// What is watched, as the API sends it.
  var document: JSONValue {
    state.withLock { state in
      let failed = state.known.files.compactMapValues(\.problem).filter { path, _ in
        state.folder.map { path.hasPrefix($0.path + "/") } ?? false
      }
      let problems = failed.merging(state.problems) { $1 }.sorted { $0.key < $1.key }
      return .object([
        ("folder", state.folder.map { .string($0.path) } ?? .null), ("isChangeable", .boolean(isChangeable)),
        ("waiting", .array(state.waiting.map(JSONValue.string))),
        (
          "problems",
          .array(problems.map { .object([("file", .string($0.key)), ("message", .string($0.value))]) })
        ),
      ])
    }
  }

  /// Watches another folder, also after the next start of a server.
  /// - Parameter path: nil to watch none.
  /// - Throws: `HTTPError` if clients may not choose it, or it is no folder.
  func choose(_ path: String?) throws {
    guard isChangeable else {
      throw HTTPError(
        .forbidden, "Other computers can connect, so only 'longhand serve --watch DIR' chooses the folder.",
        code: "not_changeable")
    }
    let folder = try path.map { try Self.folder($0, of: library) }
    try state.withLock { state in
      var known = state.known
      known.folder = folder?.path
      do { try known.save(in: library) } catch let error as RecordingError {
        throw HTTPError(error.isFullDisk ? .diskFull : .serverError, error.description)
      }
      state.known = known
      (state.folder, state.arriving, state.waiting, state.problems) = (folder, ArrivingFiles(), [], [:])
    }
    wake.signal()
  }

  /// The folder with a path, which may begin with `~`.
  /// - Throws: `HTTPError`.
  static func folder(_ path: String, of library: Library) throws -> URL {
    let path = (path as NSString).expandingTildeInPath
    guard path.hasPrefix("/"), stamp(path, isFollowed: true)?.isFolder == true,
      access(path, R_OK | X_OK) == 0
    else {
      throw HTTPError(
        .badRequest, "'\(path)' is no folder that the server can read. Write its whole path.",
        parameter: "folder", code: "no_folder")
    }
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    guard !(folder.path + "/").hasPrefix(library.url.resolvingSymlinksInPath().path + "/") else {
      throw HTTPError(
        .badRequest, "'\(path)' belongs to the library. Choose another folder.", parameter: "folder",
        code: "no_folder")
    }
    return folder
  }

  /// Looks at the folder once, and imports what has arrived.
  private func look() {
    guard let folder = state.withLock(\.folder) else { return }
    var found: [String: ArrivingFiles.Stamp] = [:]
    let isReadable = find(in: folder.path, depth: 0, &found)
    let ready = state.withLock { state -> [String] in
      guard state.folder == folder else { return [] }
      state.problems[folder.path] = isReadable ? nil : "The folder cannot be read."
      // An empty folder may be one that is not mounted now.
      if !found.isEmpty {
        state.known.files = state.known.files.filter {
          found[$0.key] != nil || !$0.key.hasPrefix(folder.path + "/")
        }
      }
      let new = found.filter { path, stamp in
        let known = state.known.files[path]
        return known?.size != stamp.size || known?.modified != stamp.modified
      }
      state.problems = state.problems.filter { $0.key == folder.path || new[$0.key] != nil }
      state.waiting = new.keys.sorted()
      return state.arriving.look(new, now: ProcessInfo.processInfo.systemUptime)
    }
    for path in ready where !state.withLock({ $0.isEnded || $0.folder != folder }) {
      // The sessions before it come first, so that not all files are copied at once.
      guard !recoveries.isBusy else { return }
      take(path, found[path])
    }
  }

  private func take(_ path: String, _ stamp: ArrivingFiles.Stamp?) {
    guard let stamp, let descriptor = Self.complete(path) else { return }
    defer { close(descriptor) }
    do {
      let digest = try Library.sha256(of: URL(fileURLWithPath: path))
      guard Self.stamp(path, isFollowed: true)?.file == stamp else { return }
      var file = WatchedFiles.File(size: stamp.size, modified: stamp.modified, sha256: digest)
      let isKnown = state.withLock { state in
        state.known.files.values.contains { $0.sha256 == digest && $0.problem == nil }
      }
      if try !isKnown && library.session(withFile: digest, size: stamp.size) == nil {
        do {
          _ = try imports.take(
            descriptor, named: (path as NSString).lastPathComponent, choice: nil,
            modified: stamp.modified * 1000)
        } catch let error as HTTPError where error.code == "undecodable" {
          file.problem = error.message
        }
        hub.storeChanged()
      }
      try state.withLock { state in
        state.known.files[path] = file
        state.waiting.removeAll { $0 == path }
        state.problems[path] = nil
        try state.known.save(in: library)
      }
    } catch {
      let message = (error as? HTTPError)?.message ?? "\(error)"
      state.withLock { state in
        state.problems[path] = message
        state.arriving.delay(path, until: ProcessInfo.processInfo.systemUptime + Self.delay)
      }
    }
  }

  /// Adds the audio and video files in a folder and in the folders in it. Links to folders are not followed, because they
  /// may lead back.
  /// - Returns: whether the folder can be read.
  private func find(in folder: String, depth: Int, _ files: inout [String: ArrivingFiles.Stamp]) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
    for name in names where !name.hasPrefix(".") {
      let path = folder + "/" + name
      guard let entry = Self.stamp(path, isFollowed: false) else { continue }
      if entry.isFolder {
        // The library has audio files too.
        if depth < Self.maxDepth, path != library.url.resolvingSymlinksInPath().path {
          _ = find(in: path, depth: depth + 1, &files)
        }
      } else if AudioFileSource.extensions.contains((name as NSString).pathExtension.lowercased()) {
        files[path] = Self.stamp(path, isFollowed: true)?.file
      }
    }
    return true
  }

  /// What is at a path: a folder, or a file with its stamp; nil if there is neither.
  private static func stamp(
    _ path: String, isFollowed: Bool
  ) -> (isFolder: Bool, file: ArrivingFiles.Stamp?)? {
    var status = stat()
    guard (isFollowed ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    let modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    return (
      kind == S_IFDIR,
      kind == S_IFREG
        ? ArrivingFiles.Stamp(size: Int64(status.st_size), modified: modified, number: UInt64(status.st_ino))
        : nil
    )
  }

  /// Linux's commands for `fcntl`, which are not visible to Swift.
  private static let (setSignal, setLease): (Int32, Int32) = (10, 1024)

  /// Opens a file; nil if it cannot be opened, or another program still writes to it.
  private static func complete(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    // A lease for readers is granted only while no program has the file open for writing. Some file systems have none. The
    // signal that would end it is one that is ignored.
    _ = fcntl(descriptor, setSignal, SIGURG)
    let isWritten = fcntl(descriptor, setLease, F_RDLCK) != 0 && errno == EAGAIN
    _ = fcntl(descriptor, setLease, F_UNLCK)
    guard isWritten else { return descriptor }
    close(descriptor)
    return nil
  }
}
