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
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    do {
      try write(text, to: descriptor)
      if fsync(descriptor) != 0 { throw failure(errno) }
    } catch {
      close(descriptor)
      throw error
    }
    // Some file systems report only here that the bytes did not arrive.
    guard close(descriptor) == 0 else { throw failure(errno) }
    try publish(temporary)
    makeFolderDurable()
  }

  /// Gives the finished file its name.
  private func publish(_ temporary: String) throws {
    if replaces {
      guard rename(temporary, target) == 0 else { throw failure(errno) }
      return
    }
    // Unlike `rename`, `link` never replaces: a file that came into being meanwhile is safe.
    if link(temporary, path) == 0 { return }
    switch errno {
    case EEXIST:
      throw exists
    case EPERM, ENOTSUP, ENOSYS, EMLINK, EACCES:
      // A file system without hard links (FAT, some network shares): take the name first, which only one can,
      // then replace the empty file that took it.
      let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard reserved >= 0 else { throw errno == EEXIST ? exists : failure(errno) }
      close(reserved)
      guard rename(temporary, path) == 0 else {
        let number = errno
        unlink(path)
        throw failure(number)
      }
    case let number:
      throw failure(number)
    }
  }

  /// A device or a pipe (`/dev/null`, a FIFO) has no whole; it takes the bytes as they come.
  private func writeThrough(_ text: String) throws {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    try write(text, to: descriptor)
  }

  private func write(_ text: String, to descriptor: Int32) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR {
        throw failure(errno)
      }
    }
  }

  /// The new name is durable only when its folder is; where a folder cannot be synced there is nothing to do about it.
  private func makeFolderDurable() {
    let descriptor = open(targetFolder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
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
