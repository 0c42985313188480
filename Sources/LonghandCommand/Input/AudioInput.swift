import FileSupport
import Foundation

/// One input to transcribe, as the user named it.
struct AudioInput: Sendable, Hashable {
  /// The operand: a path, or `-` for standard input.
  let operand: String
  /// The folder between a folder that the user named and the file; its outputs go into the same folder. Empty if the
  /// user named the file.
  var folder = ""
  /// The part that distinguishes the names of its output files from those of another input.
  var suffix = ""

  init(operand: String) { self.operand = operand }

  /// Whether it is standard input.
  var isStandardInput: Bool { operand == "-" }
  /// The name in errors and progress.
  var name: String { isStandardInput ? "standard input" : operand.readableName }
  /// The `source` in the transcript.
  var source: String { isStandardInput ? "stdin" : PathName.last(of: operand).readableName }
  /// The bytes of the file; 0 if they are not known.
  var size: Int {
    var status = stat()
    return !isStandardInput && stat(operand.systemName, &status) == 0 ? Int(status.st_size) : 0
  }
  /// The name of its output files, without the extension.
  var stem: String {
    let stem = (isStandardInput ? "stdin" : PathName.stem(of: operand)) + suffix
    return folder.isEmpty ? stem : PathName.join(folder, stem)
  }

  /// Checks before any work that the input can be opened and is not empty.
  ///
  /// - Returns: whether the input is a stream, such as a pipe, which must be copied into a file first.
  func check() throws -> Bool {
    if isStandardInput { return true }
    var status = stat()
    guard stat(operand.systemName, &status) == 0 else {
      if errno == ENOENT {
        throw Failure(.unreadable, "No such file.", input: name, hint: "Check the name.")
      }
      throw Failure.system(errno, .unreadable, "Cannot read the file", input: name)
    }
    if status.isFolder {
      guard operand.namesInFolder != nil else {
        throw Failure.system(
          errno, .unreadable, "Cannot read the folder", input: name, hint: "Check its permissions.")
      }
      throw Failure(
        .unreadable, "This folder has no audio or video files.", input: name,
        hint: "With --recursive, the folders in it are searched too.")
    }
    if status.isDevice { throw Failure.device(name) }
    if status.isStream { return true }
    let descriptor = open(operand.systemName, O_RDONLY | O_CLOEXEC)
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
    guard !isStandardInput, stat(operand.systemName, &mine) == 0, stat(path.systemName, &other) == 0 else {
      return false
    }
    return mine.isSame(as: other)
  }
}

/// A file or a folder that the user named, for functions that take a URL.
///
/// A URL cannot hold a name that is not UTF-8. Such a file is opened, and the URL names the open file.
final class NamedFile: Sendable {
  /// The file. Valid while this object lives.
  let url: URL
  private let descriptor: Int32?

  init(_ path: String) {
    let descriptor = path.isUnicodeName ? -1 : open(path.systemName, O_RDONLY | O_CLOEXEC)
    self.descriptor = descriptor >= 0 ? descriptor : nil
    url = URL(fileURLWithPath: descriptor >= 0 ? "/dev/fd/\(descriptor)" : path.readableName)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Calls a function with the URL, which is valid for so long.
  func withURL<Result>(_ body: (URL) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(url) }
  }
}

extension Failure {
  /// An input of 0 bytes.
  static func emptyInput(_ name: String) -> Failure {
    Failure(.empty, "The input is empty.", input: name, hint: "Check that the recording was completed.")
  }

  /// An input that may never end.
  static func device(_ name: String) -> Failure {
    Failure(
      .unreadable, "This is a device, not an audio file.", input: name,
      hint: "To record a microphone, run 'longhand record'.")
  }
}

/// The kind of file that a path or a descriptor refers to.
extension stat {
  /// A folder.
  var isFolder: Bool { kind == S_IFDIR }
  /// A regular file, which has a length and can be read at any offset.
  var isFile: Bool { kind == S_IFREG }
  /// A device, such as `/dev/zero`.
  var isDevice: Bool { kind == S_IFCHR || kind == S_IFBLK }
  /// A pipe, a socket or a device, which cannot be replaced by a file.
  var isStream: Bool { !isFolder && !isFile }

  /// Returns whether both are the same file, under whatever names.
  func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }

  private var kind: mode_t { st_mode & S_IFMT }
}
