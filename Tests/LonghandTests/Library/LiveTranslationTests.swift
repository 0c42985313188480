import Foundation
import Longhand
import LonghandTesting
import Testing

@testable import LonghandTranscripts

/// The second text in English while a recording is made.
@Suite(.timeLimit(.minutes(20))) struct LiveTranslationTests {
  private struct Failure: Error {}

  private let fixture: SessionFixture

  init() throws { fixture = try SessionFixture() }

  private func run(
    _ texts: String..., afterEach step: ScriptedEngine.Step = .act {},
    by translator: @escaping @Sendable (Segment) async throws -> String
  ) async throws {
    let finals = texts.enumerated().flatMap { index, text in
      [.emit(ScriptedEngine.final(text, Double(index), Double(index) + 1)), step]
    }
    try await fixture.run(ScriptedEngine { _ in finals }) { segments in
      var passages: [Translation.Passage] = []
      for segment in segments {
        passages.append(.init(start: segment.start, end: segment.end, text: try await translator(segment)))
      }
      return Translation(model: "test", passages: passages)
    }
  }

  private var reported: [String] {
    fixture.reported.compactMap { event in
      switch event {
      case .translated(let id, let passage): "\(id) \(passage.text)"
      case .translationFailed: "failed"
      default: nil
      }
    }
  }

  @Test func eachFinalIsTranslatedAndAllIsKept() async throws {
    try await run("hola", "adiós") { $0.text == "hola" ? "hello" : "goodbye" }
    #expect(reported == ["0 hello", "1 goodbye"])
    let translation = try #require(try fixture.store.translation(of: fixture.session.id))
    #expect(translation.text == "hello goodbye")
    #expect(translation.passages.map(\.start) == [0, 1])
    #expect(try fixture.texts == ["hola", "adiós"])
  }

  /// Half a translation would be taken for all of it.
  @Test func failureCostsOnlyTheTranslation() async throws {
    try await run("hola", "adiós") { segment in
      guard segment.text == "hola" else { throw Failure() }
      return "hello"
    }
    #expect(reported == ["0 hello", "failed"])
    #expect(try fixture.store.translation(of: fixture.session.id) == nil)
    #expect(try fixture.texts == ["hola", "adiós"])
    #expect(try fixture.spans.tile(10))
  }

  /// Who records for an hour must know early that there is no second text.
  @Test func failureIsReportedOnceAndAtOnce() async throws {
    let fixture = fixture
    let waiting = ScriptedEngine.Step.act {
      func hasFailed() -> Bool {
        fixture.reported.contains { if case .translationFailed = $0 { true } else { false } }
      }
      while !hasFailed() { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await run("hola", "adiós", afterEach: waiting) { _ in throw Failure() }
    let events = fixture.reported.compactMap { event in
      switch event {
      case .committed(let segment): segment.text
      case .translationFailed: "failed"
      default: nil
      }
    }
    #expect(events == ["hola", "failed", "adiós"])
  }

  /// Also if what translates answers nevertheless.
  @Test(arguments: [false, true]) func cancelledRecordingKeepsNoPart(_ answers: Bool) async throws {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let work = Task { [self] in
      try await run("hola", "adiós") { _ in
        while try fixture.texts.count < 2 { await Task.yield() }
        continuation.yield()
        do { try await Task.sleep(for: .seconds(3600)) } catch { if !answers { throw error } }
        return "hello"
      }
    }
    for await _ in begun { break }
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try fixture.store.translation(of: fixture.session.id) == nil)
    #expect(try fixture.texts == ["hola", "adiós"])
  }
}
