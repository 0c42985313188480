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
      let flag = CancellationFlag()
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Result { try Self.run(command, url, flag) })
          }
        }
      } onCancel: {
        flag.cancel()
      }
    }

    private static func run(_ command: [String], _ url: String, _ flag: CancellationFlag) throws -> Spool {
      let pipe = Pipe()
      // `env` finds the program by its name.
      let child = try ChildProcess(
        "/usr/bin/env", ["--"] + command, input: .null,
        output: .descriptor(pipe.fileHandleForWriting.fileDescriptor), errors: .inherited)
      defer { child.end() }
      try pipe.fileHandleForWriting.close()
      let copied = Result { try Spool.copy(pipe.fileHandleForReading.fileDescriptor, name: url, flag: flag) }
      // A command that is not read to its end would wait for ever.
      if case .failure = copied { try pipe.fileHandleForReading.close() }
      if flag.isCancelled { child.kill() }
      let status = child.wait()
      guard status == 0 || flag.isCancelled else {
        if case .success(let spool) = copied { spool.remove() }
        throw Failure(
          .unreadable, "The command of --fetch ended with the status \(status).", input: url,
          hint: "Run it in a shell to see why: \(command.joined(separator: " "))")
      }
      return try copied.get()
    }
  }
#endif
