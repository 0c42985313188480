import Foundation
import Longhand

/// The web page and the HTTP API of a library.
///
/// ```swift
/// let server = try Server(at: folder, .init(port: 0))
/// print(server.address)
/// let isWhole = await server.finish()   // when it is to end: what is recorded is listened to before
/// ```
public final class Server: Sendable {
  /// How it is reached, and how it listens.
  public struct Configuration: Sendable {
    /// An IP address. For one that is not the machine's own a token is made, which clients must know.
    public var address: String
    /// The port; 0 for any that is free.
    public var port: Int
    /// How recordings are listened to.
    public var options: TranscriptionOptions
    /// The `longhand` program, which transcribes what clients send, in a process of its own.
    public var program: URL
    /// Arguments of its `transcribe`, such as a vocabulary.
    public var arguments: [String]

    /// Each field by its name.
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
  /// What clients must know; nil where nothing is asked of them.
  public let token: String?

  private let listener: HTTPListener
  private let hub: LiveHub
  private let recordings: RecordingHost
  private let transcriptions: TranscriptionQueue

  /// Begins to answer.
  /// - Parameter folder: the library's; made where there is none.
  /// - Throws: `StoreError`, `ServerError`.
  public init(at folder: URL, _ configuration: Configuration) throws {
    let isOwn = IPAddress(configuration.address)?.isLoopback ?? true
    token = isOwn ? nil : Self.secret()
    let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
    do {
      hub = try LiveHub(try Library(at: folder))
      recordings = RecordingHost(try Library(at: folder), options: configuration.options, hub: hub)
      transcriptions = TranscriptionQueue(configuration.program, arguments: configuration.arguments)
      let requests = RequestGuard(
        address: configuration.address, port: socket.port, token: token, cookie: Self.secret(),
        ownNames: isOwn ? [] : IPAddress.namesOfThisMachine)
      let api = API(
        try Library(at: folder), hub: hub, recordings: recordings, transcriptions: transcriptions,
        requests: requests)
      listener = try HTTPListener(socket, service: api)
    } catch {
      close(socket.descriptor)
      throw error
    }
    let listening = IPAddress(configuration.address)
    // "Any address" is none that a browser can ask.
    let name = listening?.isAny == true ? IPAddress.ofThisMachine : configuration.address
    let isLong = IPAddress(name)?.isLong ?? false
    address = "http://\(isLong ? "[\(name)]" : name):\(socket.port)/"
  }

  /// Ends: takes no more connections, ends the recording and waits until all of it was heard, and then lets go of those
  /// who are still there.
  /// - Returns: whether every recording came to a good end.
  public func finish() async -> Bool {
    listener.quiesce()
    transcriptions.stop()
    let isWhole = await recordings.finish()
    hub.stop()
    await withCheckedContinuation { continuation in
      // It waits for the connections' threads, and some of those may wait for Swift's, of which this may be the last.
      Thread.detachNewThread { [listener] in
        listener.stop()
        continuation.resume()
      }
    }
    return isWhole
  }

  /// 192 bits that nobody can guess.
  private static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<3).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
