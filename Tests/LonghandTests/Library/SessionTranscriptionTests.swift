import Foundation
import Longhand
import Synchronization
import Testing

@testable import LonghandTranscription

@Suite struct SessionTranscriptionTests {
  private struct Killed: Error {}

  private static func span(
    _ start: Double, _ end: Double, _ kind: CoverageSpan.Kind, _ reason: String = ""
  ) -> CoverageSpan { CoverageSpan(start: start, end: end, kind: kind, reason: reason) }

  private static let final = ScriptedEngine.final

  /// An engine of another platform or program may report them too.
  @Test func impossibleWordsAreAFailure() async throws {
    let fixture = try SessionFixture()
    func word(_ start: Double, _ end: Double) -> Word {
      Word(text: "w", start: start, end: end, confidence: 1)
    }
    func final(_ start: Double, _ end: Double, _ words: Word...) -> TranscriptionEvent {
      .final(start: start, end: end, candidates: [Candidate(text: "w", words: words, confidence: 1)])
    }
    try await fixture.run(
      .emit(final(1, 2, word(1.5, 1.2))), .emit(final(3, 4, word(3.5, 4), word(3, 3.4))),
      .emit(final(5, .infinity)), .emit(final(.nan, 6)), .emit(final(6, 5)), .emit(Self.final("good", 7, 8)))
    #expect(try fixture.texts == ["good"])
    #expect(try fixture.spans.filter { $0.kind == .failed }.map(\.start) == [1, 3])
  }

  @Test func finalIsStoredAtOnceWithItsCoverage() async throws {
    let fixture = try SessionFixture()
    try await fixture.run(
      .emit(.partial(.init(start: 1, end: 2, text: "on"))),
      .emit(Self.final("one two", 1, 3)),
      .act {
        let (texts, spans) = (try fixture.texts, try fixture.spans)
        #expect(texts == ["one two"])
        #expect(spans.isEmpty)
      },
      .emit(.processed(4)),
      .act {
        let spans = try fixture.spans
        #expect(
          spans == [
            Self.span(0, 1, .silent), Self.span(1, 3, .transcribed), Self.span(3, 4, .silent),
            Self.span(4, 10, .pending),
          ])
      },
      .emit(Self.final("three", 6, 7)))
    #expect(try fixture.texts == ["one two", "three"])
    #expect(
      try fixture.spans.dropFirst(2) == [
        Self.span(3, 6, .silent), Self.span(6, 7, .transcribed), Self.span(7, 10, .silent),
      ])
    let segments = try fixture.store.page(of: fixture.session.id, limit: 9)
    #expect(
      fixture.reported == [
        .partial(.init(start: 1, end: 2, text: "on")), .committed(segments[0]), .partial(nil), .progress(4),
        .committed(segments[1]),
      ])
  }

  /// Speech without words is in the coverage, reported in time or late. Speech with words is not.
  @Test func speechWithoutWordsIsInTheCoverage() async throws {
    let fixture = try SessionFixture()
    try await fixture.run(
      .emit(.detected(0.9...3.1, "speech")), .emit(Self.final("one two", 1, 3)),
      .emit(.detected(4...5.5, "speech")), .emit(.processed(6)),
      .act {
        let spans = try fixture.spans
        #expect(
          spans == [
            Self.span(0, 1, .silent), Self.span(1, 3, .transcribed), Self.span(3, 4, .silent),
            Self.span(4, 5.5, .wordless, "speech without words"), Self.span(5.5, 6, .silent),
            Self.span(6, 10, .pending),
          ])
      },
      .emit(.processed(9)), .emit(.failed(8...8.5, "it broke")), .emit(.detected(6.5...9, "speech")))
    #expect(
      try fixture.spans.dropFirst(4) == [
        Self.span(5.5, 6.5, .silent), Self.span(6.5, 8, .wordless, "speech without words"),
        Self.span(8, 8.5, .failed, "it broke"), Self.span(8.5, 9, .wordless, "speech without words"),
        Self.span(9, 10, .silent),
      ])
    #expect(try fixture.spans.tile(10))
  }

  /// They are evidence, not text.
  @Test func rejectedWordsAreInTheCoverageWithTheReason() async throws {
    let fixture = try SessionFixture()
    let words = [(1.0, 2.0), (2.0, 2.5)].map { Word(text: "the", start: $0, end: $1, confidence: 0.4) }
    let event = try #require(TranscriptionEvent.rejected(words, by: .noSpeech))
    #expect(TranscriptionEvent.rejected([], by: .noSpeech) == nil)
    try await fixture.run(.emit(event), .emit(Self.final("one two", 4, 6)), .emit(.processed(10)))
    #expect(
      try fixture.spans == [
        Self.span(0, 1, .silent), Self.span(1, 2.5, .nonspeech, "no speech; rejected words: the the"),
        Self.span(2.5, 4, .silent), Self.span(4, 6, .transcribed), Self.span(6, 10, .silent),
      ])
    #expect(fixture.reported.count { if case .committed = $0 { true } else { false } } == 1)
  }

  /// The words are said, but not twice. Each such place is named.
  @Test func echoesLeaveTheirWordsInWarnings() throws {
    let words = [(1.0, 1.1), (1.1, 1.2)].map { Word(text: "the", start: $0, end: $1, confidence: 0.4) }
    let event = try #require(
      TranscriptionEvent.rejected(words, by: .repetition))
    var builder = TranscriptBuilder()
    for event in [event, event] { #expect(builder.receive(event) == nil) }
    #expect(builder.known.isEmpty)
    #expect(builder.warnings.map(\.code) == [.repetition, .repetition])
    #expect(builder.warnings.first?.message.contains("\"the the\". The second was left out") == true)
  }

  /// Six words can be said in 1.1 seconds. As letters, they would be nine, and left out as never said.
  @Test func sentenceThatIsSaidTwiceInWritingWithoutSpacesStays() {
    var builder = TranscriptBuilder()
    let first = builder.receive(Self.final("私は学校に行きます", 0, 2))
    let second = builder.receive(Self.final("私は学校に行きます", 2, 3.1))
    #expect(first != nil)
    #expect(second != nil)
  }

  @Test func speechWithoutWordsIsReportedBeforeTheNextSegment() async throws {
    let fixture = try SessionFixture()
    try await fixture.run(.emit(.detected(1...3, "speech")), .emit(Self.final("one two", 4, 6)))
    let reported = fixture.reported.filter {
      switch $0 {
      case .wordless, .committed: true
      default: false
      }
    }
    #expect(reported.count == 2)
    #expect(reported.first == .wordless(1...3, "speech without words"))
  }

  @Test func repeatedFinalIsCommittedOnce() async throws {
    let fixture = try SessionFixture()
    try await fixture.run(
      .emit(Self.final("one two", 1, 3)), .emit(Self.final("one two", 1, 3)),
      .emit(Self.final("two three", 2, 4)))
    #expect(try fixture.texts == ["one two", "three"])
  }

  @Test func storeFailureIsReportedOnceAndNothingIsLost() async throws {
    let fixture = try SessionFixture()
    let store = fixture.store
    try await fixture.run(
      .emit(Self.final("one", 0, 1)), .act { try store.refuse(true) }, .emit(Self.final("two", 1, 2)),
      .emit(.processed(2)), .emit(Self.final("three", 2, 3)),
      .act {
        let texts = try fixture.texts
        #expect(texts == ["one"])
        try store.refuse(false)
      },
      .emit(Self.final("four", 3, 4)),
      .act {
        let texts = try fixture.texts
        #expect(texts == ["one", "two", "three", "four"])
      })
    #expect(
      try fixture.spans == [Self.span(0, 4, .transcribed), Self.span(4, 10, .silent)])
    let kinds = fixture.reported.map {
      switch $0 {
      case .committed(let segment): segment.text
      case .storeFailed: "failed"
      case .storeBack: "back"
      default: "-"
      }
    }
    #expect(kinds == ["one", "failed", "two", "-", "three", "back", "four"])
  }

  @Test func storeFailureAtTheEndThrowsAndNothingIsLost() async throws {
    let fixture = try SessionFixture()
    let engine = ScriptedEngine { start in
      [.emit(Self.final("one", 0, 1)), .emit(.processed(2)), .emit(Self.final("two", 3, 4))].dropFirst(
        start > 0 ? 2 : 0
      ).map { $0 }
    }
    await #expect(throws: StoreError.self) {
      try await fixture.run(
        ScriptedEngine { start in
          let steps = engine.script(start)
          return steps.prefix(2) + [.act { try fixture.store.refuse(true) }] + steps.dropFirst(2)
        })
    }
    #expect(try fixture.texts == ["one"])
    try fixture.store.refuse(false)
    try await fixture.run(engine)
    #expect(try fixture.texts == ["one", "two"])
    #expect(try fixture.spans.tile(10))
  }

  @Test func nextEngineContinuesAtThePendingCoverage() async throws {
    let fixture = try SessionFixture()
    await #expect(throws: Killed.self) {
      try await fixture.run(
        .emit(Self.final("one", 0, 1)), .emit(.processed(2)), .emit(Self.final("two", 3, 4)),
        .act { throw Killed() })
    }
    #expect(try fixture.texts == ["one", "two"])
    #expect(
      try fixture.spans == [
        Self.span(0, 1, .transcribed), Self.span(1, 2, .silent), Self.span(2, 10, .pending),
      ])
    let starts = Mutex<[TimeInterval]>([])
    for _ in 0..<2 {
      try await fixture.run(
        ScriptedEngine { start in
          starts.withLock { $0.append(start) }
          return start < 10 ? [.emit(Self.final("two", 3, 4)), .emit(Self.final("three", 5, 6))] : []
        })
    }
    #expect(starts.withLock { $0 } == [2, 10])
    #expect(try fixture.texts == ["one", "two", "three"])
    #expect(
      try fixture.spans.dropFirst(1) == [
        Self.span(1, 3, .silent), Self.span(3, 4, .transcribed), Self.span(4, 5, .silent),
        Self.span(5, 6, .transcribed), Self.span(6, 10, .silent),
      ])
  }

  @Test func gapsReplaceSilenceAndWordsReplaceFailures() async throws {
    let fixture = try SessionFixture()
    let gaps: [RecordingGap] = [
      .init(start: 5 * 16_000, frames: 2 * 16_000, reason: .device),
      .init(start: 8 * 16_000, frames: 0, reason: .paused),
    ]
    try await fixture.run(
      ScriptedEngine { _ in
        [
          .emit(.failed(0...3, "it broke")), .emit(Self.final("one", 1, 2)), .emit(.processed(6)),
          .emit(.restarted(7, "again")), .emit(.failed(6...9, "it broke")),
        ]
      }, gaps: gaps)
    #expect(
      try fixture.spans == [
        Self.span(0, 1, .failed, "it broke"), Self.span(1, 2, .transcribed),
        Self.span(2, 3, .failed, "it broke"), Self.span(3, 5, .silent), Self.span(5, 7, .gap, "device"),
        Self.span(7, 9, .failed, "it broke"), Self.span(9, 10, .silent),
      ])
    #expect(fixture.reported.contains(.failed(6...9, "it broke")))
    #expect(fixture.reported.contains(.restarted(7, "again")))
  }

  @Test func processedTimeOutsideTheRecordingChangesNothing() async throws {
    let fixture = try SessionFixture()
    try await fixture.run(
      .emit(.processed(6)), .emit(.processed(3)),
      .act {
        let spans = try fixture.spans
        #expect(spans == [Self.span(0, 6, .silent), Self.span(6, 10, .pending)])
      }, .emit(.processed(99)))
    #expect(try fixture.spans == [Self.span(0, 10, .silent)])
  }

  @Test func cancellationLeavesTheRestPending() async throws {
    let fixture = try SessionFixture()
    let running = Task {
      try await fixture.run(
        .emit(.processed(6)), .act { withUnsafeCurrentTask { $0?.cancel() } }, .emit(.processed(7)))
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(try fixture.spans.last?.kind == .pending)
  }

  // MARK: Random events

  /// Events for 100 seconds: finals that touch, overlap, repeat, and reach beyond the processed time.
  private static func events(_ random: inout SeededGenerator) -> [TranscriptionEvent] {
    var events: [TranscriptionEvent] = []
    var place = 0.0
    var processed = 0.0
    var word = 0
    while place < 95 {
      let start = max(processed, place + Double(Int.random(in: -1...6, using: &random)))
      let end = min(100, start + Double(Int.random(in: 1...5, using: &random)))
      guard end > start else { break }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: events.append(.failed(start...end, "it broke"))
      case 1:
        events.append(.partial(.init(start: start, end: end, text: "maybe")))
        continue
      default:
        let texts = (word..<word + Int(end - start)).map { "w\($0)" }
        word += texts.count
        events.append(final(texts.joined(separator: " "), start, end))
        if Bool.random(using: &random), let last = events.last { events.append(last) }
      }
      place = end
      if Bool.random(using: &random), case .final? = events.last {
        processed = max(processed, place - Double(Int.random(in: 0...1, using: &random)))
        events.append(.processed(processed))
      }
    }
    return events
  }

  @Test(arguments: 0..<40)
  func transcriptIsTheSameAfterAnyNumberOfKills(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let events = Self.events(&random)
    let gaps: [RecordingGap] = [.init(start: 20 * 16_000, frames: 16_000 * 3, reason: .overrun)]
    let whole = try SessionFixture(seconds: 100)
    try await whole.run(ScriptedEngine { _ in events.map { .emit($0) } }, gaps: gaps)
    #expect(try whole.spans.tile(100))

    let killed = try SessionFixture(seconds: 100)
    for _ in 0..<12 {
      // As after a kill: only the files are left.
      let store = try TranscriptStore(at: killed.folder)
      let life = Int.random(in: 0...events.count, using: &random)
      let isFull = Int.random(in: 0..<3, using: &random) == 0
      let fullAt = Int.random(in: 0...life, using: &random)
      let engine = ScriptedEngine { start in
        let reported = events.lastIndex { if case .processed(start) = $0 { true } else { false } }
        var steps = events.dropFirst(reported.map { $0 + 1 } ?? 0).prefix(life).map {
          ScriptedEngine.Step.emit($0)
        }
        if isFull { steps.insert(.act { try store.refuse(true) }, at: min(steps.count, fullAt)) }
        // A killed process writes nothing more.
        return steps + [.act { try store.refuse(true) }, .act { throw Killed() }]
      }
      await #expect(throws: (any Error).self) { try await killed.run(engine, in: store, gaps: gaps) }
      let spans = (try? killed.spans) ?? []
      #expect(spans.isEmpty || spans.tile(100))
    }
    try await killed.run(
      ScriptedEngine { start in
        let reported = events.lastIndex { if case .processed(start) = $0 { true } else { false } }
        return events.dropFirst(reported.map { $0 + 1 } ?? 0).map { .emit($0) }
      }, gaps: gaps)
    let segments = try killed.store.page(of: killed.session.id, limit: 1000)
    #expect(segments == (try whole.store.page(of: whole.session.id, limit: 1000)))
    #expect(try killed.spans == whole.spans)
  }
}
