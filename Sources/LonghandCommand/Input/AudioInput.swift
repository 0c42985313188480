import Foundation

/// One thing to transcribe, as the user named it.
struct AudioInput: Sendable, Hashable {
  /// The operand; `-` is standard input.
  let operand: String

  /// Whether it is standard input.
  var isStandardInput: Bool { operand == "-" }
  /// What errors and progress call it.
  var name: String { isStandardInput ? "standard input" : operand }
  /// What the transcript gives as its source.
  var source: String { isStandardInput ? "stdin" : PathName.last(of: operand) }
  /// What its output files are called, without their extension.
  var stem: String { isStandardInput ? "stdin" : PathName.stem(of: operand) }

  /// Finds out, before any work, what would surely fail.
  ///
  /// - Returns: whether the bytes come as a stream (a pipe), and must be put into a file first.
  func check() throws -> Bool {
    if isStandardInput { return true }
    var status = stat()
    guard stat(operand, &status) == 0 else {
      if errno == ENOENT {
        throw Failure(.unreadable, "there is no such file", input: name, hint: "check its name")
      }
      throw Failure.system(errno, .unreadable, "it cannot be read", input: name)
    }
    if status.isFolder {
      throw Failure(.unreadable, "it is a folder", input: name, hint: "name the files in it: \(operand)/*")
    }
    if status.isStream { return true }
    let descriptor = open(operand, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure.system(
        errno, .unreadable, "it cannot be read", input: name, hint: "check its permissions")
    }
    close(descriptor)
    guard status.st_size > 0 else { throw Failure.emptyInput(name) }
    return false
  }

  /// Whether `path` leads to the very file that this input is.
  func isSameFile(as path: String) -> Bool {
    var mine = stat()
    var other = stat()
    guard !isStandardInput, stat(operand, &mine) == 0, stat(path, &other) == 0 else { return false }
    return mine.isSame(as: other)
  }
}

extension Failure {
  /// An input without a single byte.
  static func emptyInput(_ name: String) -> Failure {
    Failure(.empty, "it is empty", input: name, hint: "check that the recording was finished")
  }
}

/// What kind of thing a path or a descriptor leads to.
extension stat {
  /// A folder.
  var isFolder: Bool { kind == S_IFDIR }
  /// A file with a length, that can be read from any place.
  var isFile: Bool { kind == S_IFREG }
  /// A pipe, a socket or a device: bytes come and go, and there is nothing to replace.
  var isStream: Bool { !isFolder && !isFile }

  /// The same file, whatever its names.
  func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }

  private var kind: mode_t { st_mode & S_IFMT }
}
