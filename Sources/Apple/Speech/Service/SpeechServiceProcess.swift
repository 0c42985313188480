import ChildProcesses
import Foundation
import SpeechServiceProtocol

/// One running speech service and the socket to it.
///
/// `@unchecked Sendable`: nothing changes after `init` but `configuration`, which only the thread that sends
/// uses.
final class SpeechServiceProcess: @unchecked Sendable {
  let channel: ServiceChannel
  private let process: ChildProcess
  private(set) var configuration: ServiceConfiguration?
  /// Seconds without an answer after which a service counts as hung.
  private let patience: Double

  /// Starts a service.
  /// - Parameter patience: seconds without an answer after which it counts as hung.
  /// - Throws: `SpeechServiceFailure`.
  init(executable: String, environment: [String: String], patience: Double) throws {
    let (near, far) = try ServiceChannel.pair()
    defer { far.close() }
    do {
      process = try ChildProcess(
        executable, environment: environment, input: .descriptor(far.descriptor), output: .null,
        errors: .inherited)
    } catch {
      near.close()
      throw SpeechServiceFailure.interrupted("\(error)")
    }
    near.limitSending(seconds: patience)
    channel = near
    self.patience = patience
  }

  deinit {
    kill()
    channel.close()
  }

  /// The process ID.
  var identifier: pid_t { process.identifier }

  /// Ends the service at once and wakes the thread that waits on its channel.
  func kill() {
    channel.shutDown()
    process.end()
  }

  /// Makes the service use `wanted`, and waits until its model is loaded.
  /// - Returns: the description of the service; nil if it had the configuration already.
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
    default: throw SpeechServiceFailure.interrupted("the speech service sent an answer to another request")
    }
  }

  /// Whether `wanted` needs no other model.
  func isReady(for wanted: ServiceConfiguration) -> Bool {
    configuration?.locale == wanted.locale && configuration?.languageModel == wanted.languageModel
  }

  /// Sends a configuration without waiting. Its answer comes after those to all earlier requests.
  /// - Throws: `ServiceChannelError`.
  func askFor(_ wanted: ServiceConfiguration) throws {
    configuration = wanted
    try channel.send(ServiceRequest.configure(wanted))
  }

  /// Decodes a whole utterance.
  /// - Parameter samples: 16 kHz, mono.
  /// - Throws: `SpeechServiceFailure`, and the error by which a service ends a recognition.
  func decode(_ samples: [Int16], utterance: UInt32) throws -> [ServiceHypothesis] {
    let reply: ServiceReply = try exchange {
      try channel.send(ServiceRequest.begin(utterance: utterance))
      for start in stride(from: 0, to: samples.count, by: 16_000) {
        try channel.send(ServiceRequest.audio(Array(samples[start..<min(start + 16_000, samples.count)])))
      }
      try channel.send(ServiceRequest.end)
    }
    switch reply {
    case .final(let result) where result.utterance == utterance: return result.hypotheses
    case .failed(let failure) where failure.utterance == utterance:
      throw SpeechServiceFailure.interrupted(failure.reason)
    case .refused(let refusal): throw RecognitionError.refused(refusal)
    default: throw SpeechServiceFailure.interrupted("the speech service sent an answer to another request")
    }
  }

  /// Whether a service that has nothing to do has died or sent an unexpected message.
  var isOutOfStep: Bool { channel.hasInput }

  private func exchange(sending: () throws -> Void) throws -> ServiceReply {
    do {
      try sending()
      return try channel.receive(timeout: patience)
    } catch ServiceChannelError.closed {
      throw SpeechServiceFailure.interrupted("the speech service died")
    } catch ServiceChannelError.timeout {
      throw SpeechServiceFailure.interrupted("the speech service hung")
    } catch let error as ServiceChannelError {
      throw SpeechServiceFailure.interrupted("the speech service sent an invalid message: \(error)")
    }
  }
}
