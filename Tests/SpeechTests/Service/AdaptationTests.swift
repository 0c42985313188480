import Foundation
import SpeechServiceProtocol
import TestSupport
import Testing

@testable import Speech

/// The model of the embedded recognizer is adapted to the voices of a recording.
@Suite(.serialized, .tagged(.recognizer)) struct AdaptationTests {
  private func withService<Result>(_ work: (SpeechServiceProcess) throws -> Result) throws -> Result {
    let pool = SpeechServicePool(capacity: 1, patience: 60)
    defer { pool.endIdle() }
    return try pool.withService(ServiceConfiguration(adapts: true), isCancelled: { false }, work)
  }

  @Test func anUtteranceTellsTheSameOfTheVoiceWheneverItIsAsked() throws {
    let samples = try Recordings.samples(Recordings.librivox("0880"))
    try withService { service in
      let first = try service.learn(samples, utterance: 0)
      _ = try service.decode(try Recordings.goForward(), utterance: 1, voice: first)
      #expect(try service.learn(samples, utterance: 2) == first)
      #expect(!first.sums.isEmpty)
    }
  }

  @Test func aVoiceCountsForItsUtteranceAlone() throws {
    let samples = try Recordings.samples(Recordings.librivox("0880"))
    try withService { service in
      let plain = try service.decode(samples, utterance: 0)
      let voice = try service.learn(samples, utterance: 1)
      let adapted = try service.decode(samples, utterance: 2, voice: voice)
      #expect(adapted != plain)
      #expect(!adapted.isEmpty)
      #expect(try service.decode(samples, utterance: 3) == plain)
      #expect(try service.decode(samples, utterance: 4, voice: voice) == adapted)
    }
  }

  /// A client's sums cannot make the recognizer fail.
  @Test func impossibleVoicesChangeNothing() throws {
    let samples = try Recordings.goForward()
    try withService { service in
      let plain = try service.decode(samples, utterance: 0)
      let count = try service.learn(samples, utterance: 1).sums.count
      for sums in [[1], [Double](repeating: -1e9, count: count), [Double](repeating: 1e308, count: count)] {
        #expect(try service.decode(samples, utterance: 2, voice: .init(sums: sums)) == plain)
      }
    }
  }

  @Test func silenceTellsNothing() throws {
    let samples = try Recordings.goForward()
    try withService { service in
      let plain = try service.decode(samples, utterance: 0)
      for silence in [[], [Int16](repeating: 0, count: 16_000), Recordings.silence(2)] {
        let voice = try service.learn(silence, utterance: 1)
        #expect(voice.sums.allSatisfy { $0 == 0 })
        #expect(try service.decode(samples, utterance: 2, voice: voice).first?.text == plain.first?.text)
      }
    }
  }

  /// A model adapted to noise would recognize words in it.
  @Test func noiseTellsNothing() throws {
    var generator = SeededGenerator(seed: 7)
    // Syllables of noise: the recognizer finds words in them, and is not sure of any.
    let noise = (0..<4 * 16_000).map { index in
      let level = max(0, sin(2 * .pi * 4 * Double(index) / 16_000))
      return Int16(level * Double(Int16.random(in: -6000...6000, using: &generator)))
    }
    try withService { service in
      let found = try service.decode(noise, utterance: 0)
      #expect(!found.isEmpty)
      #expect(try service.learn(noise, utterance: 1).sums.isEmpty)
    }
  }

  private func recognize(
    adapts: Bool = true, capacity: Int = 2, environment: [String: String] = [:]
  ) throws -> (utterances: [RecognizedUtterance], failures: Int) {
    let done = DispatchSemaphore(value: 0)
    let url = try Recordings.write(Recordings.utterances(), name: "voices-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let pool = SpeechServicePool(
      capacity: capacity, patience: 60,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    defer { pool.endIdle() }
    let log = UtteranceLog()
    let recognition = RecordingRecognition(
      url: url, configuration: ServiceConfiguration(adapts: adapts), pool: pool
    ) { event in
      log.add(event)
      if case .ended = event { done.signal() }
    }
    recognition.start()
    try #require(done.wait(timeout: .now() + 400) == .success)
    return (log.utterances, log.failures)
  }

  @Test func theTextDoesNotDependOnTheNumberOfServices() throws {
    let (one, two) = (try recognize(capacity: 1), try recognize(capacity: 2))
    #expect(one.utterances.map(\.candidates) == two.utterances.map(\.candidates))
    #expect(one.utterances.count == 5)
    #expect(one.utterances.map(\.candidates) != (try recognize(adapts: false)).utterances.map(\.candidates))
  }

  /// Whether it dies while it learns or while it decodes.
  @Test func aServiceThatDiesChangesNothing() throws {
    let marks = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID())")
    try FileManager.default.createDirectory(at: marks, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: marks) }
    let found = try recognize(
      environment: TestedModel.embedded.faulty.merging(
        ["FAULTY_WAY": "die", "FAULTY_PIECES": "1,3", "FAULTY_MARKS": marks.path]) { $1 })
    let undisturbed = try recognize()
    #expect(found.failures == 0)
    #expect(found.utterances.count == 5)
    #expect(found.utterances.map(\.candidates) == undisturbed.utterances.map(\.candidates))
    #expect(try FileManager.default.contentsOfDirectory(atPath: marks.path).sorted() == ["1", "3"])
  }

  /// A flush does not wait for audio that would tell more of the voice.
  @Test func aFlushGetsItsResultsBeforeMoreAudioComes() throws {
    let flushed = DispatchSemaphore(value: 0)
    let log = UtteranceLog()
    let pool = SpeechServicePool(capacity: 2, patience: 60)
    let recognition = UtteranceRecognition(
      configuration: ServiceConfiguration(adapts: true), pool: pool, retention: .none
    ) { event in
      log.add(event)
      if case .flushed = event { flushed.signal() }
    }
    recognition.start()
    recognition.append(try Recordings.goForward() + Recordings.silence(1))
    recognition.flush(1, isLast: false)
    #expect(flushed.wait(timeout: .now() + 100) == .success)
    #expect(
      log.utterances.map { $0.candidates.first?.words.map(\.text) ?? [] } == [
        ["go", "forward", "ten", "meters"]
      ])
    recognition.cancel()
  }
}

/// `@unchecked Sendable`: `lock` guards everything.
private final class UtteranceLog: @unchecked Sendable {
  private let lock = NSLock()
  private var found: [RecognizedUtterance] = []
  private var failed = 0

  var utterances: [RecognizedUtterance] { lock.withLock { found } }
  var failures: Int { lock.withLock { failed } }

  func add(_ event: RecognitionEvent) {
    lock.withLock {
      switch event {
      case .utterance(let utterance): found.append(utterance)
      case .failure: failed += 1
      default: break
      }
    }
  }
}
