#if os(Linux)
  import ChildProcesses
  import Foundation

  /// A shell script that stands for a program, and is deleted with this object.
  public final class ExecutableScript: Sendable {
    /// The script's file.
    public let url: URL

    /// Writes a script.
    /// - Parameter text: the commands, without the line that names the shell.
    /// - Throws: an error if the file cannot be written.
    public init(_ text: String) throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("script-\(UUID().uuidString)")
      // A process writes it that has no children. A process that another test starts would for a moment have the file open
      // for writing if this one wrote it, and the system does not run such a file.
      let writing = try ChildProcess(
        "/bin/sh", ["-c", #"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 700 "$0""#, url.path, text],
        input: .null, output: .null, errors: .null)
      guard writing.wait() == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: url]) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }
#endif
