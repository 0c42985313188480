#if os(Linux)
  import Foundation

  /// The web browser of the user.
  enum Browser {
    /// Opens an address with a token. The arguments of programs can be read by all users of the computer, so that the browser
    /// gets a file of the user's own that leads to the address.
    /// - Returns: why it could not be opened; nil if it was.
    static func open(_ address: String) -> String? {
      let page = FileManager.default.temporaryDirectory
        .appendingPathComponent("longhand-\(UUID().uuidString).html")
      let text = """
        <!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Longhand</title>
        <meta http-equiv="refresh" content="0;url=\(address)"><a href="\(address)">Longhand</a>

        """
      TemporaryFiles.add(page.path)
      let isWritten = FileManager.default.createFile(
        atPath: page.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
      guard isWritten else { return "The browser was not opened: no temporary file can be written." }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["xdg-open", page.path]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      do { try process.run() } catch { return failure }
      process.waitUntilExit()
      return process.terminationStatus == 0 ? nil : failure
    }

    private static let failure =
      "No browser could be opened with 'xdg-open'. Open the address in a browser yourself."
  }
#endif
