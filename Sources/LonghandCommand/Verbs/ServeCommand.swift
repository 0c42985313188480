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
    private static let tokenFile = Option(
      "--token-file", value: "FILE",
      summary:
        "file with the token, which is created if it does not exist (default: $LONGHAND_TOKEN if it is "
        + "set, else ~/.config/longhand/token)")
    private static let newToken = Option(
      "--new-token", summary: "make another token: all browsers and programs have to sign in again")
    private static let origin = Option(
      "--origin", value: "ADDRESS",
      summary:
        "where an HTTPS proxy offers the page, such as https://name: browsers give their microphone there")
    private static let noToken = Option(
      "--no-token", summary: "let every user of this computer use the library without a token")
    private static let idle = Option(
      "--idle", value: "SECONDS",
      summary:
        "stop after this many seconds without any client, recording, transcription or watched folder (default: "
        + "never)")

    private static let opensBrowser = Option("--open", summary: "open the page in the web browser")

    private static let watch = Option(
      "--watch", value: "DIR",
      summary:
        "import every audio and video file of this folder and its subfolders, once, when it no longer grows")
    private static let wyoming = Option(
      "--wyoming", summary: "also answer Home Assistant, by the Wyoming protocol, which has no token")
    private static let wyomingPort = Option(
      "--wyoming-port", value: "N", summary: "port for Home Assistant; 0 selects a free one (default: 10300)")

    static let description = VerbDescription(
      name: "serve",
      summary: "Open the library in a web browser, and offer an HTTP API to programs",
      operands: "",
      discussion: """
        Prints the address of the web page, with a token. No client can use the library
        without the token, not even other users of this computer. The token stays the
        same. A browser needs it once; at 127.0.0.1 it stays signed in. Programs send
        it with each request, as 'Authorization: Bearer TOKEN'. Programs written for
        OpenAI's API can use /v1/audio/transcriptions, with the token as their API key.
        By default only programs on this computer can connect. If --listen names
        another address, other computers can connect too. Connections are not
        encrypted. Press Ctrl-C to stop the server. If it is recording, it first stops
        the recording and transcribes the rest of it.
        A socket that systemd passes (LISTEN_FDS) replaces --listen and --port; with
        --idle, the server then runs only while it is used, or watches a folder.
        With --watch, files that arrive in a folder are imported once, by their
        content: not again under another name, and not again after their session was
        deleted. The page shows the folder, and can choose it as long as only this
        computer can connect.
        """,
      options: [
        port, listen, opensBrowser, tokenFile, newToken, noToken, origin, idle, watch, wyoming, wyomingPort,
        .library,
      ]
        + Option.recognition
        + [.normalizing(", for the library")],
      examples: [
        .init(
          purpose: "Start the server, and open its page in the browser", command: "longhand serve --open"),
        .init(purpose: "Sign all browsers and programs out", command: "longhand serve --new-token"),
        .init(
          purpose: "Import what a recorder or a meeting program saves",
          command: "longhand serve --watch ~/Recordings"),
        .init(purpose: "Transcribe for Home Assistant too", command: "longhand serve --wyoming"),
        .init(
          purpose: "Let other computers in the network connect", command: "longhand serve --listen 0.0.0.0"),
      ])

    private let location: LibraryLocation
    private let options: TranscriberOptions
    private let normalization: NormalizationOption?
    private let address: String
    private let port: Int
    private let tokenFile: String?
    private let hasToken: Bool
    private let isNewToken: Bool
    private let origin: String?
    private let idle: Int?
    private let opensBrowser: Bool
    private let wyomingPort: Int?
    private let watch: String?
    /// The recognition options, passed on to the processes that transcribe for clients.
    private let arguments: [String]

    init(_ arguments: ParsedArguments) throws {
      _ = try arguments.operands(named: [])
      location = try LibraryLocation(arguments)
      options = try TranscriberOptions(arguments)
      normalization = try NormalizationOption(arguments)
      port = try arguments.integer(Self.port, in: 0...65_535) ?? 8765
      tokenFile = arguments.value(Self.tokenFile)
      hasToken = !arguments.has(Self.noToken)
      opensBrowser = arguments.has(Self.opensBrowser)
      guard hasToken || tokenFile == nil else {
        throw Failure.usage(
          "--no-token and --token-file exclude each other.", hint: "Leave out one of them.")
      }
      isNewToken = arguments.has(Self.newToken)
      origin = arguments.value(Self.origin).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      guard hasToken || !isNewToken && origin == nil else {
        throw Failure.usage(
          "--no-token excludes --new-token and --origin.", hint: "Leave out --no-token.")
      }
      if let origin, origin.wholeMatch(of: /https:\/\/[A-Za-z0-9.:\[\]-]+/) == nil {
        throw Failure.usage(
          "'\(origin)' is not the address of an HTTPS proxy.",
          hint: "Use one such as https://name or https://name:8443.")
      }
      let port = try arguments.integer(Self.wyomingPort, in: 0...65_535)
      guard port == nil || arguments.has(Self.wyoming) else {
        throw Failure.usage("--wyoming-port needs --wyoming.", hint: "Add --wyoming.")
      }
      idle = try arguments.integer(Self.idle, in: 1...1_000_000)
      guard idle == nil || !arguments.has(Self.wyoming) else {
        throw Failure.usage("--idle and --wyoming exclude each other.", hint: "Leave out one of them.")
      }
      watch = arguments.value(Self.watch).map(PathName.absolute)
      wyomingPort = arguments.has(Self.wyoming) ? port ?? 10_300 : nil
      let name = arguments.value(Self.listen) ?? "127.0.0.1"
      address = name == "localhost" ? "127.0.0.1" : name
      self.arguments = arguments.arguments(of: Option.recognition)
    }

    func run(_ console: Console) async throws -> Int32 {
      let socket = try SocketActivation.take()
      let token =
        hasToken ? try ServerToken.choose(file: tokenFile, isNew: isNewToken) { console.note($0) } : nil
      var options = try await options.transcription()
      // A better model may be installed while the server runs.
      options.model = self.options.model
      options.normalizer = try await normalization?.coordinator().normalizer
      // Report a missing engine now, not at the first recording.
      _ = try await EngineFactory(options.resolved()).engine()
      let server = try Server(
        at: location.url,
        .init(
          address: address, port: port, socket: socket, token: token, origin: origin, options: options,
          program: try Self.program(),
          arguments: arguments, watch: watch))
      if token == nil {
        console.note(
          "warning: Without a token, every user of this computer can read, change and delete what is "
            + "in the library.")
      }
      try console.output.write(server.pageAddress + "\n")
      if opensBrowser {
        if let problem = Browser.open(server.pageAddress) { console.note(problem) }
      } else if console.errors.canRedraw {
        console.note("Open this address in a web browser, or start with --open. Ctrl-C stops the server.")
      }
      var wyoming: WyomingServer?
      if let wyomingPort {
        let started = try await WyomingServer(
          address: address, port: wyomingPort, options: options, with: server,
          version: String(HelpPage.version.dropFirst("longhand ".count)))
        try console.output.write(started.address + "\n")
        wyoming = started
      }
      await waitForTheEnd(of: server)
      wyoming?.stop()
      // This task is cancelled, so the orderly end runs in a new one.
      let isWhole = await Task.detached { await server.finish() }.value
      return isWhole ? ExitStatus.done : ExitStatus.failed
    }

    /// Waits for a signal or, if there is an idle time, until the server was idle for so long.
    private func waitForTheEnd(of server: Server) async {
      var (idleSince, connections) = (ContinuousClock.now, 0)
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(idle == nil ? 3600 : 0.5))
        guard let idle else { continue }
        if !server.isIdle || server.connectionCount != connections { idleSince = .now }
        connections = server.connectionCount
        if idleSince.duration(to: .now) >= .seconds(idle) { return }
      }
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
