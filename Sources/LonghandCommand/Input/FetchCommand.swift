#if os(Linux)
  import ChildProcesses
  import Foundation

  /// A command of the user that writes the contents of a URL to its standard output, such as `aws s3 cp {url} -`.
  ///
  /// The command is split into words as a shell does, but no shell runs it: what a URL contains is never a command.
  struct FetchCommand: Sendable, Hashable {
    private static let placeholder = "{url}"

    private let words: [String]

    /// - Throws: a usage failure if the command has no `{url}`, or an open quotation.
    init(_ text: String) throws {
      guard let words = Self.words(text), words.dropFirst().contains(where: { $0.contains(Self.placeholder) })
      else {
        throw Failure.usage(
          "The option --fetch cannot read '\(text)'.", hint: "Example: --fetch 'aws s3 cp {url} -'")
      }
      self.words = words
    }

    /// The words of a command; nil if a quotation has no end.
    private static func words(_ text: String) -> [String]? {
      var words: [String] = []
      var word: String?
      var quote: Character?
      var rest = text[...]
      while let character = rest.popFirst() {
        switch (quote, character) {
        case (nil, " "), (nil, "\t"), (nil, "\n"):
          if let word { words.append(word) }
          word = nil
        case (nil, "'"), (nil, "\""):
          quote = character
          word = word ?? ""
        case (quote, _) where quote == character: quote = nil
        case (nil, "\\"), ("\"", "\\"):
          guard let escaped = rest.popFirst() else { return nil }
          word = (word ?? "") + String(escaped)
        default: word = (word ?? "") + String(character)
        }
      }
      guard quote == nil else { return nil }
      return words + (word.map { [$0] } ?? [])
    }

    /// Whether a location is a URL that is not a file of this computer, such as `https:` and `s3:`.
    static func isRemote(_ location: String) -> Bool {
      location.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
        && !location.lowercased().hasPrefix("file:")
    }

    /// Copies what the command writes for a URL. The caller removes the copy.
    /// - Throws: a `Failure` if the command fails; `CancellationError`.
    func copy(_ url: String) async throws -> Spool {
      let command = words.map { $0.replacing(Self.placeholder, with: url) }
      let (child, output) = try Self.start(command, url)
      let flag = CancellationFlag()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Result { try Self.copy(output, of: child, command, url, flag) })
          }
        }
      } onCancel: {
        flag.cancel()
        // It may have closed its output, and would be waited for.
        child.kill()
      }
    }

    /// Starts the command.
    /// - Returns: its process, and the end of a pipe that has its output.
    private static func start(_ command: [String], _ url: String) throws -> (ChildProcess, Int32) {
      guard let (reading, writing) = ChildProcess.pipe() else {
        throw Failure.system(errno, .unreadable, "Cannot start the command of --fetch", input: url)
      }
      defer { close(writing) }
      do {
        // `env` finds the program by its name.
        let child = try ChildProcess(
          "/usr/bin/env", ["--"] + command, input: .null, output: .descriptor(writing), errors: .inherited,
          isInterruptible: true)
        return (child, reading)
      } catch {
        close(reading)
        throw error
      }
    }

    private static func copy(
      _ output: Int32, of child: ChildProcess, _ command: [String], _ url: String, _ flag: CancellationFlag
    ) throws -> Spool {
      defer {
        close(output)
        // It may still write what is not read any more.
        child.end()
      }
      let copied = Result { try Spool.copy(output, name: url, flag: flag) }
      // If it has written nothing, its status says why.
      if case .failure(let error) = copied, (error as? Failure)?.code != .empty { throw error }
      let status = child.wait()
      guard status == 0, !flag.isCancelled else {
        if case .success(let spool) = copied { spool.remove() }
        if flag.isCancelled { throw CancellationError() }
        throw Failure(
          .unreadable, "The command of --fetch ended with the status \(status).", input: url,
          hint: "Run it in a shell to see why: \(command.joined(separator: " "))")
      }
      return try copied.get()
    }
  }
#endif
