import Foundation
import Longhand

/// A server with the web page and the HTTP API of a library.
///
/// ```swift
/// let server = try Server(at: folder, .init(port: 0))
/// print(server.address)
/// let isComplete = await server.finish()   // ends the recording, if any, and transcribes the rest of it
/// ```
public final class Server: Sendable {
  /// Where the server listens, and how it transcribes.
  public struct Configuration: Sendable {
    /// An IP address. If it is not a loopback address, the server makes a token that clients must send.
    public var address: String
    /// The port; 0 for any free one.
    public var port: Int
    /// How recordings are transcribed.
    public var options: TranscriptionOptions
    /// The `longhand` executable. It transcribes each file that a client sends in a process of its own.
    public var program: URL
    /// Arguments for `longhand transcribe`, such as a vocabulary.
    public var arguments: [String]

    /// Makes a configuration; the default address and port are those of `longhand serve`.
    public init(
      address: String = "127.0.0.1", port: Int = 8765, options: TranscriptionOptions = .init(),
      program: URL, arguments: [String] = []
    ) {
      self.address = address
      self.port = port
      self.options = options
      self.program = program
      self.arguments = arguments
    }
  }

  /// The page's address, such as `http://127.0.0.1:8765/`.
  public let address: String
  /// The token that clients must send; nil if none is needed.
  public let token: String?

  private let listener: HTTPListener
  private let hub: LiveHub
  private let recordings: RecordingHost
  private let transcriptions: TranscriptionQueue

  /// Starts to answer requests.
  /// - Parameters:
  ///   - folder: the library's folder, which is made if it does not exist.
  ///   - configuration: where it listens and how it transcribes.
  /// - Throws: `StoreError`, `ServerError`.
  public init(at folder: URL, _ configuration: Configuration) throws {
    let isLoopback = IPAddress(configuration.address)?.isLoopback ?? true
    token = isLoopback ? nil : Self.secret()
    let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
    do {
      hub = try LiveHub(try Library(at: folder))
      recordings = RecordingHost(try Library(at: folder), options: configuration.options, hub: hub)
      transcriptions = TranscriptionQueue(configuration.program, arguments: configuration.arguments)
      let requests = RequestGuard(
        address: configuration.address, port: socket.port, token: token, cookie: Self.secret(),
        ownNames: isLoopback ? [] : IPAddress.namesOfThisMachine)
      let api = API(
        try Library(at: folder), hub: hub, recordings: recordings, transcriptions: transcriptions,
        requests: requests)
      listener = try HTTPListener(socket, service: api)
    } catch {
      close(socket.descriptor)
      throw error
    }
    let listening = IPAddress(configuration.address)
    // A browser cannot open "any address".
    let name = listening?.isAny == true ? IPAddress.ofThisMachine : configuration.address
    let isVersion6 = IPAddress(name)?.isVersion6 ?? false
    address = "http://\(isVersion6 ? "[\(name)]" : name):\(socket.port)/"
  }

  /// Stops the server: it accepts no more connections, ends the recording, transcribes the rest of it, and then closes
  /// the open connections.
  /// - Returns: whether every recording of this server was completed.
  public func finish() async -> Bool {
    listener.quiesce()
    transcriptions.stop()
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

  /// 192 random bits.
  private static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
