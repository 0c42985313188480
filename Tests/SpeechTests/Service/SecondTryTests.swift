@testable import RecognitionCore
import Foundation
import ScriptedSpeech
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Speech in which a neural model finds no words. Neural models leave out whole sentences sometimes.
@Suite(.tagged(.childProcess)) struct SecondTryTests {
  private static let talk = ToneTalk(seed: 21, count: 3)

  /// A service that gives one answer to every utterance.
  private static func neural(_ answer: HostileAnswer) throws -> ExecutableScript {
    try ExecutableScript(
      "\(HostileAnswer.variable)=\(answer.rawValue) exec '\(SpeechScript.service.path)'")
  }

  private static func pool(
    capacity: Int, _ neural: ExecutableScript, in folder: URL
  ) throws -> SpeechServicePool {
    var environment = ProcessInfo.processInfo.environment.merging(
      try SpeechScript().environment(in: folder)
    ) { $1 }
    environment["NEURAL_SPEECH_SERVICE_PATH"] = neural.url.path
    return SpeechServicePool(capacity: capacity, patience: 10, environment: environment)
  }

  /// A model may take long to load: a second try does not end the service that has it.
  @Test func servicesOfTwoRecognizersDoNotReplaceEachOther() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = try Self.neural(.hypothesisWithoutWords)
    let pool = try Self.pool(capacity: 1, script, in: folder)
    defer { pool.endIdle() }
    let neural = ServiceConfiguration(
      locale: "en-US", model: ModelReference(.sherpaOnnx, folder: folder.path, digest: "0"), alternatives: 3)
    func identifier(_ configuration: ServiceConfiguration) throws -> pid_t {
      try pool.withService(configuration, isCancelled: { false }) { $0.identifier }
    }
    let other = try #require(neural.forSecondTry)
    let (first, second) = (try identifier(neural), try identifier(other))
    #expect(first != second)
    for _ in 0..<2 {
      #expect(try identifier(neural) == first)
      #expect(try identifier(other) == second)
    }
    #expect(pool.idleConfigurations.count == 2)
  }

  /// What is recognized by a model of the user that gives one answer to every utterance.
  private func recognized(
    _ answer: HostileAnswer, locale: String = "en-US", isLive: Bool = false
  ) async throws -> [RecognizedUtterance] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let neural = try Self.neural(answer)
    let pool = try Self.pool(capacity: 2, neural, in: folder)
    defer { pool.endIdle() }
    let configuration = ServiceConfiguration(
      locale: locale, model: ModelReference(.sherpaOnnx, folder: folder.path, digest: "0"),
      mode: isLive ? .stream : .recording,
      alternatives: 3)
    let events = Mutex<[RecognitionEvent]>([])
    let emit: @Sendable (RecognitionEvent) -> Void = { event in events.withLock { $0.append(event) } }
    let recognition: any AudioRecognition =
      isLive
      ? StreamRecognition(configuration: configuration, pool: pool, retention: .none, emit: emit)
      : UtteranceRecognition(configuration: configuration, pool: pool, retention: .none, emit: emit)
    recognition.start()
    recognition.append(Self.talk.audio)
    recognition.finish()
    let hasEnded = await eventually(within: 120) {
      events.withLock { if case .ended? = $0.last { true } else { false } }
    }
    try #require(hasEnded)
    return events.withLock {
      $0.compactMap { event in if case .utterance(let utterance) = event { utterance } else { nil } }
    }
  }

  @Test(arguments: [false, true])
  func embeddedRecognizerFindsTheWordsAndIsNamed(_ isLive: Bool) async throws {
    let utterances = try await recognized(.hypothesisWithoutWords, isLive: isLive)
    let spoken = SpokenTones.text(of: Self.talk.words)
    var hasShort = false
    for utterance in utterances {
      let words = utterance.candidates.first?.words.map(\.text) ?? []
      // Less than a second is not enough to be missed.
      let isLong = utterance.audio.samples.count > SpeechSegmenter.sampleRate
      #expect(words.isEmpty != isLong)
      #expect(words.isEmpty || spoken.contains(words.joined(separator: " ")))
      #expect(utterance.candidates.allSatisfy { $0.source == .embedded })
      hasShort = hasShort || !isLong
    }
    #expect(utterances.count == Self.talk.utterances.count)
    #expect(hasShort)
  }

  @Test func wordsOfTheModelStand() async throws {
    let candidates = try await recognized(.manyPossibleWords).flatMap(\.candidates)
    #expect(!candidates.isEmpty)
    #expect(candidates.allSatisfy { $0.source == .best })
  }

  /// The embedded recognizer would find English words in another language.
  @Test func otherLanguagesGetNoSecondTry() async throws {
    let utterances = try await recognized(.hypothesisWithoutWords, locale: "de-DE")
    #expect(utterances.allSatisfy { $0.candidates.isEmpty })
  }
}
