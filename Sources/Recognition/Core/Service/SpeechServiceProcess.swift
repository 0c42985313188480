import ChildProcesses
import Foundation
import RecognitionProtocol

/// One running speech service and the socket to it.
///
/// `@unchecked Sendable`: nothing changes after `init` but `configuration` and `capabilities`, which only the thread that
/// sends uses.
final class SpeechServiceProcess: @unchecked Sendable {
  /// The environment variable that lets services write to standard error, to look for their faults. Otherwise nothing
  /// that a service writes reaches a terminal.
  static let errorsVariable = "SPEECH_SERVICE_ERRORS"

  /// Why a request was interrupted, if the service ended before it answered.
  static let died = "the speech service died"

  private let process: ServiceProcess
  private(set) var configuration: ServiceConfiguration?
  /// What it can do with its model; nothing before it has one.
  private(set) var capabilities = ServiceReply.Capabilities(
    prefersPhrases: false, hasConfidence: false, isPunctuated: false, isLive: false, bindsLanguage: false)
  /// How long it may take for an answer before it counts as hung.
  private let patience: ServicePatience

  /// Starts a service.
  /// - Parameter patience: how long it may take for an answer before it counts as hung.
  /// - Throws: `SpeechServiceFailure`.
  init(
    _ recognizer: Recognizer, executable: String, environment: [String: String],
    patience: ServicePatience
  ) throws {
    self.recognizer = recognizer
    do {
      process = try ServiceProcess(
        executable, environment: environment,
        errors: environment[Self.errorsVariable] == "1" ? .inherited : .null)
    } catch let error as ChildProcess.LaunchError {
      throw SpeechServiceFailure.interrupted("\(error)")
    }
    self.patience = patience
  }

  deinit { kill() }

  var channel: ServiceChannel { process.channel }

  /// The recognizer.
  let recognizer: Recognizer

  /// The process ID.
  var identifier: pid_t { process.identifier }

  /// Seconds on a clock that stops while the service waits for a processor: on a busy machine it has not hung.
  var now: TimeInterval { SpeechServicePool.now - ProcessorTime.waiting(identifier) }

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
    let former = configuration
    configuration = nil
    let reply = try exchange(within: patience.configuring(wanted)) { deadline in
      try channel.send(ServiceRequest.configure(wanted), by: deadline)
    }
    switch reply {
    case .ready(let description):
      configuration = wanted
      capabilities = description.capabilities
      return description
    case .occupied:
      configuration = former
      throw SpeechServiceFailure.occupied
    case .unavailable(let reason): throw SpeechServiceFailure.unavailable(reason)
    case .refused(let refusal): throw SpeechServiceFailure.refused(refusal)
    default: throw SpeechServiceFailure.interrupted("the speech service sent an answer to another request")
    }
  }

  /// Sends a request without waiting for its answer, which comes after those to all earlier requests.
  /// - Throws: `ServiceChannelError`.
  func send(_ request: ServiceRequest) throws {
    if case .configure(let wanted) = request { configuration = wanted }
    try channel.send(request, by: process.deadline(in: patience.longest))
  }

  /// Decodes a whole utterance, or aligns texts with it.
  /// - Parameters:
  ///   - samples: 16 kHz, mono.
  ///   - request: the one that ends the utterance.
  /// - Throws: `SpeechServiceFailure`, and the error by which a service ends a recognition.
  func decode(
    _ samples: [Int16], utterance: UInt32, _ request: ServiceRequest = .end
  ) throws -> [ServiceHypothesis] {
    let reply = try exchange(within: patience.limit(samples: samples.count)) { deadline in
      try channel.send(ServiceRequest.begin(utterance: utterance), by: deadline)
      for start in stride(from: 0, to: samples.count, by: 16_000) {
        let part = Array(samples[start..<min(start + 16_000, samples.count)])
        try channel.send(ServiceRequest.audio(part), by: deadline)
      }
      try channel.send(request, by: deadline)
    }
    switch reply {
    case .final(let result) where result.utterance == utterance:
      return try Self.attempt { try UtteranceAudio(start: 0, samples: samples).checked(result.hypotheses) }
    case .failed(let failure) where failure.utterance == utterance:
      throw SpeechServiceFailure.interrupted(failure.reason)
    case .refused(let refusal): throw SpeechServiceFailure.refused(refusal)
    default: throw SpeechServiceFailure.interrupted("the speech service sent an answer to another request")
    }
  }

  /// Whether a service that has nothing to do has died or sent an unexpected message.
  var isOutOfStep: Bool { channel.hasInput }

  private func exchange(
    within seconds: TimeInterval, sending: (ServiceDeadline) throws -> Void
  ) throws -> ServiceReply {
    let deadline = process.deadline(in: seconds)
    return try Self.attempt {
      try sending(deadline)
      return try channel.receive(by: deadline)
    }
  }

  /// Does something with the channel, and says in words what is wrong with the service.
  private static func attempt<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as ServiceChannelError {
      throw SpeechServiceFailure.interrupted(error.reason)
    }
  }
}

extension ServiceChannelError {
  /// What is wrong with the service, for a reader.
  var reason: String {
    switch self {
    case .closed: SpeechServiceProcess.died
    case .timeout, .stalled: "the speech service hung"
    case .malformed(let what): "the speech service sent an invalid message: \(what)"
    case .system(let number): "the speech service cannot be reached: \(String(cString: strerror(number)))"
    }
  }
}

extension UtteranceAudio {
  /// The hypotheses of a service, if they can be those of this utterance.
  /// - Throws: `ServiceChannelError.malformed`.
  func checked(_ hypotheses: [ServiceHypothesis]) throws(ServiceChannelError) -> [ServiceHypothesis] {
    let duration = Double(samples.count) / Double(SpeechSegmenter.sampleRate)
    return try ServiceHypothesis.checked(hypotheses, duration: duration)
  }
}
