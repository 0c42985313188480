import Foundation
import Longhand
import Synchronization

/// Answers clients of the Wyoming protocol, such as Home Assistant. They can transcribe what they send; they get nothing of
/// the library. The protocol has no token.
public final class WyomingServer: Sendable {
  /// Seconds without a message after which a connection is closed.
  private static let patience = 300

  private struct State {
    var clients = WyomingClients()
    var isStopped = false
  }

  /// The address for clients, such as `tcp://127.0.0.1:10300`.
  public let address: String
  private let socket: ListeningSocket
  private let transcriptions: TranscriptionQueue
  private let description: WyomingConnection.Description
  private let state = Mutex(State())

  /// Starts to answer clients.
  /// - Parameters:
  ///   - address: an IP address.
  ///   - port: the port; 0 for any free one.
  ///   - options: set the model that is named to clients.
  ///   - server: the server whose workers transcribe the utterances.
  ///   - version: the version that is named to clients.
  /// - Throws: `ServerError`.
  public init(
    address: String, port: Int, options: TranscriptionOptions, with server: Server, version: String
  ) async throws {
    socket = try ListeningSocket(address: address, port: port, option: "--wyoming-port")
    let isVersion6 = IPAddress(address)?.isVersion6 ?? false
    self.address = "tcp://\(isVersion6 ? "[\(address)]" : address):\(socket.port)"
    transcriptions = server.transcriptions
    let model = options.modelStamp?.name
    description = WyomingConnection.Description(
      model: model ?? "longhand",
      languages: TranscriptionOptions.models.first { $0.name == model }?.languages
        ?? [options.expectedLocale.identifier(.bcp47)],
      locale: options.locale.identifier(.bcp47), version: version)
    // Threads: a client is read, and its transcription waited for, by blocking calls.
    Thread.detachNewThread { [self] in accept() }
  }

  /// Closes every connection, and accepts no more.
  public func stop() {
    let clients = state.withLock { state in
      state.isStopped = true
      return state.clients.sockets
    }
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    for client in clients { shutdown(client, Int32(SHUT_RDWR)) }
  }

  private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }

  private func accept() {
    while true {
      let client = Foundation.accept(socket.descriptor, nil, nil)
      if client < 0, errno == EINTR || errno == ECONNABORTED { continue }
      if client < 0, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
        // Too much is open. The client waits until something is closed.
        usleep(100_000)
        continue
      }
      guard client >= 0 else { break }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(client, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
      }
      let isAccepted = state.withLock { state in
        guard !state.isStopped else { return false }
        let (isAccepted, closed) = state.clients.add(client, now: Self.now)
        // Its thread ends then, and closes the descriptor.
        if let closed { shutdown(closed, Int32(SHUT_RDWR)) }
        return isAccepted
      }
      guard isAccepted else {
        close(client)
        continue
      }
      let note = { @Sendable [self] (phase: WyomingClients.Phase) in
        state.withLock { $0.clients.note(phase, of: client, now: Self.now) }
      }
      Thread.detachNewThread { [self] in
        WyomingConnection(client, transcriptions, description, note: note).run()
        state.withLock { $0.clients.remove(client) }
        close(client)
      }
    }
    close(socket.descriptor)
  }
}
