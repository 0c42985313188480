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
    if stat(path, &status) == 0 {
      if status.isFolder {
        throw Failure(.output, "The output \(path) is a folder.", hint: "Name a file in it.")
      }
      if status.isStream { return }
      guard replaces else { throw exists }
    } else if lstat(path, &status) == 0, !replaces {
      // A broken link exists too.
      throw exists
    }
    guard stat(folder, &status) == 0, status.isFolder else {
      throw Failure(.output, "There is no folder \(folder).", hint: "Create it: mkdir -p '\(folder)'")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw Failure.system(
        errno, .output, "Cannot write to the folder \(folder)",
        hint: "Choose another folder with --output-dir or -o.")
    }
  }

  /// Writes the file under a temporary name in the same folder, syncs it to disk, then renames it in one step.
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
    // Some file systems report a write error only here.
    guard close(descriptor) == 0 else { throw failure(errno) }
    try publish(temporary)
    syncFolder()
  }

  /// Renames the finished file.
  private func publish(_ temporary: String) throws {
    if replaces {
      guard rename(temporary, target) == 0 else { throw failure(errno) }
      return
    }
    // Unlike `rename`, `link` never replaces a file, not even one that was created in the meantime.
    if link(temporary, path) == 0 { return }
    switch errno {
    case EEXIST:
      throw exists
    case EPERM, ENOTSUP, ENOSYS, EMLINK, EACCES:
      // A file system without hard links (FAT, some network shares): reserve the name with an empty file, which only
      // one process can do, then replace the empty file.
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

  /// Writes to a device or a pipe, such as `/dev/null`, which cannot be replaced by a file.
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

  /// Syncs the folder, so that the new name survives a crash. Errors are ignored: some file systems cannot sync folders.
  private func syncFolder() {
    let descriptor = open(targetFolder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The file to replace: if `path` is a link, the file that it points to, so that the link stays.
  private var target: String {
    guard replaces, let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

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
