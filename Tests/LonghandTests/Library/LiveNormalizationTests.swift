import Foundation
import Longhand
import LonghandTesting
import StoreAuditing
import Testing

/// The second text while a recording is made: by the vocabulary at once, and by a language model after each final.
@Suite(.timeLimit(.minutes(5))) struct LiveNormalizationTests {
  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  private func normalizer(_ model: TestModel, deadline: Duration = .seconds(30)) -> TranscriptNormalizer {
    TranscriptNormalizer(
      corrections: [.init(recognized: "kimora", text: "Kimura")], entities: ["Kimura", "Half Guard"],
      model: model, deadline: deadline)
  }

  private func run(_ texts: String..., by normalizer: TranscriptNormalizer) async throws {
    let finals = texts.enumerated().map { index, text in
      ScriptedEngine.Step.emit(ScriptedEngine.final(text, Double(index), Double(index) + 1))
    }
    try await fixture.run(ScriptedEngine { _ in finals }, normalizer: normalizer)
  }

  private func second(_ id: Int) throws -> NormalizedTranscript? {
    try fixture.store.normalizedSegments(of: fixture.session.id)[id]
  }

  @Test func modelWritesTheSecondTextAfterEachFinal() async throws {
    let model = TestModel { text in
      .init(normalizedText: text.prefix(1).uppercased() + text.dropFirst() + ".", extractedTerms: ["Kimura"])
    }
    try await run("a kimora from paris", "then a rest", by: normalizer(model))
    #expect(try fixture.texts == ["a kimora from paris", "then a rest"])
    #expect(try second(0)?.text == "A Kimura from paris.")
    #expect(try second(0)?.by == .vocabularyAndLanguageModel)
    #expect(try second(0)?.extractedTerms == ["Kimura"])
    #expect(try second(1)?.text == "Then a rest.")
    // The model gets the text with the vocabulary's changes.
    #expect(model.texts == ["a Kimura from paris", "then a rest"])
    let reported = fixture.reported.compactMap { event in
      if case .normalized(let id, let text) = event { "\(id) \(text.text)" } else { nil }
    }
    #expect(reported == ["0 A Kimura from paris.", "1 Then a rest."])
    #expect(try fixture.store.normalizedTranscript(of: fixture.session.id)?.by == .vocabularyAndLanguageModel)
    #expect(try fixture.store.audit().problems == [])
  }

  /// A model that returns what was recognized, one that finds no names, and one that writes something else.
  @Test(arguments: ["echo", "no names", "other"])
  func declaredNamesStandWhateverTheModelAnswers(_ kind: String) async throws {
    let model = TestModel { text in
      switch kind {
      case "echo": .init(normalizedText: "worked my kimora from half guard", extractedTerms: ["kimora"])
      case "no names": .init(normalizedText: text, extractedTerms: [])
      default: .init(normalizedText: "we went to the sea", extractedTerms: ["sea"])
      }
    }
    try await run("worked my kimora from half guard", by: normalizer(model))
    #expect(try second(0)?.text == "worked my Kimura from Half Guard")
    #expect(try second(0)?.extractedTerms == ["Kimura", "Half Guard"])
    #expect(model.texts.count == 1)
  }

  @Test func silentModelDoesNotKeepTheSessionFromEnding() async throws {
    let model = TestModel { _ in
      try await Task.sleep(for: .seconds(3600))
      throw TestModel.Failure()
    }
    try await run(
      "a kimora", "another kimora", "and a third", by: normalizer(model, deadline: .milliseconds(50)))
    #expect(try second(0)?.text == "a Kimura")
    #expect(try second(1)?.text == "another Kimura")
    #expect(!fixture.reported.contains { if case .normalized = $0 { true } else { false } })
  }

  @Test func textOfAnEarlierVersionIsRefused() async throws {
    let model = TestModel("a Kimura", "Kimura")
    try await run("a kimora", by: normalizer(model))
    let segment = try #require(try fixture.store.page(of: fixture.session.id, limit: 1).last)
    try fixture.store.revise(
      segment.id, in: fixture.session.id,
      candidates: [Candidate(text: "a sweep", words: [], confidence: 1)],
      selection: .init(index: 0, rule: "user"), reason: "corrected", author: .person)
    let text = NormalizedTranscript(text: "A Kimura")
    #expect(try fixture.store.setNormalized(text, of: segment, in: fixture.session.id) == false)
    #expect(try second(0) == nil)
  }

  @MainActor @Test func namesThatAreSetBeforeARecordingAreExtracted() async throws {
    let library = try Library(
      at: FileManager.default.temporaryDirectory.appendingPathComponent("names-\(UUID())"))
    defer { try? FileManager.default.removeItem(at: library.url) }
    let model = TestModel { .init(normalizedText: $0 + ".", extractedTerms: ["Half Guard", "Kimura"]) }
    let coordinator = NormalizationCoordinator(normalizer(model))
    coordinator.entityNames = ["Half Guard"]
    let direct = await coordinator.normalize("a kimora from half guard")
    #expect(direct.text == "a Kimura from Half Guard.")
    #expect(direct.extractedTerms == ["Half Guard"])

    var options = TranscriptionOptions()
    options.normalizer = coordinator.normalizer
    let microphone = SimulatedMicrophone()
    let engine = ScriptedEngine { _ in
      [.emit(ScriptedEngine.final("a kimora from half guard", 0, 1)), .read]
    }
    let live = try library.record(from: microphone, options: options, engine: engine)
    microphone.speak(NumberedRecording.samples(0..<16_000))
    try live.stop()
    try await live.finished()
    let stored = try #require(try library.store.normalizedSegments(of: live.id)[0])
    #expect(stored.text == "a Kimura from Half Guard.")
    #expect(try library.store.occurrences(in: live.id).map(\.term) == ["Half Guard"])
    #expect(try library.store.spellings(of: live.id)?.entities == ["Half Guard"])
  }
}
