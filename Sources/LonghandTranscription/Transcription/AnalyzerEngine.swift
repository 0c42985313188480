import CoreMedia
import Foundation
import LonghandRecording
import LonghandTranscripts
import LonghandVocabulary
import Speech
import Synchronization

/// Recognizes with `SpeechAnalyzer` and a detector of speech.
///
/// One transcriber reports final text only, and another one partial text. So the text of a recording is the same whether
/// it is transcribed live, later, or again after a crash.
@available(macOS 26, iOS 26, *)
package struct AnalyzerEngine: TranscriptionEngine {
  /// Seconds of audio before the start that are analyzed too: a little more than the time over which the detector of
  /// speech measures the level of a room.
  private static let preroll = 20.0
  /// Seconds. Where no partial text is wanted, the analyzer may decode several utterances together, and begins anew with that
  /// at each multiple of this.
  private static let windowPeriod = 60.0
  /// The number of failures in a row, without any progress between, after which the work ends.
  static let attempts = 3

  /// Which engine it is.
  package let selection = EngineSelection.analyzer
  private let options: ResolvedOptions
  private let reportsPartials: Bool
  private let backoff: TimeInterval

  /// - Parameters:
  ///   - options: the language, the number of alternatives and the language model.
  ///   - reportsPartials: whether it reports text that may still change, which doubles the processor time.
  ///   - backoff: seconds to wait after a failure, twice as long after each further one.
  package init(
    _ options: ResolvedOptions, reportsPartials: Bool = true, backoff: TimeInterval = 0.5
  ) {
    self.options = options
    self.reportsPartials = reportsPartials
    self.backoff = backoff
  }

  package func ofChannel(_ channel: Int) -> any TranscriptionEngine {
    var options = options
    options.languages.removeAll { $0.channel != channel }
    return AnalyzerEngine(options, reportsPartials: reportsPartials, backoff: backoff)
  }

  /// Recognizes from `start` (seconds) on until the source has ended.
  package func events(
    of audio: any AudioSource, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { emit in try await recognize(audio, from: start, emit) }
  }

  /// Analyzes until the end, and starts again where the analyzer fails.
  private func recognize(
    _ audio: any AudioSource, from start: TimeInterval,
    _ emit: @escaping @Sendable (TranscriptionEvent) -> Void
  ) async throws {
    guard let locale = await SpeechTranscriber.supportedLocale(equivalentTo: options.expectedLocale) else {
      throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
    }
    var failures = 0
    let reported = Mutex(start)
    let languages = Mutex(options.languages)
    while true {
      let before = reported.withLock(\.self)
      do {
        var options = options
        options.languages = languages.withLock(\.self)
        try await analyze(audio, from: before, locale, options) { event in
          if let turn = LanguageTurn(event) { languages.withLock { $0.append(turn) } }
          if case .processed(let end) = event { reported.withLock { $0 = max($0, end) } }
          emit(event)
        }
        return
      } catch {
        try Task.checkCancellation()
        let reached = reported.withLock(\.self)
        failures = reached > before ? 1 : failures + 1
        let failure = RecognizerFailure(error)
        // What was not reported yet is tried again, unless this is the end.
        let isEnd =
          switch failure {
          case .noSpeech, .ranges: true
          case .transient, .permanent: false
          }
        for range in (error as NSError).allFailedRanges where range.upperBound > before {
          guard isEnd || range.lowerBound < reached else { continue }
          emit(.failed(max(before, range.lowerBound)...range.upperBound, "the recognizer failed"))
        }
        switch failure {
        case .noSpeech, .ranges: return emit(.processed(audio.duration))
        case .permanent(let error): throw error
        case .transient(let why, let reaction):
          guard failures < Self.attempts else { throw TranscriptionError.recognizerFailed(why) }
          emit(.restarted(reached, why))
          let delay = reaction.delay(after: failures, backoff: backoff, isOnDevice: true)
          try await Task.sleep(for: .seconds(delay))
        }
      }
    }
  }

  /// The second at which the analysis starts, so that it is in the same state at `start` as without an interruption.
  private func firstSecond(before start: TimeInterval) -> TimeInterval {
    max(0, (reportsPartials ? start.rounded(.down) : Self.window(before: start)) - Self.preroll)
  }

  /// The last second before a time at which windows are divided in any case.
  private static func window(before start: TimeInterval) -> TimeInterval {
    (start / windowPeriod).rounded(.down) * windowPeriod
  }

  private func analyze(
    _ audio: any AudioSource, from start: TimeInterval, _ locale: Locale, _ options: ResolvedOptions,
    _ emit: @escaping @Sendable (TranscriptionEvent) -> Void
  ) async throws {
    let first = reportsPartials ? start : Self.window(before: start)
    let known = options.detectsLanguage ? options.languages.locale(before: first) : nil
    let modules = AnalyzerModules(
      locale: known ?? locale, alternatives: options.alternatives,
      languageModel: options.languageModel?.configuration, phrases: options.expectedPhrases,
      addsPunctuation: options.addsPunctuation)
    let transcriber = modules.final()
    let progressive = reportsPartials ? modules.progressive() : nil
    let detector = SpeechDetector(
      detectionOptions: .init(sensitivityLevel: .medium), reportResults: AnalyzerModules.needsDetector)
    let all = [detector, transcriber.module] + (progressive.map { [$0.module] } ?? [])
    guard let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: all) else {
      throw TranscriptionError.notInstalled(
        "the recognizer or its model for \(locale.identifier(.bcp47)) is not installed",
        hint: TranscriptionError.installation)
    }
    let analyzer = SpeechAnalyzer(
      modules: all, options: SpeechAnalyzer.Options(priority: .userInitiated, modelRetention: .lingering))
    let context = modules.context
    context.use(options.found)
    if options.detectsLanguage { context.detectLanguages(from: first, isKnown: known != nil) }
    try await analyzer.setContext(context)
    await analyzer.setVolatileRangeChangedHandler { range, changedStart, _ in
      if changedStart { emit(.progress(range.start.seconds)) }
    }
    let inputs = AnalyzerInputs(
      audio: audio, start: firstSecond(before: start), format: format
    ) { range in
      if range.upperBound > start { emit(.oppositePhase(range)) }
    } reportSound: { range in
      if range.upperBound > start { emit(.sound(range)) }
    }
    try await AnalyzerRun(
      analyzer: analyzer, inputs: inputs, detector: detector, transcriber: transcriber,
      progressive: progressive,
      start: start, options: options, emit: emit
    ).run()
  }
}

/// The tasks of one analysis: one feeds the analyzer, and one for each module reports its results.
@available(macOS 26, iOS 26, *)
private struct AnalyzerRun: Sendable {
  let analyzer: SpeechAnalyzer
  let inputs: AnalyzerInputs
  let detector: SpeechDetector
  let transcriber: AnalyzerModules.Transcriber
  let progressive: AnalyzerModules.Transcriber?
  /// Seconds. What ends before was reported by an earlier analysis.
  let start: TimeInterval
  let options: ResolvedOptions
  let emit: @Sendable (TranscriptionEvent) -> Void
  let partials = PartialText()

  func run() async throws {
    try await withTaskCancellationHandler {
      do {
        try await withThrowingTaskGroup { group in
          for task in [feed, reportSpeech, reportFinals, reportPartials] {
            group.addTask { try await task() }
          }
          try await group.waitForAll()
        }
      } catch {
        await analyzer.cancelAndFinishNow()
        throw error
      }
      emit(.processed(inputs.audio.duration))
    } onCancel: {
      Task { await analyzer.cancelAndFinishNow() }
    }
  }

  @Sendable private func feed() async throws {
    _ = try await analyzer.analyzeSequence(inputs)
    try Task.checkCancellation()
    try await analyzer.finalizeAndFinishThroughEndOfInput()
  }

  @Sendable private func reportSpeech() async throws {
    for try await found in detector.results where found.speechDetected && found.isFinal {
      emit(.detected(found.seconds, "speech"))
    }
  }

  @Sendable private func reportFinals() async throws {
    try await transcriber.results { result in
      guard result.isFinal, result.range.upperBound > start else { return }
      let rejected = result.rejected.map { TranscriptionEvent.rejected($0.words, by: $0.rule) }
      let final = TranscriptionEvent.final(Array(result.candidates.prefix(max(1, options.alternatives))))
      for case let event? in rejected + [final] + result.speech.map({ .detected($0, "speech") }) {
        emit(event)
      }
      for warning in result.languageWarnings(options, of: inputs.audio.duration) { emit(.warning(warning)) }
      partials.finalize(through: result.range.upperBound)
      emit(.processed(result.range.upperBound))
    }
  }

  @Sendable private func reportPartials() async throws {
    try await progressive?.results { result in
      if let partial = partials.take(result) { emit(.partial(partial)) }
    }
  }
}
