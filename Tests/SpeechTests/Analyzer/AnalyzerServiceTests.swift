@testable import RecognitionCore
import AVFAudio
import CoreMedia
import Foundation
import RecognitionProtocol
import Synchronization
import TestSupport
import Testing

@testable import Speech

/// Analyzers with services that decode, and that crash.
@Suite(.tagged(.recognizer), .serialized) struct AnalyzerServiceTests {
  /// Volatile results use a service of their own; final results alone come from the pool.
  enum Reporting: CaseIterable { case volatile, finals }

  private struct Outcome: Sendable {
    var finals: [SpeechTranscriber.Result] = []
    var error: (any Error)?
    var text: String { finals.map { String($0.text.characters) }.joined() }
    var lines: [String] { finals.map { "\($0.range.start.seconds) \($0.range.end.seconds) \($0.text)" } }
  }

  private func pool(_ environment: [String: String] = [:], maxStreams: Int = 8) -> SpeechServicePool {
    SpeechServicePool(
      capacity: 2, maxStreams: maxStreams,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  }

  private func transcriber(_ reporting: Reporting) -> SpeechTranscriber {
    SpeechTranscriber(
      locale: Locale(identifier: "en-US"), transcriptionOptions: [],
      reportingOptions: reporting == .volatile ? [.volatileResults] : [], attributeOptions: [.audioTimeRange])
  }

  private func analyzer(
    _ transcriber: SpeechTranscriber, _ pool: SpeechServicePool, _ model: TestedModel = .embedded,
    retention: SpeechAnalyzer.Options.ModelRetention = .whileInUse
  ) -> SpeechAnalyzer {
    let options = SpeechAnalyzer.Options(priority: .medium, modelRetention: retention)
    let makeRecognizer = options.recognizers(pool: pool)
    return SpeechAnalyzer(modules: [transcriber], options: options, context: model.context) {
      makeRecognizer(model.configured($0), $1, $2)
    }
  }

  /// Analyzes audio in buffers of random sizes, with finalizations at random times.
  private func run(
    _ model: TestedModel, _ reporting: Reporting, pool: SpeechServicePool, seed: UInt64,
    finalizations: Int = 0
  ) async throws -> Outcome {
    let audio = try model.utterances()
    var generator = SeededGenerator(seed: seed)
    let transcriber = transcriber(reporting)
    let analyzer = analyzer(transcriber, pool, model)
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: inputs)
    let moments = Set(
      (0..<finalizations).map { _ in Int.random(in: 0..<audio.count / 16_000, using: &generator) })
    var place = 0
    var outcome = Outcome()
    do {
      while place < audio.count {
        let end = min(audio.count, place + Int.random(in: 1...16_000, using: &generator))
        feed.yield(AnalyzerInput(buffer: try Recordings.buffer(Array(audio[place..<end]))))
        if moments.contains(place / 16_000) { try await analyzer.finalize(through: nil) }
        place = end
      }
      feed.finish()
      try await analyzer.finalizeAndFinishThroughEndOfInput()
    } catch {
      outcome.error = error
    }
    do {
      for try await result in transcriber.results where result.isFinal { outcome.finals.append(result) }
    } catch {
      #expect(outcome.error.map { ($0 as NSError).code } == (error as NSError).code)
    }
    return outcome
  }

  private struct Case: Hashable {
    let model: TestedModel
    let reporting: Reporting
  }

  private static let undisturbed = Mutex<[Case: Task<Outcome, any Error>]>([:])

  /// The same audio without any fault, recognized once for all tests.
  private func undisturbed(_ model: TestedModel, _ reporting: Reporting) async throws -> Outcome {
    try await Self.undisturbed.withLock { tasks in
      let key = Case(model: model, reporting: reporting)
      let task = tasks[key] ?? Task { [self] in try await run(model, reporting, pool: pool(), seed: 0) }
      tasks[key] = task
      return task
    }.value
  }

  private func withMarks(_ body: (String) async throws -> Void) async throws {
    let marks = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: marks, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: marks) }
    try await body(marks.path)
  }

  private func faulty(_ model: TestedModel, _ utterances: String) -> [String: String] {
    model.faulty.merging(["SPEECH_FAULTY_UTTERANCES": utterances]) { $1 }
  }

  @Test(arguments: TestedModel.allCases, Reporting.allCases)
  func crashesOfServicesLoseNoAudio(_ model: TestedModel, _ reporting: Reporting) async throws {
    let undisturbed = try await undisturbed(model, reporting)
    #expect(undisturbed.error == nil)
    #expect(undisturbed.finals.count >= 5)
    for seed in 1...UInt64(isSoak ? 40 : 1) {
      var generator = SeededGenerator(seed: seed)
      let utterances = (0..<3).map { _ in String(Int.random(in: 0..<6, using: &generator)) }
      try await withMarks { marks in
        let environment = faulty(model, utterances.joined(separator: ",")).merging([
          "SPEECH_FAULTY_MARKS": marks
        ]) {
          $1
        }
        let disturbed = try await run(model, reporting, pool: pool(environment), seed: seed)
        #expect(disturbed.error == nil)
        if reporting == .finals || model != .embedded {
          #expect(disturbed.lines == undisturbed.lines, "seed \(seed)")
        } else {
          // A new service has not adapted to the voice and may recognize some words differently.
          #expect(disturbed.finals.map(\.range) == undisturbed.finals.map(\.range), "seed \(seed)")
          #expect(Recordings.missing(undisturbed.text, in: disturbed.text) < 0.3, "seed \(seed)")
        }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: marks).isEmpty, "no service crashed")
      }
    }
  }

  @Test(arguments: TestedModel.allCases, Reporting.allCases)
  func randomFinalizationsSpoilOnlyWordsAtTheCuts(_ model: TestedModel, _ reporting: Reporting) async throws {
    let whole = try await undisturbed(model, reporting)
    for seed in 1...UInt64(isSoak ? 40 : 1) {
      let cuts = isSoak ? 4 : 2
      let outcome = try await run(model, reporting, pool: pool(), seed: seed, finalizations: cuts)
      #expect(outcome.error == nil)
      for (earlier, later) in zip(outcome.finals, outcome.finals.dropFirst()) {
        #expect(later.range.start == earlier.range.end)
      }
      // Each cut may spoil some words on both sides, and nothing else.
      let words = whole.text.split(separator: " ").count
      #expect(Recordings.missing(whole.text, in: outcome.text) <= Double(6 * cuts) / Double(words))
    }
  }

  @Test(arguments: TestedModel.allCases, Reporting.allCases)
  func utteranceThatAlwaysFailsIsReportedAtTheEnd(_ model: TestedModel, _ reporting: Reporting) async throws {
    let undisturbed = try await undisturbed(model, reporting)
    // The pool counts utterances from 0, a stream from 1.
    let outcome = try await run(
      model, reporting, pool: pool(faulty(model, reporting == .finals ? "1" : "2")), seed: 0)
    let error = try #require(outcome.error as? SFSpeechError)
    #expect(error.code == .moduleOutputFailed)
    let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    let ranges = try #require(cause.userInfo[RecognitionError.failedTimeRangesKey] as? [[NSNumber]])
    #expect(ranges.count == 1)
    #expect(ranges[0][1].doubleValue > ranges[0][0].doubleValue)
    #expect(outcome.finals.first?.text == undisturbed.finals.first?.text)
    let last = try #require(outcome.finals.last)
    let expected = try #require(undisturbed.finals.last)
    #expect(last.range.end == expected.range.end)
    // A new service has not adapted to the voice: it may recognize some words differently.
    let (text, wanted) = (String(last.text.characters), String(expected.text.characters))
    #expect(Recordings.missing(wanted, in: text) < 0.5)
    // Speech that continues when a service crashes for the last time is an utterance of its own.
    #expect(outcome.finals.count >= undisturbed.finals.count - 1)
    #expect(outcome.text != undisturbed.text)
  }

  @Test func liveAnalysisBeyondTheLimitFailsUntilAnotherEnds() async throws {
    let pool = pool(maxStreams: 1)
    let first = transcriber(.volatile)
    let second = transcriber(.volatile)
    let (holding, refused) = (analyzer(first, pool), analyzer(second, pool))
    try await holding.prepareToAnalyze(in: nil)
    await #expect {
      try await refused.prepareToAnalyze(in: nil)
    } throws: { SFSpeechError.insufficientResources ~= $0 }
    await #expect {
      for try await result in second.results { Issue.record("\(result)") }
    } throws: { SFSpeechError.insufficientResources ~= $0 }
    // Final results alone come from the pool, which is never exhausted.
    try await analyzer(transcriber(.finals), pool).prepareToAnalyze(in: nil)
    let options = SpeechAnalyzer.Options(
      priority: .medium, modelRetention: .whileInUse, ignoresResourceLimits: true)
    #expect(options.ignoresResourceLimits && !SpeechAnalyzer.Options.standard.ignoresResourceLimits)
    let unlimited = SpeechAnalyzer(
      modules: [transcriber(.volatile)], options: nil, context: TestedModel.embedded.context,
      makeRecognizer: options.recognizers(pool: pool))
    try await unlimited.prepareToAnalyze(in: nil)
    await unlimited.cancelAndFinishNow()
    try await holding.finalizeAndFinishThroughEndOfInput()
    try await analyzer(transcriber(.volatile), pool).prepareToAnalyze(in: nil)
  }

  @Test(arguments: TestedModel.allCases) func modelsStayInMemoryAsTheOptionsSay(_ model: TestedModel)
    async throws
  {
    for (retention, isKept) in [
      (SpeechAnalyzer.Options.ModelRetention.whileInUse, false), (.lingering, true), (.processLifetime, true),
    ] {
      let pool = pool()
      let analyzer = analyzer(transcriber(.finals), pool, model, retention: retention)
      try await analyzer.prepareToAnalyze(in: nil)
      #expect(pool.idleConfigurations.count == 1)
      await analyzer.cancelAndFinishNow()
      // The pool is notified a moment later.
      for _ in 0..<100 where (pool.idleConfigurations.count > 0) != isKept {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect((pool.idleConfigurations.count > 0) == isKept)
      pool.endIdle()
      #expect(pool.idleConfigurations.count == 0)
    }
  }
}
