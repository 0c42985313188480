import Foundation
import Glibc
import SpeechServiceProtocol

/// One running speech service and the socket to it.
///
/// `@unchecked Sendable`: nothing changes after `init` but `configuration`, which only the thread that sends uses,
/// and `isReaped`, which `lock` guards.
final class SpeechServiceProcess: @unchecked Sendable {
  let channel: ServiceChannel
  let identifier: pid_t
  private(set) var configuration: ServiceConfiguration?
  /// Seconds without an answer after which a service counts as hung.
  private let patience: Double
  private let lock = NSLock()
  private var isReaped = false

  /// Starts a service.
  /// - Parameter patience: seconds without an answer after which it counts as hung.
  /// - Throws: `SpeechServiceFailure`.
  init(executable: String, environment: [String: String], patience: Double) throws {
    let (near, far) = try ServiceChannel.pair()
    defer { far.close() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, far.descriptor, STDIN_FILENO)
    // The client's standard output carries transcripts and nothing else.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own: an interrupt typed in the terminal is the client's to handle, and it drains first.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var identifier: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(executable), nil]
    defer { free(arguments[0]) }
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for variable in variables { free(variable) } }
    let status = posix_spawn(&identifier, executable, &actions, &attributes, &arguments, &variables)
    guard status == 0 else {
      near.close()
      throw SpeechServiceFailure.interrupted(
        "cannot start \(executable): \(String(cString: strerror(status)))")
    }
    near.limitSending(seconds: patience)
    channel = near
    self.patience = patience
    self.identifier = identifier
  }

  deinit {
    kill()
    channel.close()
  }

  /// Ends the service at once and wakes whoever waits on its channel.
  func kill() {
    lock.lock()
    defer { lock.unlock() }
    guard !isReaped else { return }
    isReaped = true
    channel.shutDown()
    _ = Glibc.kill(identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
  }

  /// Puts `wanted` in force if it is not; waits for the model to be loaded.
  /// - Returns: what the service says it is; nil if nothing was to be done.
  /// - Throws: `SpeechServiceFailure`, and the error by which a service ends a recognition.
  @discardableResult
  func configure(_ wanted: ServiceConfiguration) throws -> ServiceReply.Description? {
    guard wanted != configuration else { return nil }
    configuration = nil
    let reply: ServiceReply = try exchange {
      try channel.send(ServiceRequest.configure(wanted))
    }
    switch reply {
    case .ready(let description):
      configuration = wanted
      return description
    case .unavailable(let reason): throw SpeechServiceFailure.unavailable(reason)
    case .refused(let refusal): throw RecognitionError.refused(refusal)
    default: throw SpeechServiceFailure.interrupted("the speech service answered out of turn")
    }
  }

  /// Whether `wanted` can be put in force without loading a model again.
  func isReady(for wanted: ServiceConfiguration) -> Bool {
    configuration?.locale == wanted.locale && configuration?.languageModel == wanted.languageModel
  }

  /// Asks for `wanted` without waiting: its answer comes after those to everything asked before.
  /// - Throws: `ServiceChannelError`.
  func askFor(_ wanted: ServiceConfiguration) throws {
    configuration = wanted
    try channel.send(ServiceRequest.configure(wanted))
  }

  /// Decodes a whole piece.
  /// - Parameter samples: 16 kHz, mono.
  /// - Throws: `SpeechServiceFailure`, and the error by which a service ends a recognition.
  func decode(_ samples: [Int16], piece: UInt32) throws -> [ServiceHypothesis] {
    let reply: ServiceReply = try exchange {
      try channel.send(ServiceRequest.begin(piece: piece))
      for start in stride(from: 0, to: samples.count, by: 16_000) {
        try channel.send(ServiceRequest.audio(Array(samples[start..<min(start + 16_000, samples.count)])))
      }
      try channel.send(ServiceRequest.end)
    }
    switch reply {
    case .final(let result) where result.piece == piece: return result.hypotheses
    case .failed(let failure) where failure.piece == piece:
      throw SpeechServiceFailure.interrupted(failure.reason)
    case .refused(let refusal): throw RecognitionError.refused(refusal)
    default: throw SpeechServiceFailure.interrupted("the speech service answered out of turn")
    }
  }

  /// Whether a service that has nothing to do has died, or says something that nobody asked for.
  var isOutOfStep: Bool { channel.hasInput }

  /// The next message of a service that has work to do.
  /// - Throws: `ServiceChannelError`; `timeout` if it counts as hung.
  func receive() throws -> ServiceReply { try channel.receive(timeout: patience) }

  private func exchange(sending: () throws -> Void) throws -> ServiceReply {
    do {
      try sending()
      return try receive()
    } catch ServiceChannelError.closed {
      throw SpeechServiceFailure.interrupted("the speech service died")
    } catch ServiceChannelError.timeout {
      throw SpeechServiceFailure.interrupted("the speech service hung")
    } catch let error as ServiceChannelError {
      throw SpeechServiceFailure.interrupted("the speech service sent nonsense: \(error)")
    }
  }
}
