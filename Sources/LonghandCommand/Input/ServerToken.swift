#if os(Linux)
  import FileSupport
  import Foundation
  import LonghandServer

  /// The token of `serve`: from `--token-file`, else from `$LONGHAND_TOKEN`, else a new one at each start.
  enum ServerToken {
    static let variable = "LONGHAND_TOKEN"

    /// - Parameter path: the value of `--token-file`; nil if it is not given.
    /// - Throws: `Failure`.
    static func choose(file path: String?) throws -> AccessToken {
      let given = ProcessInfo.processInfo.environment[variable]
      // The programs that decode the files of clients must not have the token in their environment.
      unsetenv(variable)
      if let path { return try read(path) }
      guard let given else { return .random() }
      guard let token = AccessToken(given) else { throw unusable("$\(variable)") }
      return token
    }

    private static func read(_ path: String) throws -> AccessToken {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return errno == ENOENT ? try create(path) : try fail(errno, "Cannot read the token", path)
      }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return try fail(errno, "Cannot read the token", path) }
      guard status.st_mode & 0o077 == 0 else {
        throw Failure(
          .unreadable, "Other users can read the file with the token.", input: path,
          hint: "Run: chmod 600 '\(path)'")
      }
      let bytes = try file.read(upToCount: 1024) ?? Data()
      let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      guard let token = AccessToken(text) else { throw unusable(path) }
      return token
    }

    private static func create(_ path: String) throws -> AccessToken {
      let token = AccessToken.random()
      do {
        let file = try AtomicFile(path, permissions: 0o600)
        try file.write(Data("\(token.text)\n".utf8))
        try file.publish(replacing: false)
      } catch {
        return try fail(error.number, "Cannot create the file with the token", path)
      }
      return token
    }

    private static func fail(_ number: Int32, _ action: String, _ path: String) throws -> AccessToken {
      throw Failure.system(number, .unreadable, action, input: path, hint: "Check its name and permissions.")
    }

    private static func unusable(_ source: String) -> Failure {
      Failure(
        .malformed,
        "A token has 16 to 256 characters: letters without accents, digits and -._~+/=.", input: source,
        hint: "Make one with: openssl rand -hex 24")
    }
  }
#endif
