#if os(Linux)
  import Foundation
  import Longhand
  import LonghandServer

  /// `longhand serve`: the web page and the HTTP API.
  struct ServeCommand: Verb {
    private static let port = Option(
      "--port", value: "N", summary: "port; 0 selects a free one (default: 8765)")
    private static let listen = Option(
      "--listen", value: "ADDRESS", summary: "IP address of this computer to listen on (default: 127.0.0.1)")

    static let description = VerbDescription(
      name: "serve",
      summary: "Open the library in a web browser, and offer an HTTP API to programs",
      operands: "",
      discussion: """
        Prints the address of the web page. By default only programs on this computer
        can connect. If --listen names another address, other computers can connect
        too; they need the token that is printed on standard error. Connections are
        not encrypted. Programs written for OpenAI's API can use
        /v1/audio/transcriptions. Press Ctrl-C to stop the server. If it is recording,
        it stops the recording and transcribes the rest of it first.
        """,
      options: [
        port, listen, .library, .locale, .engine, .vocabulary, .languageModel, .languageModelWeight,
        .alternatives, .reranking,
      ],
      examples: [
        .init(purpose: "Start the server, then open the printed address", command: "longhand serve"),
        .init(
          purpose: "Let other computers in the network connect", command: "longhand serve --listen 0.0.0.0"),
      ])

    private let location: LibraryLocation
    private let options: TranscriberOptions
    private let address: String
    private let port: Int
    /// The recognition options, passed on to the processes that transcribe for clients.
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
      // Report a missing engine now, not at the first recording.
      _ = try await options.makeEngine()
      let server = try Server(
        at: location.url,
        .init(
          address: address, port: port, options: options, program: try Self.program(), arguments: arguments))
      try console.output.write(server.address + "\n")
      if let token = server.token {
        console.errors.line("longhand: the token is \(token)")
      }
      // Wait for a signal.
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      // This task is cancelled, so the orderly end runs in a new one.
      let isWhole = await Task.detached { await server.finish() }.value
      return isWhole ? ExitStatus.done : ExitStatus.failed
    }

    /// The path of this program.
    private static func program() throws -> URL {
      guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
        throw Failure(
          .unexpected, "Cannot find the path of the longhand program.", hint: "Check that /proc is mounted.")
      }
      return URL(fileURLWithPath: path)
    }
  }
#endif
