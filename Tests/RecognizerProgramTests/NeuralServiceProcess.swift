import ChildProcesses
import Foundation
import RecognitionProtocol
import TestSupport

/// The built `sherpa-service` or `whisper-service`, as a client uses it.
final class NeuralServiceProcess {
  let channel: ServiceChannel
  let process: ChildProcess
  private static let seconds = 300.0

  private let recognizer: Recognizer

  static func executable(_ recognizer: Recognizer = .sherpaOnnx) throws -> String {
    try BuiltModules.folder(having: recognizer == .whisper ? "WhisperService" : "SherpaService")
      .appendingPathComponent(recognizer.program).path
  }

  init(_ recognizer: Recognizer = .sherpaOnnx, environment: [String: String] = [:]) throws {
    self.recognizer = recognizer
    let (near, far) = try ServiceChannel.pair()
    defer { far.close() }
    process = try ChildProcess(
      Self.executable(recognizer),
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      input: .descriptor(far.descriptor), output: .null, errors: .null)
    channel = near
  }

  deinit {
    channel.shutDown()
    process.end()
    channel.close()
  }

  /// Runs the program with arguments.
  static func run(_ arguments: [String], _ recognizer: Recognizer = .sherpaOnnx) throws -> Program {
    try Program.run([executable(recognizer)] + arguments)
  }

  func configure(
    _ folder: String, mode: ServiceConfiguration.Mode = .recording, alternatives: Int = 5,
    phrases: [String] = [], locale: String = "en-US", detectsLanguage: Bool = false, witness: String? = nil
  ) throws -> ServiceReply {
    var configuration = ServiceConfiguration(
      locale: locale, model: ModelReference(recognizer, folder: folder, digest: "1", witness: witness),
      mode: mode,
      alternatives: alternatives,
      contextualStrings: phrases)
    configuration.detectsLanguage = detectsLanguage
    try channel.send(ServiceRequest.configure(configuration))
    return try channel.receive(by: ServiceDeadline(seconds: Self.seconds))
  }

  /// Sends an utterance in parts of a tenth of a second.
  /// - Returns: the partial results, and the last answer.
  func decode(_ samples: [Int16], utterance: UInt32 = 1, _ request: ServiceRequest = .end) throws -> (
    partials: [ServiceHypothesis], last: ServiceReply
  ) {
    try channel.send(ServiceRequest.begin(utterance: utterance))
    var partials: [ServiceHypothesis] = []
    for start in stride(from: 0, to: samples.count, by: 1600) {
      try channel.send(ServiceRequest.audio(Array(samples[start..<min(start + 1600, samples.count)])))
    }
    try channel.send(request)
    while true {
      let reply: ServiceReply = try channel.receive(by: ServiceDeadline(seconds: Self.seconds))
      guard case .partial(let result) = reply else { return (partials, reply) }
      partials += result.hypotheses
    }
  }

  /// The final hypotheses of an utterance.
  func hypotheses(
    _ samples: [Int16], utterance: UInt32 = 1, _ request: ServiceRequest = .end
  ) throws -> [ServiceHypothesis] {
    let reply = try decode(samples, utterance: utterance, request).last
    guard case .final(let result) = reply, result.utterance == utterance else {
      throw UnexpectedReply(reply: reply)
    }
    return try ServiceHypothesis.checked(result.hypotheses, duration: Double(samples.count) / 16_000)
  }

  struct UnexpectedReply: Error { let reply: ServiceReply }
}
