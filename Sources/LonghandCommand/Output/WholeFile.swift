import FileSupport
import Foundation

/// Writes a file completely or not at all. Only the owner can read it.
struct WholeFile: Sendable {
  /// The path, as the user wrote it.
  let path: String
  /// Whether an existing file is replaced.
  let replaces: Bool

  /// Checks before the work whether `write` can succeed.
  func check() throws {
    var status = stat()
    if stat(path.systemName, &status) == 0 {
      if status.isFolder {
        throw Failure(.output, "The output \(path) is a folder.", hint: "Name a file in it.")
      }
      if status.isStream { return }
      guard replaces else { throw exists }
    } else if lstat(path.systemName, &status) == 0, !replaces {
      // A broken link exists too.
      throw exists
    } else if errno == ENAMETOOLONG {
      throw Failure(
        .output, "The name of the output is too long.", input: path, hint: "Choose a shorter one.")
    }
    guard stat(folder.systemName, &status) == 0, status.isFolder else {
      throw Failure(.output, "There is no folder \(folder).", hint: "Create it: mkdir -p '\(folder)'")
    }
    guard access(folder.systemName, W_OK | X_OK) == 0 else {
      throw Failure.system(
        errno, .output, "Cannot write to the folder \(folder)",
        hint: "Choose another folder with --output-dir or -o.")
    }
  }

  /// Writes the file under a temporary name in the same folder, syncs it to disk, then renames it in one step.
  func write(_ text: String) throws { try write(Data(text.utf8)) }

  /// As `write`, with bytes.
  func write(_ data: Data) throws {
    var status = stat()
    if stat(path.systemName, &status) == 0, status.isStream { return try writeThrough(data) }
    let temporary = "\(targetFolder)/.longhand-\(UUID().uuidString).tmp"
    TemporaryFiles.add(temporary)
    defer { TemporaryFiles.remove(temporary) }
    do {
      let file = try AtomicFile(target, temporary: temporary, permissions: 0o600)
      try file.write(data)
      try file.publish(replacing: replaces)
    } catch {
      throw !replaces && error.number == EEXIST ? exists : failure(error.number)
    }
  }

  /// The name of the file that holds the text of interrupted work.
  static func partial(of path: String) -> String { path + ".partial" }

  /// Writes the text of interrupted work into a file beside this one. It replaces that of an earlier run. A device or a
  /// pipe takes the text itself.
  /// - Returns: the path of the file that was written.
  func writePartial(_ data: Data) throws -> String {
    var status = stat()
    let isStream = stat(path.systemName, &status) == 0 && status.isStream
    let file = isStream ? self : WholeFile(path: Self.partial(of: path), replaces: true)
    try file.write(data)
    return file.path
  }

  /// Devices and pipes (`/dev/null`, a FIFO) take the bytes as they come.
  private func writeThrough(_ data: Data) throws {
    let descriptor = open(path.systemName, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    do { try AtomicFile.write(data, to: descriptor) } catch { throw failure(error.number) }
  }

  /// The file to replace: if `path` is a link, the file that it points to, so that the link stays.
  private var target: String { replaces ? path.resolvedSystemName ?? path : path }

  private var folder: String { PathName.folder(of: path) }
  private var targetFolder: String { PathName.folder(of: target) }

  private var exists: Failure {
    Failure(
      .outputExists, "The file \(path) already exists.",
      hint: "Replace it with --force, or choose another name.")
  }

  private func failure(_ number: Int32) -> Failure {
    .system(
      number, .output, "Cannot write the file \(path)",
      hint: number == ENOSPC ? nil : "Check the folder and its permissions, or choose another name.")
  }
}
