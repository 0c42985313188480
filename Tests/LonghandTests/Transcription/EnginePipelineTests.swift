import Foundation
import Longhand
import Synchronization
import Testing

@testable import LonghandTranscription

/// The loop that takes the finals of an engine through its stages.
@Suite struct EnginePipelineTests {
  /// Adds a letter to the text, and writes down what it is given.
  private struct LetterStage: FinalStage {
    let letter: String
    let log: Log
    private var count = 0

    init(_ letter: String, _ log: Log) {
      self.letter = letter
      self.log = log
    }

    mutating func begin(_ audio: any AudioSource) -> any AudioSource {
      log.add("\(letter) begins")
      return TrackedSource(audio)
    }

    mutating func take(_ result: FinalResult) async -> FinalResult {
      count += 1
      var result = result
      result.candidates[0].text += "\(letter)\(count)"
      result.warnings.append(.punctuationFailed(result.start...result.end, letter))
      return result
    }

    mutating func forget(before time: TimeInterval) { log.add("\(letter) forgets before \(time)") }
  }

  private final class Log: Sendable {
    private let mutex = Mutex<[String]>([])
    var lines: [String] { mutex.withLock(\.self) }

    func add(_ line: String) { mutex.withLock { $0.append(line) } }
  }

  private static let engine = ScriptedEngine { _ in
    [
      .emit(.partial(.init(start: 1, end: 2, text: "o"))), .emit(ScriptedEngine.final("one", 1, 2)),
      .emit(.processed(3)), .emit(ScriptedEngine.final("two", 4, 5)),
    ]
  }

  private static func lines(_ engine: any TranscriptionEngine) async throws -> [String] {
    let fixture = try SessionFixture()
    var lines: [String] = []
    for try await event in engine.events(of: fixture.audio, from: 0) {
      switch event {
      case .partial(let partial): lines.append("partial \(partial.text)")
      case .final(_, _, let candidates, _): lines.append("final \(candidates[0].text)")
      case .processed(let time): lines.append("processed \(time)")
      case .warning: lines.append("warning")
      default: lines.append("other")
      }
    }
    return lines
  }

  @Test func finalsPassEachStageInOrderAndOtherEventsStay() async throws {
    let log = Log()
    let engine = EnginePipeline(Self.engine, [LetterStage("a", log), LetterStage("b", log)])
    #expect(
      try await Self.lines(engine) == [
        "partial o", "warning", "warning", "final onea1b1", "processed 3.0", "warning", "warning",
        "final twoa2b2",
      ])
    #expect(log.lines == ["a begins", "b begins", "a forgets before 3.0", "b forgets before 3.0"])
  }

  @Test func secondRunBeginsWithStagesThatHaveTakenNothing() async throws {
    let engine = EnginePipeline(Self.engine, [LetterStage("a", Log())])
    let first = try await Self.lines(engine)
    #expect(try await Self.lines(engine) == first)
  }

  @Test func engineWithoutStagesIsUnchanged() async throws {
    #expect(
      try await Self.lines(EnginePipeline(Self.engine, []))
        == ["partial o", "final one", "processed 3.0", "final two"])
  }

  @Test func failureOfTheEngineEndsTheRun() async throws {
    let broken = ScriptedEngine { _ in
      [
        .emit(ScriptedEngine.final("one", 1, 2)),
        .act { throw TranscriptionError.recognizerFailed("it crashed") },
      ]
    }
    let engine = EnginePipeline(broken, [LetterStage("a", Log())])
    await #expect(throws: TranscriptionError.recognizerFailed("it crashed")) {
      _ = try await Self.lines(engine)
    }
  }
}
