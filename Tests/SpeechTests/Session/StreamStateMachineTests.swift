@testable import RecognitionCore
import Foundation
import RecognitionProtocol
import Testing

@testable import Speech

/// The decisions of a live recognition, without a service, a thread or a clock.
@Suite struct StreamStateMachineTests {
  private var machine = StreamStateMachine(
    configuration: ServiceConfiguration(model: .pocketSphinx, mode: .stream), patience: .init(fixed: 10),
    keepsService: false)
  private var now: TimeInterval = 100

  private mutating func handle(_ input: StreamStateMachine.Input) -> [String] {
    machine.handle(input, at: now).map(Self.name)
  }

  /// An action in a few words.
  private static func name(_ action: StreamStateMachine.Action) -> String {
    switch action {
    case .startService(let number, let configuration):
      "start \(number)" + configuration.contextualStrings.map { " \($0)" }.joined()
    case .killService(let number): "kill \(number)"
    case .leavePool: "leave pool"
    case .send(let request, let number):
      switch request {
      case .configure(let configuration):
        "configure \(number)" + configuration.contextualStrings.map { " \($0)" }.joined()
      case .begin(let utterance): "begin \(utterance)"
      case .audio(let samples): "audio \(samples.count)"
      case .pause: "pause"
      case .end: "end"
      case .terms(let words): "terms \(words.count)"
      case .align(let texts): "align \(texts.count)"
      case .abandon: "abandon"
      }
    case .emit(let event):
      switch event {
      case .speechDetected: "speech"
      case .hypothesis(let words): "hypothesis \(words.map(\.text).joined(separator: " "))"
      case .utterance(let utterance): "utterance \(utterance.audio.range)"
      case .failure(let samples, let reason): "failure \(samples) \(reason)"
      case .decoded(let seconds): "decoded \(seconds)"
      case .processed(let seconds): "processed \(seconds)"
      case .flushed(let token): "flushed \(token)"
      case .audioEnded: "audio ended"
      case .ended(let error):
        error.map { "ended \((RecognitionError.error(for: $0) as NSError).code)" } ?? "ended"
      }
    }
  }

  /// Starts service 1, which the pool counts.
  private mutating func startService() {
    _ = handle(.prepare)
    _ = handle(.joinedPool)
    _ = handle(.serviceStarted(1))
  }

  /// An utterance of one second.
  @discardableResult private mutating func speak(from start: Int, isEnded: Bool = true) -> [String] {
    let begun = handle(.begin(at: start)) + handle(.audio(Array(repeating: 1, count: 16_000)))
    return isEnded ? begun + handle(.end(nonspeech: nil)) : begun
  }

  private func final(_ utterance: UInt32) -> ServiceReply {
    .final(.init(utterance: utterance, hypotheses: []))
  }

  @Test mutating func aServiceGetsEachUtteranceAsItIsSpoken() {
    startService()
    #expect(speak(from: 0) == ["speech", "begin 1", "audio 16000", "end"])
    #expect(speak(from: 32_000) == ["begin 2", "audio 16000", "end"])
    #expect(handle(.reply(final(1), from: 1)) == ["utterance 0..<16000", "processed 1.0"])
    #expect(handle(.reply(final(2), from: 1)) == ["utterance 32000..<48000", "processed 3.0"])
    #expect(handle(.reached(64_000)) == ["processed 4.0"])
  }

  /// A service that has yet to start gets the whole utterance, and not where it paused.
  @Test mutating func aServiceHearsOfAPauseWhileItRuns() {
    #expect(handle(.prepare) == ["start 1"])
    speak(from: 0, isEnded: false)
    #expect(handle(.pause) == [])
    #expect(handle(.serviceStarted(1)) == ["begin 1", "audio 8000", "audio 8000"])
    #expect(handle(.pause) == ["pause"])
    #expect(handle(.audio([1])) == ["audio 1"])
    #expect(handle(.pause) == ["pause"])
    #expect(handle(.end(nonspeech: nil)) == ["end"])
    #expect(handle(.reply(final(1), from: 1)).first == "utterance 0..<16001")
  }

  /// In chunks, of which each has its partial result.
  @Test mutating func audioBeforeTheStartOfTheServiceIsSent() {
    #expect(handle(.prepare) == ["start 1"])
    #expect(speak(from: 0) == ["speech"])
    #expect(speak(from: 32_000, isEnded: false) == [])
    #expect(
      handle(.serviceStarted(1)) == [
        "begin 1", "audio 8000", "audio 8000", "end", "begin 2", "audio 8000", "audio 8000",
      ])
    #expect(handle(.end(nonspeech: nil)) == ["end"])
  }

  @Test mutating func aLostServiceIsReplacedAndGetsEverythingAgain() {
    startService()
    speak(from: 0)
    speak(from: 32_000, isEnded: false)
    #expect(handle(.serviceLost(1)) == ["start 2"])
    #expect(
      handle(.serviceStarted(2)) == [
        "begin 1", "audio 8000", "audio 8000", "end", "begin 2", "audio 8000", "audio 8000",
      ])
    // The lost one has no say any more.
    #expect(handle(.reply(final(1), from: 1)) == [])
    #expect(handle(.serviceLost(1)) == [])
    #expect(handle(.reply(final(1), from: 2)) == ["utterance 0..<16000", "processed 1.0"])
  }

  @Test mutating func anIdleServiceThatIsLostIsReplacedWhenItIsNeeded() {
    startService()
    #expect(handle(.serviceLost(1)) == [])
    #expect(handle(.begin(at: 0)) == ["speech", "start 2"])
  }

  @Test mutating func anUtteranceIsGivenUpAfterThreeDeaths() {
    startService()
    speak(from: 0)
    speak(from: 32_000)
    _ = handle(.flush(5))
    for number in 1...2 {
      #expect(handle(.serviceLost(number)) == ["start \(number + 1)"])
      _ = handle(.serviceStarted(number + 1))
    }
    #expect(handle(.serviceLost(3)) == ["failure 0..<16000 the speech service died", "start 4"])
    #expect(handle(.serviceStarted(4)) == ["begin 2", "audio 8000", "audio 8000", "end"])
    #expect(handle(.reply(final(2), from: 4)).last == "flushed 5")
  }

  @Test mutating func theRestOfAnUtteranceThatIsGivenUpIsRecognized() {
    startService()
    speak(from: 0, isEnded: false)
    for number in 1...3 {
      _ = handle(.serviceLost(number))
      if number < 3 { _ = handle(.serviceStarted(number + 1)) }
    }
    #expect(handle(.audio([1, 2])) == [])
    #expect(handle(.serviceStarted(4)) == ["begin 2", "audio 2"])
    #expect(handle(.end(nonspeech: nil)) == ["end"])
    #expect(handle(.reply(final(2), from: 4)).first == "utterance 16000..<16002")
  }

  @Test mutating func aStartThatFailsIsTriedThreeTimes() {
    let failure = SpeechServiceFailure.interrupted("it died")
    #expect(handle(.prepare) == ["start 1"])
    #expect(handle(.serviceFailedToStart(failure)) == ["start 2"])
    #expect(handle(.serviceFailedToStart(failure)) == ["start 3"])
    #expect(handle(.serviceFailedToStart(failure)) == ["ended 1107"])
  }

  @Test mutating func aMissingServiceEndsTheStreamAtOnce() {
    _ = handle(.prepare)
    #expect(handle(.audioEnded(at: 0)) == ["audio ended"])
    #expect(handle(.serviceFailedToStart(SpeechServiceFailure.notInstalled(.pocketSphinx))) == ["ended 300"])
    #expect(handle(.serviceFailedToStart(SpeechServiceFailure.notInstalled(.pocketSphinx))) == [])
  }

  @Test mutating func aServiceThatSkipsAnUtteranceIsKilled() {
    startService()
    speak(from: 0)
    speak(from: 32_000)
    #expect(handle(.reply(final(2), from: 1)) == ["kill 1"])
    #expect(handle(.serviceLost(1)) == ["start 2"])
  }

  @Test mutating func anUtteranceThatTheServiceCannotDecodeIsReported() {
    startService()
    speak(from: 0)
    let failed = ServiceReply.failed(.init(utterance: 1, reason: "r"))
    #expect(handle(.reply(failed, from: 1)) == ["failure 0..<16000 r"])
  }

  @Test mutating func aRefusalEndsTheStreamWithItsError() {
    startService()
    speak(from: 0)
    let refusal = ServiceReply.refused(.init(domain: "d", code: 77, reason: "r"))
    #expect(handle(.reply(refusal, from: 1)) == ["kill 1", "leave pool", "ended 77"])
  }

  @Test mutating func aFlushWaitsForTheService() {
    _ = handle(.prepare)
    #expect(handle(.flush(7)) == [])
    #expect(handle(.serviceStarted(1)) == ["flushed 7"])
    #expect(handle(.flush(8)) == ["flushed 8"])
  }

  @Test mutating func aFlushWaitsForTheUtterancesBeforeIt() {
    startService()
    speak(from: 0)
    #expect(handle(.flush(7)) == [])
    speak(from: 32_000)
    #expect(handle(.reply(final(1), from: 1)) == ["utterance 0..<16000", "processed 1.0", "flushed 7"])
  }

  @Test mutating func droppedUtterancesCompleteAFlush() {
    startService()
    speak(from: 0)
    _ = handle(.flush(7))
    #expect(handle(.drop(before: 15_999)) == [])
    #expect(handle(.drop(before: 16_000)) == ["flushed 7"])
    #expect(handle(.reply(final(1), from: 1)) == [])
  }

  @Test mutating func aNewConfigurationIsSentBeforeTheNextUtterance() {
    startService()
    speak(from: 0, isEnded: false)
    #expect(
      handle(
        .reconfigure(ServiceConfiguration(model: .pocketSphinx, mode: .stream, contextualStrings: ["x"])))
        == [])
    #expect(handle(.end(nonspeech: nil)) == ["end"])
    #expect(speak(from: 32_000) == ["configure 1 x", "begin 2", "audio 16000", "end"])
    #expect(speak(from: 64_000) == ["begin 3", "audio 16000", "end"])
    #expect(handle(.serviceLost(1)) == ["start 2 x"])
  }

  @Test mutating func theStreamEndsAfterItsLastResult() {
    startService()
    speak(from: 0)
    #expect(handle(.audioEnded(at: 20_000)) == ["audio ended"])
    #expect(handle(.audioEnded(at: 20_000)) == [])
    #expect(
      handle(.reply(final(1), from: 1)) == [
        "utterance 0..<16000", "processed 1.0", "processed 1.25", "kill 1", "leave pool", "ended",
      ])
    #expect(handle(.begin(at: 32_000)) == [])
    #expect(handle(.cancel) == [])
  }

  @Test mutating func cancellingReportsNothingMore() {
    startService()
    speak(from: 0)
    _ = handle(.flush(7))
    #expect(handle(.cancel) == ["kill 1", "leave pool"])
    #expect(handle(.reply(final(1), from: 1)) == [])
    #expect(handle(.serviceLost(1)) == [])
    #expect(handle(.audioEnded(at: 0)) == [])
  }

  @Test mutating func aServiceThatStartsAfterTheEndIsKilled() {
    _ = handle(.prepare)
    #expect(handle(.cancel) == [])
    #expect(handle(.joinedPool) == ["leave pool"])
    #expect(handle(.serviceStarted(1)) == ["kill 1"])
  }

  @Test mutating func aKeptServiceReturnsWhenItHasAnsweredEverything() {
    machine = StreamStateMachine(
      configuration: ServiceConfiguration(model: .pocketSphinx, mode: .stream), patience: .init(fixed: 10),
      keepsService: true)
    startService()
    speak(from: 0)
    _ = handle(
      .reconfigure(ServiceConfiguration(model: .pocketSphinx, mode: .stream, contextualStrings: ["x"])))
    speak(from: 32_000)
    #expect(handle(.cancel) == ["abandon", "configure 1 x"])
    let ready = ServiceReply.ready(
      .init(
        engine: "e", version: "1", model: "m", locale: "en-US",
        capabilities: .init(
          prefersPhrases: false, hasConfidence: false, isPunctuated: false, isLive: false,
          bindsLanguage: false)))
    #expect(handle(.reply(ready, from: 1)) == [])
    #expect(machine.patience(with: 1, at: now) == 10)
    #expect(handle(.reply(ready, from: 1)) == [])
    #expect(machine.patience(with: 1, at: now) == nil)
    #expect(handle(.serviceReturned(1)) == ["leave pool"])
  }

  @Test mutating func aServiceWithoutTheModelDoesNotReturn() {
    machine = StreamStateMachine(
      configuration: ServiceConfiguration(model: .pocketSphinx, mode: .stream), patience: .init(fixed: 10),
      keepsService: true)
    startService()
    _ = handle(.cancel)
    #expect(handle(.reply(.unavailable("r"), from: 1)) == ["kill 1"])
    #expect(handle(.serviceLost(1)) == ["leave pool"])
  }

  @Test mutating func aServiceThatCannotTakeAConfigurationIsReplaced() {
    startService()
    _ = handle(
      .reconfigure(ServiceConfiguration(model: .pocketSphinx, mode: .stream, contextualStrings: ["x"])))
    speak(from: 32_000)
    #expect(handle(.reply(.occupied, from: 1)) == ["kill 1"])
    #expect(handle(.serviceLost(1)) == ["start 2 x"])
  }

  /// A service that had nothing to do for long has its whole patience when it gets something to do.
  @Test mutating func patienceBeginsWhenAnAnswerIsOwed() {
    startService()
    now += 9
    #expect(machine.patience(with: 1, at: now) == 10)
    speak(from: 0)
    now += 4
    #expect(machine.patience(with: 1, at: now) == 6)
    speak(from: 32_000)
    #expect(machine.patience(with: 1, at: now) == 6)
    now += 11
    #expect(machine.patience(with: 1, at: now) == 0)
  }

  /// Otherwise it could send partial results without end, and never a result.
  @Test mutating func partialResultsDoNotProlongThePatience() {
    startService()
    speak(from: 0)
    now += 4
    let partial = ServiceReply.partial(.init(utterance: 1, hypotheses: []))
    _ = handle(.reply(partial, from: 1))
    #expect(machine.patience(with: 1, at: now) == 6)
    _ = handle(.reply(final(7), from: 1))
    #expect(machine.patience(with: 1, at: now) == 6)
  }

  @Test mutating func eachUtteranceHasItsOwnPatience() {
    startService()
    speak(from: 0)
    speak(from: 32_000)
    now += 9
    _ = handle(.reply(final(1), from: 1))
    #expect(machine.patience(with: 1, at: now) == 10)
  }

  /// Its audio may be held up: then a service has nothing to say.
  @Test mutating func nothingIsOwedWhileAnUtteranceIsSpoken() {
    startService()
    speak(from: 0, isEnded: false)
    now += 1000
    #expect(machine.patience(with: 1, at: now) == 10)
  }

  @Test mutating func longUtterancesHaveMoreTime() {
    machine = StreamStateMachine(
      configuration: ServiceConfiguration(model: .pocketSphinx, mode: .stream), patience: .usual,
      keepsService: false)
    startService()
    speak(from: 0)
    #expect(machine.patience(with: 1, at: now) == 20)
  }

  /// An utterance has one second, and what a service says of it comes after that of the first.
  private static let impossible: [ServiceReply] = [
    .final(.init(utterance: 1, hypotheses: [hypothesis(0.5, 1.2)])),
    .partial(.init(utterance: 1, hypotheses: [hypothesis(0.5, 1.2)])),
    .partial(.init(utterance: 1, hypotheses: [hypothesis(0.5, 0.4)])),
  ]

  private static func hypothesis(_ start: Double, _ end: Double) -> ServiceHypothesis {
    .init(words: [.init(text: "w", start: start, end: end, confidence: 1)], confidence: 1)
  }

  @Test(arguments: impossible) mutating func aServiceWithImpossibleWordsIsReplaced(_ reply: ServiceReply) {
    startService()
    speak(from: 0)
    for number in 1...3 {
      #expect(handle(.reply(reply, from: number)) == ["kill \(number)"])
      let lost = handle(.serviceLost(number))
      if number < 3 {
        #expect(lost == ["start \(number + 1)"])
      } else {
        #expect(lost.first?.hasPrefix("failure 0..<16000 the speech service sent an invalid message") == true)
      }
      _ = handle(.serviceStarted(number + 1))
    }
  }

  @Test mutating func aServiceThatOnlyTalksIsReplaced() {
    startService()
    let partial = ServiceReply.partial(.init(utterance: 9, hypotheses: []))
    for _ in 0..<500 { _ = handle(.reply(partial, from: 1)) }
    #expect(handle(.reply(partial, from: 1)) == ["kill 1"])
  }
}
