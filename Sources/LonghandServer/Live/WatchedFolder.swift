import FileSupport
import Foundation
import Longhand
import Synchronization

/// Imports the audio and video files that arrive in a folder and in the folders in it, each once.
final class WatchedFolder: Sendable {
  /// Seconds between two looks.
  private static let interval = 2.0
  /// Seconds until a file is tried again that could not be copied.
  private static let delay = 60.0

  private struct State {
    /// The path of the folder, see `String(systemName:)`, as all paths here; nil for none.
    var folder: String?
    var known: WatchedFiles
    var arriving = ArrivingFiles()
    /// The files that are not done yet.
    var waiting: [String] = []
    /// Why folders, and files that are tried again, could not be read; by their paths.
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
    let folder: String?
    do {
      folder = try path.map { try Self.folder($0, of: library) }
    } catch let error as HTTPError {
      throw ServerError(error.message, remedy: "name another folder after --watch")
    }
    (self.library, self.imports, self.recoveries, self.hub) = (library, imports, recoveries, hub)
    self.isChangeable = isChangeable
    let known = WatchedFiles(of: library)
    state = Mutex(State(folder: folder ?? known.folder, known: known))
    // A thread: files are read and copied.
    Thread.detachNewThread { [self] in
      while !state.withLock(\.isEnded) {
        if library.stopRequests.remove(StopRequests.watching) { try? watch(nil) }
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

  /// Whether there is a folder to watch.
  var isWatching: Bool { state.withLock { $0.folder != nil } }

  /// What is watched, as the API sends it.
  var document: JSONValue {
    state.withLock { state in
      let failed = state.known.files.compactMapValues { $0.problem ?? $0.note }.filter { path, _ in
        state.folder.map { path.hasPrefix($0 + "/") } ?? false
      }
      let problems = failed.merging(state.problems) { $1 }.sorted { $0.key < $1.key }.map {
        JSONValue.object([("file", .string($0.key.readableName)), ("message", .string($0.value))])
      }
      return .object([
        ("folder", state.folder.map { .string($0.readableName) } ?? .null),
        ("isChangeable", .boolean(isChangeable)),
        ("waiting", .array(state.waiting.map { .string($0.readableName) })), ("problems", .array(problems)),
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
    try watch(path.map { try Self.folder($0, of: library) })
    wake.signal()
  }

  private func watch(_ folder: String?) throws {
    try state.withLock { state in
      var known = state.known
      known.folder = folder
      do { try known.save(in: library) } catch let error as RecordingError {
        throw HTTPError(error.isFullDisk ? .diskFull : .serverError, error.description)
      }
      state.known = known
      (state.folder, state.arriving, state.waiting, state.problems) = (folder, ArrivingFiles(), [], [:])
    }
  }

  /// The folder with a path, which may begin with `~`.
  /// - Throws: `HTTPError`.
  static func folder(_ path: String, of library: Library) throws -> String {
    let path = (path as NSString).expandingTildeInPath
    guard path.hasPrefix("/"), stamp(path, isFollowed: true)?.isFolder == true,
      access(path.systemName, R_OK | X_OK) == 0, let folder = path.resolvedSystemName
    else {
      throw HTTPError(
        .badRequest, "'\(path.readableName)' is no folder that the server can read. Write its whole path.",
        parameter: "folder", code: "no_folder")
    }
    guard !(folder + "/").hasPrefix(library.url.resolvingSymlinksInPath().path + "/") else {
      throw HTTPError(
        .badRequest, "'\(path.readableName)' belongs to the library. Choose another folder.",
        parameter: "folder", code: "no_folder")
    }
    return folder
  }

  /// Looks at the folder once, and imports what has arrived.
  private func look() {
    guard let folder = state.withLock(\.folder) else { return }
    let (found, problems) = find(in: folder)
    let ready = state.withLock { state -> [String] in
      guard state.folder == folder else { return [] }
      // An empty folder may be one that is not mounted now. Others cannot be read now.
      if !found.isEmpty {
        state.known.files = state.known.files.filter { path, _ in
          found[path] != nil || !path.hasPrefix(folder + "/")
            || problems.keys.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
      }
      let new = found.filter { path, stamp in
        let known = state.known.files[path]
        return known?.size != stamp.size || known?.modified != stamp.modified
      }
      state.problems = problems.merging(state.problems.filter { new[$0.key] != nil }) { $1 }
      state.waiting = new.keys.sorted()
      return state.arriving.look(new, now: ProcessInfo.processInfo.systemUptime)
    }
    for path in ready where !state.withLock({ $0.isEnded || $0.folder != folder }) {
      // The sessions before it come first, so that not all files are copied at once.
      guard !recoveries.isBusy else { return }
      if let stamp = found[path] { take(path, stamp) }
    }
  }

  private func take(_ path: String, _ stamp: ArrivingFiles.Stamp) {
    do {
      guard let descriptor = try Self.complete(path) else { return }
      defer { close(descriptor) }
      // The path may not be one that Foundation can use.
      let content = URL(fileURLWithPath: "/dev/fd/\(descriptor)")
      let digest = try Library.sha256(of: content)
      guard Self.stamp(path, isFollowed: true)?.file == stamp else { return }
      var file = WatchedFiles.File(size: stamp.size, modified: stamp.modified, sha256: digest)
      let isKnown = state.withLock { $0.known.hasImported(digest) }
      if try !isKnown && library.session(withFile: digest, size: stamp.size) == nil {
        let before = state.withLock { $0.known.files[path] }
        let isDoubtful = before.map { $0.problem == nil } == true || Self.isCutOff(content)
        let now = ProcessInfo.processInfo.systemUptime
        guard !isDoubtful || !state.withLock({ $0.arriving.doubt(path, now: now) }) else { return }
        do {
          file.note = try add(descriptor, content, path, stamp, after: before)
        } catch let error as HTTPError where error.code == "undecodable" {
          file.problem = error.message
        }
        hub.storeChanged()
      }
      try state.withLock { state in
        state.known.add(file, at: path)
        state.waiting.removeAll { $0 == path }
        state.problems[path] = nil
        try state.known.save(in: library)
      }
    } catch {
      let message =
        (error as? HTTPError)?.message ?? "'\(Self.name(path))' is not imported: \(error.explanation)."
      state.withLock { state in
        state.problems[path] = message
        state.arriving.delay(path, until: ProcessInfo.processInfo.systemUptime + Self.delay)
      }
    }
  }

  /// Imports a file or, if it has grown since it was imported, adds its rest to its session.
  /// - Parameter before: the file when it was imported; nil if it was not.
  /// - Returns: what a person should know about it; nil for nothing.
  private func add(
    _ descriptor: Int32, _ content: URL, _ path: String, _ stamp: ArrivingFiles.Stamp,
    after before: WatchedFiles.File?
  ) throws -> String? {
    // A session's name is cut at a backslash, as the paths of some clients, so that a byte that is not UTF-8 is one sign.
    let name = String(
      decoding: (path as NSString).lastPathComponent.systemName.dropLast().map(UInt8.init(bitPattern:)),
      as: UTF8.self)
    let continued = try before.flatMap {
      try library.session(continuedBy: content, from: $0.size, $0.sha256)
    }
    let earlier = try before.flatMap { try library.session(withFile: $0.sha256, size: $0.size) }
    _ = try imports.take(
      descriptor, named: name, choice: nil, modified: stamp.modified * 1000, session: continued?.id)
    guard continued == nil else { return nil }
    return earlier.map {
      "'\(name)' changed after it was imported. It is a session of its own, beside the session \($0.id.prefix(8))."
    }
  }

  /// The audio and video files in a folder and in the folders in it. Links to folders are not followed, because they may lead
  /// back.
  /// - Returns: the files, and why others could not be read.
  private func find(in root: String) -> (files: [String: ArrivingFiles.Stamp], problems: [String: String]) {
    var files: [String: ArrivingFiles.Stamp] = [:]
    var problems: [String: String] = [:]
    let own = library.url.resolvingSymlinksInPath().path
    var folders = [root]
    while let folder = folders.popLast() {
      guard let names = folder.namesInFolder else {
        problems[folder] = Self.unreadable(folder)
        continue
      }
      for name in names where !name.hasPrefix(".") {
        let path = folder + "/" + name
        let entry = Self.stamp(path, isFollowed: false)
        if entry == nil, errno != ENOENT {
          problems[path] = Self.unreadable(path)
        } else if entry?.isFolder == true {
          // The library has audio files too.
          if path != own { folders.append(path) }
        } else if AudioFileSource.extensions.contains((name as NSString).pathExtension.lowercased()) {
          if let file = Self.stamp(path, isFollowed: true)?.file, files[path] == nil {
            files[path] = file
          } else {
            // Also a second file whose name looks the same.
            problems[path] =
              "'\(name.readableName)' is not imported: it is no file, or has the name of another one."
          }
        }
      }
    }
    return (files, problems)
  }

  /// The name of a file or a folder for people.
  private static func name(_ path: String) -> String { (path as NSString).lastPathComponent.readableName }

  /// Why the last call of the system failed, for people.
  private static func unreadable(_ path: String) -> String {
    let why = String(cString: strerror(errno))
    return "'\(name(path))' cannot be read: \(why)."
  }

  /// Whether a file states more audio than it has.
  private static func isCutOff(_ file: URL) -> Bool {
    guard let audio = try? AudioFileSource(file), let stated = audio.statedDuration else { return false }
    return stated > audio.duration
  }

  /// What is at a path: a folder, or a file with its stamp; nil if there is neither.
  private static func stamp(
    _ path: String, isFollowed: Bool
  ) -> (isFolder: Bool, file: ArrivingFiles.Stamp?)? {
    var status = stat()
    guard (isFollowed ? stat(path.systemName, &status) : lstat(path.systemName, &status)) == 0 else {
      return nil
    }
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

  /// Opens a file; nil if another program still writes to it.
  /// - Throws: `HTTPError` if it cannot be opened.
  private static func complete(_ path: String) throws -> Int32? {
    let descriptor = open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw HTTPError(.serverError, unreadable(path))
    }
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
