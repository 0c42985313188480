import Foundation
import ScriptedSpeech
import RecognitionProtocol

/// Answers the requests of one client according to a script.
struct ScriptedLoop {
  private let channel: ServiceChannel
  private let run: ScriptedRun
  private var configuration: ServiceConfiguration?
  private var utterance: ScriptedUtterance?

  init(channel: ServiceChannel, run: ScriptedRun) {
    self.channel = channel
    self.run = run
  }

  /// Serves until the client goes away.
  /// - Throws: `ServiceChannelError`, or an error of Foundation if the script's state cannot be read.
  func serve() throws -> Never {
    var loop = self
    while true { try loop.answer(try channel.receive()) }
  }

  private mutating func answer(_ request: ServiceRequest) throws {
    switch request {
    case .configure(let wanted):
      if try run.configure() {
        configuration = nil
        return try send(.unavailable("the script says so"))
      }
      if let configuration, configuration.locale != wanted.locale { return try send(.occupied) }
      configuration = wanted
      try send(
        .ready(
          .init(
            engine: "scripted", version: "1", model: "tones", locale: wanted.locale,
            capabilities: .init(
              prefersPhrases: false, hasConfidence: true, isPunctuated: false, isLive: true,
              bindsLanguage: true))))
    case .begin(let number):
      utterance = ScriptedUtterance(number: number)
    case .audio(let samples):
      utterance?.take(samples)
      guard utterance?.isRecognizable == true else { return }
      try take()
      if configuration?.mode == .stream { try sendPartial() }
    case .pause: break
    case .end, .terms:
      guard utterance != nil else { return }
      try take()
      try sendFinal()
      utterance = nil
    case .align(let texts):
      guard let current = utterance else { return }
      let none = texts.map { _ in ScriptedUtterance.hypothesis([]) }
      try send(.final(.init(utterance: current.number, hypotheses: none)))
      utterance = nil
    case .abandon:
      utterance = nil
    }
  }

  /// Counts the attempt at the utterance, once.
  private mutating func take() throws {
    guard let current = utterance, current.turn == nil else { return }
    utterance?.turn = try run.begin(current.beginning)
  }

  private mutating func sendPartial() throws {
    guard var current = utterance else { return }
    defer { utterance = current }
    guard let words = current.newWords() else { return }
    current.partials += 1
    switch current.turn?.fault {
    case .silent: return
    case .emptyPartials:
      // Alternates between no hypothesis and a hypothesis without words.
      let none = current.partials.isMultiple(of: 2) ? [] : [ScriptedUtterance.hypothesis([])]
      try send(.partial(.init(utterance: current.number, hypotheses: none)))
    case .shrinkingPartials:
      let isShort = current.partials.isMultiple(of: 2)
      try sendPartial(Array(words.prefix(isShort ? words.count / 2 : words.count)), of: current)
    case .deathDuringPartial where !words.isEmpty:
      try sendHalf(
        .partial(.init(utterance: current.number, hypotheses: [ScriptedUtterance.hypothesis(words)])))
    default: try sendPartial(words, of: current)
    }
  }

  private func sendFinal() throws {
    guard let utterance else { return }
    guard let configuration else {
      return try send(.failed(.init(utterance: utterance.number, reason: "not configured")))
    }
    func final(_ number: UInt32) -> ServiceReply {
      .final(
        .init(
          utterance: number,
          hypotheses: utterance.hypotheses(configuration.alternatives, texts: run.script.texts)))
    }
    switch utterance.turn?.fault {
    case .silent: return
    case .late(let seconds): wait(seconds: seconds)
    case .wrongUtterance: try send(final(utterance.number &+ 1_000_000))
    case .duplicateFinal: try send(final(utterance.number))
    case .failed(let reason): return try send(.failed(.init(utterance: utterance.number, reason: reason)))
    case .refused(let domain, let code):
      return try send(.refused(.init(domain: domain, code: code, reason: "the script says so")))
    case .deathBeforeAnswer: _exit(1)
    case .deathDuringPartial: try sendHalf(final(utterance.number))
    case .deathAfterFinal:
      try send(final(utterance.number))
      _exit(1)
    case .nonsense:
      sendBytes(ServiceFrame(kind: 77, payload: Data("nonsense".utf8)).bytes)
      wait(seconds: .infinity)
    case .hang: wait(seconds: .infinity)
    case .shrinkingPartials, .emptyPartials, nil: break
    }
    try send(final(utterance.number))
  }

  private func send(_ reply: ServiceReply) throws { try channel.send(reply) }

  private func sendPartial(_ words: [SpokenTones.Word], of utterance: ScriptedUtterance) throws {
    guard !words.isEmpty else { return }
    try send(.partial(.init(utterance: utterance.number, hypotheses: [ScriptedUtterance.hypothesis(words)])))
  }

  /// Exits in the middle of a message.
  private func sendHalf(_ reply: ServiceReply) throws -> Never {
    let bytes = try reply.frame().bytes
    sendBytes(bytes.prefix(bytes.count / 2))
    _exit(1)
  }

  private func sendBytes(_ bytes: Data) {
    _ = bytes.withUnsafeBytes {
      Foundation.send(channel.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Waits. Exits when the client goes away, as waiting for a request does.
  private func wait(seconds: TimeInterval) {
    let end = Date(timeIntervalSinceNow: min(seconds, 1e9))
    while Date() < end {
      if channel.isHungUp { _exit(0) }
      Thread.sleep(forTimeInterval: min(0.02, max(0, end.timeIntervalSinceNow)))
    }
  }
}
