#if os(Linux)
  import Foundation
  import Longhand
  import LonghandServer

  /// `longhand serve`: the web page and the HTTP API.
  struct ServeCommand: Verb {
    private static let port = Option(
      "--port", value: "N", does: "the port, 0 for any that is free (default: 8765)")
    private static let listen = Option(
      "--listen", value: "ADDRESS", does: "an IP address of this machine (default: 127.0.0.1)")

    static let description = VerbDescription(
      name: "serve",
      summary: "Shows the library in a browser, records from there, and answers programs",
      operands: "",
      discussion: """
        The first line on standard output is the page's address. Nobody but this
        machine can reach it, unless --listen names another address than the
        loopback one: then a token is printed on standard error, which everybody who
        asks must know. Nothing is encrypted. Programs that know OpenAI's API find
        /v1/audio/transcriptions here. Ctrl-C ends it; what is being recorded is
        written down to its end before.
        """,
      options: [
        port, listen, .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight,
        .alternatives, .reranking,
      ],
      examples: [
        .init(purpose: "the page", command: "longhand serve"),
        .init(purpose: "for others in the same network too", command: "longhand serve --listen 0.0.0.0"),
      ])

    private let location: LibraryLocation
    private let options: TranscriberOptions
    private let address: String
    private let port: Int
    /// What those who transcribe for clients are told.
    private let arguments: [String]

    init(_ arguments: ParsedArguments) throws {
      _ = try arguments.operands(named: [])
      location = try LibraryLocation(arguments)
      options = try TranscriberOptions(arguments)
      port = try arguments.integer(Self.port, in: 0...65_535) ?? 8765
      let name = arguments.value(Self.listen) ?? "127.0.0.1"
      address = name == "localhost" ? "127.0.0.1" : name
      self.arguments = arguments.given([
        .locale, .engine, .vocabulary, .languageModel, .languageModelWeight, .alternatives, .reranking,
      ]).map { "\($0.option)=\($0.value)" }
    }

    func run(_ console: Console) async throws -> Int32 {
      let options = try await options.transcription()
      // What no recording could be made with is told now.
      _ = try await options.engine()
      let server = try Server(
        at: location.url,
        .init(
          address: address, port: port, options: options, program: try Self.program(), arguments: arguments))
      try console.output.write(server.address + "\n")
      if let token = server.token {
        console.errors.line("longhand: the token is \(token)")
      }
      // Until a signal comes.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      // The work has been cancelled; its end has not.
      let isWhole = await Task.detached { await server.finish() }.value
      return isWhole ? ExitStatus.done : ExitStatus.failed
    }

    /// This program.
    private static func program() throws -> URL {
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
        throw Failure(.unexpected, "the program does not find itself", hint: "see that /proc is mounted")
      }
      return URL(fileURLWithPath: path)
    }
  }
#endif
