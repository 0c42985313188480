#if os(Linux)
  import FileSupport
  import Foundation
  import LonghandServer

  /// The token of `serve`: from `--token-file`, else from `$LONGHAND_TOKEN`, else from the file in the user's configuration.
  enum ServerToken {
    static let variable = "LONGHAND_TOKEN"

    /// The file that keeps the token where none is named; nil if the user has no home.
    private static var keptPath: String? {
      let environment = ProcessInfo.processInfo.environment
      // The specification ignores relative paths.
      if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
        return folder + "/longhand/token"
      }
      return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config/longhand/token" : nil }
    }

    /// - Parameters:
    ///   - path: the value of `--token-file`; nil if it is not given.
    ///   - isNew: whether the file gets another token.
    ///   - note: called with a sentence if the token cannot be kept.
    /// - Throws: `Failure`.
    static func choose(file path: String?, isNew: Bool, note: (String) -> Void) throws -> AccessToken {
      let given = ProcessInfo.processInfo.environment[variable]
      // The programs that decode the files of clients must not have the token in their environment.
      unsetenv(variable)
      if let path { return isNew ? try create(path, replacing: true) : try read(path) }
      guard let given else { return try kept(isNew: isNew, note) }
      guard !isNew else {
        throw Failure.usage(
          "--new-token and $\(variable) exclude each other.", hint: "Leave out one of them.")
      }
      guard let token = AccessToken(given) else { throw unusable("$\(variable)") }
      return token
    }

    private static func kept(isNew: Bool, _ note: (String) -> Void) throws -> AccessToken {
      let path = keptPath
      do {
        guard let path else { return .random() }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return isNew ? try create(path, replacing: true) : try read(path)
      } catch  where !isNew && !FileManager.default.fileExists(atPath: path ?? "") {
        note(
          "The token cannot be kept in \(path ?? ""), so each start makes a new one. --token-file names another file."
        )
        return .random()
      }
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

    private static func create(_ path: String, replacing: Bool = false) throws -> AccessToken {
      let token = AccessToken.random()
      do {
        let file = try AtomicFile(path, permissions: 0o600)
        try file.write(Data("\(token.text)\n".utf8))
        try file.publish(replacing: replacing)
      } catch  where error.number == EEXIST && !replacing {
        // Another server has made it meanwhile.
        return try read(path)
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
