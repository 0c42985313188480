#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension StoredSessionTests {
    /// A service manager opens the socket, and the server ends when no client needs it.
    @Suite struct ServeActivationTests {
      private let folder: TemporaryFolder

      init() throws { folder = try TemporaryFolder() }

      /// Passes a socket as systemd does, then starts the server.
      private static let manager = """
        import os, socket, sys
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        os.dup2(listener.fileno(), 3); os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execvp("longhand", ["longhand", "serve", *sys.argv[1:]])
        """

      @Test func socketIsTakenOverAndTheIdleServerEnds() async throws {
        try folder.write(Self.manager, to: "manager.py")
        let process = try LonghandProcess(
          ["exec python3 manager.py --library library --idle 2 --listen 192.0.2.1 >output 2>errors"],
          in: folder.url, shell: true)
        #expect(await eventually { (try? folder.read("output"))?.split(separator: "\n").count == 2 })
        let lines = try folder.read("output").split(separator: "\n")
        let port = try #require(lines.first.flatMap { Int($0) })
        #expect(
          lines.last?.hasPrefix("http://127.0.0.1:\(port)/?token=") == true, "\(lines)")
        let token = lines.last?.split(separator: "=").last ?? ""
        let start = ContinuousClock.now
        let connection = try HTTPConnection(port: port)
        #expect(
          try HTTPConnection.ask(port, "GET", "/health", ["Authorization": "Bearer \(token)"]).status == 200)
        // An open connection keeps it alive.
        #expect(process.isRunning)
        _ = connection
        let result = try await process.result(within: .seconds(60))
        #expect(start.duration(to: .now) >= .seconds(2))
        #expect(result.status == 0)
        #expect(try folder.read("errors").isEmpty)
      }

      @Test func descriptorThatIsNoSocketIsRefused() async throws {
        let result = try await LonghandProcess.shell(
          "exec 3</dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec longhand serve --library library",
          in: folder.url)
        #expect(result.status == 1)
        #expect(result.errors.contains("LISTEN_FDS"))
        #expect(result.output.isEmpty)
      }
    }
  }
#endif
