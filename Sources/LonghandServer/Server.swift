import Foundation
import Longhand

/// A server with the web page and the HTTP API of a library.
///
/// ```swift
/// let server = try Server(at: folder, .init(port: 0, program: longhand))
/// print(server.pageAddress)
/// let isComplete = await server.finish()   // ends the recording, if any, and transcribes the rest of it
/// ```
public final class Server: Sendable {
  /// Where the server listens, and how it transcribes.
  public struct Configuration: Sendable {
    /// An IP address.
    public var address: String
    /// The port; 0 for any free one.
    public var port: Int
    /// The descriptor of a socket that already accepts connections, which replaces `address` and `port`; nil for none. The
    /// server closes it.
    public var socket: Int32?
    /// The token that clients must send. Nil if every client that can connect may use the server, which must have a
    /// loopback address then: it is open to every user of the machine.
    public var token: AccessToken?
    /// Where a proxy offers the server to browsers, such as `https://name`; nil if none does. A token is needed then.
    public var origin: String?
    /// How recordings are transcribed.
    public var options: TranscriptionOptions
    /// The `longhand` executable. Its `worker` transcribes the files that clients send.
    public var program: URL
    /// Arguments for `longhand worker`, such as a vocabulary.
    public var arguments: [String]
    /// The path of a folder whose audio and video files are imported, each once; nil for the one that was chosen on the page.
    public var watch: String?

    /// Makes a configuration; the defaults are those of `longhand serve`.
    public init(
      address: String = "127.0.0.1", port: Int = 8765, socket: Int32? = nil, token: AccessToken? = .random(),
      origin: String? = nil, options: TranscriptionOptions = .init(),
      program: URL, arguments: [String] = [], watch: String? = nil
    ) {
      self.address = address
      self.port = port
      self.socket = socket
      self.token = token
      self.origin = origin
      self.options = options
      self.program = program
      self.arguments = arguments
      self.watch = watch
    }
  }

  /// The server's address, such as `http://127.0.0.1:8765/`.
  public let address: String
  /// The address that opens the page in a browser: with the token, if there is one. The page replaces it by an address
  /// without the token.
  public var pageAddress: String { address + (token.map { "?token=\($0.queryValue)" } ?? "") }

  private let token: AccessToken?
  /// Until the server is gone, other programs make links with its address.
  private let note: ServerAddress

  private let listener: HTTPListener
  private let hub: LiveHub
  private let recordings: RecordingHost
  private let recoveries: RecoveryHost
  let transcriptions: TranscriptionQueue
  private let watched: WatchedFolder
  private let trials: TrialHost

  /// Starts to answer requests.
  /// - Parameters:
  ///   - folder: the library's folder, which is made if it does not exist.
  ///   - configuration: where it listens and how it transcribes.
  /// - Throws: `StoreError`, `ServerError`.
  public init(at folder: URL, _ configuration: Configuration) throws {
    let inherited = try configuration.socket.map { try ListeningSocket(inherited: $0) }
    let host = inherited?.address ?? configuration.address
    let isLoopback = IPAddress(host)?.isLoopback ?? true
    token = configuration.token
    guard isLoopback || token != nil else {
      throw ServerError(
        "without a token, every computer in the network could use the library at \(host)",
        remedy: "leave out --no-token")
    }
    let socket = try inherited ?? ListeningSocket(address: host, port: configuration.port)
    let library: Library
    do {
      library = try Library(at: folder)
      let waiting = WaitingSessions(in: library)
      hub = try LiveHub(library, waiting: waiting)
      recordings = RecordingHost(library, options: configuration.options, hub: hub)
      recoveries = RecoveryHost(library, options: configuration.options, hub: hub, waiting: waiting)
      let imports = ImportHost(library, options: configuration.options, recoveries)
      watched = try WatchedFolder(
        configuration.watch, of: library, imports: imports, recoveries: recoveries, hub: hub,
        isChangeable: isLoopback)
      trials = TrialHost(library, options: configuration.options)
      transcriptions = TranscriptionQueue(configuration.program, arguments: configuration.arguments)
      let requests = RequestGuard(
        address: host, port: socket.port, token: token,
        cookie: AccessToken.secret(), pagePath: token == nil ? "" : AccessToken.secret(),
        ownNames: isLoopback ? [] : IPAddress.namesOfThisMachine, origin: configuration.origin?.lowercased())
      let api = API(
        library, hub: hub, recordings: recordings, recoveries: recoveries, transcriptions: transcriptions,
        imports: imports, watched: watched, trials: trials, waiting: waiting, requests: requests)
      imports.resume()
      listener = try HTTPListener(socket, service: api)
    } catch {
      close(socket.descriptor)
      throw error
    }
    let listening = IPAddress(host)
    // A browser cannot open "any address".
    let name = listening?.isAny == true ? IPAddress.ofThisMachine : host
    let isVersion6 = IPAddress(name)?.isVersion6 ?? false
    address = "http://\(isVersion6 ? "[\(name)]" : name):\(socket.port)/"
    note = ServerAddress(address, of: library)
  }

  /// Whether a file of a client is being transcribed.
  var hasTranscription: Bool { transcriptions.isBusy }

  /// Whether nothing is being done: no client is connected, no folder is watched, and nothing is recorded or transcribed.
  public var isIdle: Bool {
    listener.connections.isEmpty && !watched.isWatching && !recordings.isBusy && !recoveries.isBusy
      && !transcriptions.isBusy && !trials.isBusy
  }
  /// The number of connections so far.
  public var connectionCount: Int { listener.connections.countSoFar }

  /// Stops the server: it accepts no more connections, ends the recording, transcribes the rest of it, and then closes
  /// the open connections.
  /// - Returns: whether every recording of this server was completed.
  public func finish() async -> Bool {
    listener.quiesce()
    watched.stop()
    transcriptions.stop()
    await trials.stop()
    await recoveries.stop()
    let isComplete = await recordings.finish()
    hub.stop()
    await withCheckedContinuation { continuation in
      // A thread, because `stop()` blocks until libmicrohttpd's threads have ended, and some of them may wait for tasks.
      Thread.detachNewThread { [listener] in
        listener.stop()
        continuation.resume()
      }
    }
    return isComplete
  }
}
