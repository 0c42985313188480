import Foundation
import RecognitionProtocol

/// Passes messages between a client and the real service, and fails at some utterances: in their middle,
/// after some of their audio was sent.
///
/// The environment says how:
///
///     SPEECH_FAULTY_SERVICE    the path of the real service
///     SPEECH_FAULTY_UTTERANCES the numbers of the utterances to fail at, separated by commas; each time they come
///     SPEECH_FAULTY_MARKS      a folder: fails at each of these utterances once only, and leaves a mark there
///     SPEECH_FAULTY_WAY        how: die (default), hang, nonsense; or an altered answer: loop, silence, doubt
///
/// `@unchecked Sendable`: `condition` guards `open`, the only variable. It is not a `Mutex`, because a thread
/// waits on it.
final class FaultyProxy: @unchecked Sendable {
  private let environment: [String: String]
  private let client: ServiceChannel
  private let utterances: Set<UInt32>
  private let condition = NSCondition()
  /// The utterances that the real service has begun and not answered.
  private var open: Set<UInt32> = []

  init(client: ServiceChannel, environment: [String: String]) {
    self.client = client
    self.environment = environment
    utterances = Set(
      (environment["SPEECH_FAULTY_UTTERANCES"] ?? "").split(separator: ",").compactMap { UInt32($0) })
  }

  /// Serves until one of the two sides goes away.
  /// - Throws: `ServiceChannelError`, and what starting the real service throws.
  func serve() throws -> Never {
    let (near, far) = try ServiceChannel.pair()
    let real = Process()
    real.executableURL = URL(fileURLWithPath: environment["SPEECH_FAULTY_SERVICE"] ?? "")
    real.standardInput = FileHandle(fileDescriptor: far.descriptor)
    try real.run()
    far.close()
    Thread.detachNewThread { self.passReplies(from: near) }
    do { try passRequests(to: near) } catch { _exit(0) }
  }

  private func passReplies(from service: ServiceChannel) {
    do {
      while true {
        let reply: ServiceReply = try service.receive()
        try client.send(altered(reply))
        condition.withLock {
          switch reply {
          case .final(let result): open.remove(result.utterance)
          case .failed(let failure): open.remove(failure.utterance)
          case .ready, .unavailable, .occupied, .partial, .refused: break
          }
          condition.broadcast()
        }
      }
    } catch { _exit(0) }
  }

  /// The reply, with the words that a faulty network writes.
  private func altered(_ reply: ServiceReply) -> ServiceReply {
    guard case .final(var result) = reply, utterances.contains(result.utterance) else { return reply }
    switch environment["SPEECH_FAULTY_WAY"] {
    case "loop":
      let words = (0..<8).map { index in
        ServiceHypothesis.Word(
          text: "in", start: Double(index) * 0.05, end: Double(index + 1) * 0.05, confidence: 0.99)
      }
      result.hypotheses = [ServiceHypothesis(words: words, confidence: 0.99)]
    case "silence": result.hypotheses = []
    case "doubt":
      // The words of the alternatives are likelier than those of the first text.
      for index in result.hypotheses.indices {
        for word in result.hypotheses[index].words.indices {
          result.hypotheses[index].words[word].probability = index == 0 ? 0.1 : 0.8
        }
      }
    default: break
    }
    return .final(result)
  }

  private func passRequests(to service: ServiceChannel) throws -> Never {
    var utterance: UInt32 = 0
    while true {
      let request: ServiceRequest = try client.receive()
      if case .begin(let number) = request {
        utterance = number
        condition.withLock { _ = open.insert(number) }
      }
      if case .audio = request, utterances.contains(utterance) { fail(at: utterance) }
      try service.send(request)
    }
  }

  private func fail(at utterance: UInt32) {
    // A recognizer fails at the utterance that it decodes, not at one that waits.
    condition.withLock { while open != [utterance] { condition.wait() } }
    if let marks = environment["SPEECH_FAULTY_MARKS"] {
      let mark = marks + "/\(utterance)"
      guard !FileManager.default.fileExists(atPath: mark) else { return }
      _ = FileManager.default.createFile(atPath: mark, contents: nil)
    }
    switch environment["SPEECH_FAULTY_WAY"] {
    case "hang": while true { sleep(1000) }
    case "nonsense":
      let frame = ServiceFrame(kind: 77, payload: Data("nonsense".utf8)).bytes
      _ = frame.withUnsafeBytes { write(client.descriptor, $0.baseAddress, $0.count) }
    case "loop", "silence", "doubt": break
    default: _exit(1)
    }
  }
}
