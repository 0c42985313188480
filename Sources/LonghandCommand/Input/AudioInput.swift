import Foundation

/// One input to transcribe, as the user named it.
struct AudioInput: Sendable, Hashable {
  /// The operand: a path, or `-` for standard input.
  let operand: String

  /// Whether it is standard input.
  var isStandardInput: Bool { operand == "-" }
  /// The name in errors and progress.
  var name: String { isStandardInput ? "standard input" : operand }
  /// The `source` in the transcript.
  var source: String { isStandardInput ? "stdin" : PathName.last(of: operand) }
  /// The name of its output files, without the extension.
  var stem: String { isStandardInput ? "stdin" : PathName.stem(of: operand) }

  /// Checks before any work that the input can be opened and is not empty.
  ///
  /// - Returns: whether the input is a stream, such as a pipe, which must be copied into a file first.
  func check() throws -> Bool {
    if isStandardInput { return true }
    var status = stat()
    guard stat(operand, &status) == 0 else {
      if errno == ENOENT {
        throw Failure(.unreadable, "No such file.", input: name, hint: "Check the name.")
      }
      throw Failure.system(errno, .unreadable, "Cannot read the file", input: name)
    }
    if status.isFolder {
      throw Failure(
        .unreadable, "This is a folder, not a file.", input: name, hint: "Name its files: \(operand)/*")
    }
    if status.isStream { return true }
    let descriptor = open(operand, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.system(
        errno, .unreadable, "Cannot read the file", input: name, hint: "Check its permissions.")
    }
    close(descriptor)
    guard status.st_size > 0 else { throw Failure.emptyInput(name) }
    return false
  }

  /// Returns whether `path` is this input's file, under whatever name.
  func isSameFile(as path: String) -> Bool {
    var mine = stat()
    var other = stat()
    guard !isStandardInput, stat(operand, &mine) == 0, stat(path, &other) == 0 else { return false }
    return mine.isSame(as: other)
  }
}

extension Failure {
  /// An input of 0 bytes.
  static func emptyInput(_ name: String) -> Failure {
    Failure(.empty, "The input is empty.", input: name, hint: "Check that the recording was completed.")
  }
}

/// The kind of file that a path or a descriptor refers to.
extension stat {
  /// A folder.
  var isFolder: Bool { kind == S_IFDIR }
  /// A regular file, which has a length and can be read at any offset.
  var isFile: Bool { kind == S_IFREG }
  /// A pipe, a socket or a device, which cannot be replaced by a file.
  var isStream: Bool { !isFolder && !isFile }

  /// Returns whether both are the same file, under whatever names.
  func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }

  private var kind: mode_t { st_mode & S_IFMT }
}
