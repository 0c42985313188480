import AVFoundation
import Synchronization
import Testing

@testable import Speech

/// Statements of `docs/apple-behaviour.md` that no other suite tests, with a recognizer that returns a word for every half
/// second.
@Suite struct AppleBehaviourTests {
  private let english = Locale(identifier: "en-US")
  private static let second = CMTime(value: 1, timescale: 1)

  private func analyzer(_ modules: any SpeechModule...) -> SpeechAnalyzer {
    SpeechAnalyzer(
      modules: modules, options: nil, context: .init(),
      makeRecognizer: { _, _, emit in FakeRecognizer(seed: 1, emit: emit) })
  }

  private func input(seconds: Double = 1) throws -> AnalyzerInput {
    AnalyzerInput(buffer: try Recordings.buffer([Int16](repeating: 5, count: Int(seconds * 16_000))))
  }

  /// A sequence with these inputs, which ends or stays open.
  private func sequence(_ inputs: AnalyzerInput..., isOpen: Bool = false) -> AsyncStream<AnalyzerInput> {
    AsyncStream { feed in
      for input in inputs { feed.yield(input) }
      if !isOpen { feed.finish() }
    }
  }

  private func words(_ results: some AsyncSequence<SpeechTranscriber.Result, any Error>) async throws -> Int {
    try await results.reduce(0) { $0 + String($1.text.characters).split(separator: " ").count }
  }

  @Test func endOfInputDoesNotEndTheResults() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    let results = transcriber.results
    let reading = Task { try await words(results) }
    #expect(try await analyzer.analyzeSequence(sequence(input())) == Self.second)
    try await analyzer.finalize(through: nil)
    // The session goes on with another input.
    #expect(try await analyzer.analyzeSequence(sequence(input())) == Self.second + Self.second)
    #expect(!reading.isCancelled)
    try await analyzer.finalizeAndFinish(through: Self.second + Self.second)
    #expect(try await reading.value == 4)
  }

  @Test func cancelledTaskStillGetsTheLastWords() async throws {
    for finishes in [true, false] {
      let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
      let analyzer = analyzer(transcriber)
      let inputs = try sequence(input(), isOpen: true)
      let recording = Task {
        let end = try await analyzer.analyzeSequence(inputs)
        #expect(Task.isCancelled)
        if !finishes { try await analyzer.finalize(through: nil) }
        if let end { try await analyzer.finalizeAndFinish(through: end) }
      }
      while await analyzer.volatileRange == nil { await Task.yield() }
      recording.cancel()
      try await recording.value
      #expect(try await words(transcriber.results) == 2)
    }
  }

  @Test func cancelledTaskDoesNotWaitForAudioThatMayNeverCome() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    try await analyzer.start(inputSequence: sequence(input(), isOpen: true))
    for wait in [
      { try await analyzer.finalizeAndFinish(through: CMTime(value: 9, timescale: 1)) },
      { try await analyzer.finalizeAndFinishThroughEndOfInput() },
      { try await analyzer.finalize(through: CMTime(value: 9, timescale: 1)) },
    ] as [@Sendable () async throws -> Void] {
      let waiting = Task { try await wait() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    await analyzer.cancelAndFinishNow()
  }

  /// The audio arrives after the call, and the task is cancelled while it is recognized.
  @Test(.timeLimit(.minutes(1)), arguments: Ending.allCases)
  func cancelledTaskGetsTheWordsThatArrivedMeanwhile(_ ending: Ending) async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let recognizers = Mutex<[FakeRecognizer]>([])
    let analyzer = SpeechAnalyzer(
      modules: [transcriber], options: nil, context: .init(),
      makeRecognizer: { _, _, emit in
        let recognizer = FakeRecognizer(seed: 1, emit: emit)
        recognizer.hold()
        recognizers.withLock { $0.append(recognizer) }
        return recognizer
      })
    let (inputs, feed) = AsyncStream.makeStream(of: AnalyzerInput.self)
    try await analyzer.start(inputSequence: inputs)
    let waiting = Task {
      switch ending {
      case .throughEndOfInput: try await analyzer.finalizeAndFinishThroughEndOfInput()
      case .finishThrough: try await analyzer.finalizeAndFinish(through: Self.second)
      case .through: try await analyzer.finalize(through: Self.second)
      }
    }
    while await !analyzer.waitsForAudio { await Task.yield() }
    feed.yield(try input())
    feed.finish()
    while await analyzer.waitsForAudio { await Task.yield() }
    waiting.cancel()
    for recognizer in recognizers.withLock({ $0 }) { recognizer.release() }
    try await waiting.value
    if ending == .through { try await analyzer.finalizeAndFinishThroughEndOfInput() }
    #expect(try await words(transcriber.results) == 2)
  }

  enum Ending: CaseIterable {
    case throughEndOfInput
    case finishThrough
    case through
  }

  @Test(.timeLimit(.minutes(1))) func finishingThroughATimeWithoutAudioEndsTheSession() async throws {
    for (hasInput, time) in [(false, CMTime(value: 9, timescale: 1)), (true, CMTime.zero)] {
      let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
      let analyzer = analyzer(transcriber)
      if hasInput { try await analyzer.start(inputSequence: sequence(isOpen: true)) }
      try await analyzer.finalizeAndFinish(through: time)
      #expect(try await words(transcriber.results) == 0)
    }
  }

  @Test(.timeLimit(.minutes(1))) func cancelledTaskDoesNotWaitForAnInput() async throws {
    let analyzer = analyzer(SpeechTranscriber(locale: english, preset: .transcription))
    let waiting = Task { try await analyzer.finalize(through: Self.second) }
    while await !analyzer.waitsForAudio { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func finishingThroughAPastTimeKeepsTheAudioThatWasReceived() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    _ = try await analyzer.analyzeSequence(sequence(input(seconds: 2)))
    try await analyzer.finalizeAndFinish(through: Self.second)
    #expect(try await words(transcriber.results) == 4)
  }

  @Test func finishAfterATimeDoesNotWaitForRecognition() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    try await analyzer.start(inputSequence: sequence(input(seconds: 0.4), isOpen: true))
    try await analyzer.finish(after: CMTime(value: 2, timescale: 5))
    // Less than one utterance of the recognizer: it was never asked to end it.
    #expect(try await words(transcriber.results) == 0)
  }

  @Test func laterInputReplacesTheEarlierOne() async throws {
    let transcriber = SpeechTranscriber(locale: english, preset: .transcription)
    let analyzer = analyzer(transcriber)
    let first = try sequence(input(), isOpen: true)
    let reading = Task { try await analyzer.analyzeSequence(first) }
    while await analyzer.volatileRange == nil { await Task.yield() }
    try await analyzer.start(inputSequence: sequence(input()))
    #expect(try await reading.value == nil)
    try await analyzer.finalizeAndFinishThroughEndOfInput()
    #expect(try await words(transcriber.results) == 4)
  }

  @Test func formatIsNilUntilTheModelIsInstalled() async {
    let uninstalled = SpeechTranscriber(locale: Locale(identifier: "xx-XX"), preset: .transcription)
    #expect(await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [uninstalled]) == nil)
    let detector: any SpeechModule = SpeechDetector()
    #expect(await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [detector, uninstalled]) == nil)
    #expect(await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: [detector]) != nil)
  }

  @Test func presetsHaveApplesOptions() {
    typealias Speech = SpeechTranscriber.Preset
    typealias Dictation = DictationTranscriber.Preset
    let speech: [(Speech, Set<SpeechTranscriber.ReportingOption>, Bool)] = [
      (.transcription, [], false), (.transcriptionWithAlternatives, [.alternativeTranscriptions], false),
      (.timeIndexedTranscriptionWithAlternatives, [.alternativeTranscriptions], true),
      (.progressiveTranscription, [.volatileResults, .fastResults], false),
      (.timeIndexedProgressiveTranscription, [.volatileResults, .fastResults], true),
    ]
    for (preset, reporting, hasTimes) in speech {
      #expect(preset.reportingOptions == reporting)
      #expect(preset.attributeOptions == (hasTimes ? [.audioTimeRange] : []))
      #expect(preset.transcriptionOptions.isEmpty)
    }
    let dictation: [(Dictation, Bool, Set<DictationTranscriber.ReportingOption>, Bool, Bool)] = [
      (.phrase, true, [], false, false), (.shortDictation, true, [], false, true),
      (.progressiveShortDictation, true, [.volatileResults, .frequentFinalization], false, true),
      (.longDictation, false, [], false, true),
      (.progressiveLongDictation, false, [.volatileResults], false, true),
      (.timeIndexedLongDictation, false, [], true, true),
    ]
    for (preset, isShort, reporting, hasTimes, hasMarks) in dictation {
      #expect(preset.contentHints == (isShort ? [.shortForm] : []))
      #expect(preset.reportingOptions == reporting)
      #expect(preset.attributeOptions == (hasTimes ? [.audioTimeRange] : []))
      #expect(preset.transcriptionOptions == (hasMarks ? [.punctuation] : []))
    }
    // Without times nothing is found to be replaced.
    let text = AttributedString("go forward")
    let range = CMTimeRange(start: .zero, duration: Self.second)
    #expect(text.rangeOfAudioTimeRangeAttributes(intersecting: range) == nil)
  }

  /// Each row of the table names a test that exists.
  @Test func everyRowOfTheTableHasATest() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
      .standardized
    let page = try String(
      contentsOf: root.appendingPathComponent("docs/apple-behaviour.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("Tests.") }
    #expect(rows.count >= 25)
    let tests = root.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    var sources: [String: String] = [:]
    for case let file as URL in files ?? .init() where file.lastPathComponent.hasSuffix("Tests.swift") {
      sources[file.deletingPathExtension().lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 4, "\(row)")
      let names = (cells.last ?? "").matches(of: #/`(\w+Tests)\.(\w+)`/#)
      #expect(!names.isEmpty, "\(row)")
      for name in names {
        #expect(sources[String(name.1)]?.contains("func \(name.2)(") == true, "\(name.0) of: \(row)")
      }
    }
  }
}

extension SpeechAnalyzer {
  /// Whether a request waits for audio.
  fileprivate var waitsForAudio: Bool { !session.ledger.waiting.isEmpty }
}
