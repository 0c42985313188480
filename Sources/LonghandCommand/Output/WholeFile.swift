import FileSupport
import Foundation

/// A file that appears whole or not at all, and that its owner alone may read.
struct WholeFile: Sendable {
  /// The path, as the user wrote it.
  let path: String
  /// Whether a file that is there already may be replaced.
  let replaces: Bool

  /// Finds out, before hours of work, whether `write` could succeed as things are now.
  func check() throws {
    var status = stat()
    if stat(path, &status) == 0 {
      if status.isFolder { throw Failure(.output, "\(path) is a folder", hint: "name a file in it") }
      if status.isStream { return }
      guard replaces else { throw exists }
    } else if lstat(path, &status) == 0, !replaces {
      // A link that leads nowhere is in the way all the same.
      throw exists
    }
    guard stat(folder, &status) == 0, status.isFolder else {
      throw Failure(.output, "there is no folder \(folder)", hint: "make it with: mkdir -p '\(folder)'")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw Failure.system(
        errno, .output, "the folder \(folder) cannot be written",
        hint: "choose another with --output-dir or -o")
    }
  }

  /// Writes the file: under a temporary name in the same folder, made durable, then given its name in one step.
  func write(_ text: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.isStream { return try writeThrough(text) }
    let temporary = "\(targetFolder)/.longhand-\(UUID().uuidString).tmp"
    TemporaryFiles.add(temporary)
    defer { TemporaryFiles.remove(temporary) }
    do {
      let file = try AtomicFile(target, temporary: temporary, permissions: 0o600)
      try file.write(Data(text.utf8))
      try file.publish(replacing: replaces)
    } catch {
      throw !replaces && error.number == EEXIST ? exists : failure(error.number)
    }
  }

  /// Devices and pipes (`/dev/null`, a FIFO) take the bytes as they come.
  private func writeThrough(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    do { try AtomicFile.write(Data(text.utf8), to: descriptor) } catch { throw failure(error.number) }
  }

  /// What is replaced: where `path` is a link, the file that it leads to, so that the link stays.
  private var target: String {
    guard replaces, let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private var folder: String { PathName.folder(of: path) }
  private var targetFolder: String { PathName.folder(of: target) }

  private var exists: Failure {
    Failure(
      .outputExists, "\(path) exists already", hint: "write over it with --force, or choose another name")
  }

  private func failure(_ number: Int32) -> Failure {
    .system(
      number, .output, "\(path) cannot be written",
      hint: number == ENOSPC ? nil : "check its folder and your permissions, or choose another name")
  }
}
