import AVFAudio
import CoreMedia
import Foundation
import Speech
import Synchronization

/// Listens with `SpeechAnalyzer` and a detector of speech.
///
/// What is final comes from a transcriber that tells nothing else, and what may still change from one of its own: so
/// the text of a recording is the same whether it was listened to live, afterwards, or again after a crash.
public struct AnalyzerEngine: TranscriptionEngine {
  /// Seconds of sound before the place where listening begins that are heard too: as long as a detector of speech
  /// remembers the level of a room, and some.
  private static let preroll = 20.0
  /// How often in a row the analyzer may fail without having told anything new.
  private static let attempts = 3

  /// Which engine it is.
  public let selection = EngineSelection.analyzer
  private let options: FileTranscriber.Options
  private let reportsPartials: Bool
  private let backoff: TimeInterval

  /// - Parameters:
  ///   - options: how it listens.
  ///   - reportsPartials: whether it tells what may still change; that takes about as much again of a processor.
  ///   - backoff: seconds to wait after a failure, twice as long after each further one.
  public init(
    _ options: FileTranscriber.Options = .init(), reportsPartials: Bool = true, backoff: TimeInterval = 0.5
  ) {
    self.options = options
    self.reportsPartials = reportsPartials
    self.backoff = backoff
  }

  /// Listens from `start` (seconds) on until the recording has ended.
  public func events(
    of audio: RecordingAudio, from start: TimeInterval
  ) -> AsyncThrowingStream<TranscriptionEvent, any Error> {
    stream { emit in try await listen(to: audio, from: start, emit) }
  }

  /// Listens until the end, and begins again where the analyzer fails.
  private func listen(
    to audio: RecordingAudio, from start: TimeInterval,
    _ emit: @escaping @Sendable (TranscriptionEvent) -> Void
  ) async throws {
    guard let locale = await SpeechTranscriber.supportedLocale(equivalentTo: options.locale) else {
      throw TranscriptionError.unsupportedLocale(options.locale.identifier(.bcp47))
    }
    var failures = 0
    let told = Mutex(start)
    while true {
      let before = told.withLock(\.self)
      do {
        try await analyze(audio, from: before, locale) { event in
          if case .processed(let end) = event { told.withLock { $0 = max($0, end) } }
          emit(event)
        }
        return
      } catch {
        try Task.checkCancellation()
        let place = told.withLock(\.self)
        failures = place > before ? 1 : failures + 1
        var outcome = RecognitionOutcome()
        let end = Result { try outcome.end(with: error) }
        // What services died of. What was not told yet is heard again, unless this is the end.
        for failure in outcome.failures where failure.upperBound > before {
          if case .failure = end, failure.lowerBound >= place { continue }
          emit(.failed(max(before, failure.lowerBound)...failure.upperBound, "the recognizer failed"))
        }
        do {
          try end.get()
          return emit(.processed(audio.duration))
        } catch TranscriptionError.recognizerFailed(let why) where failures < Self.attempts {
          emit(.restarted(place, why))
          try await Task.sleep(for: .seconds(backoff * pow(2, Double(failures - 1))))
        }
      }
    }
  }

  private func analyze(
    _ audio: RecordingAudio, from start: TimeInterval, _ locale: Locale,
    _ emit: @escaping @Sendable (TranscriptionEvent) -> Void
  ) async throws {
    let modules = AnalyzerModules(
      locale: locale, alternatives: options.alternatives,
      languageModel: options.languageModel?.configuration)
    let transcriber = modules.final()
    let progressive = reportsPartials ? modules.progressive() : nil
    let detector = SpeechDetector(detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
    let all = [detector, transcriber.module] + (progressive.map { [$0.module] } ?? [])
    guard let format = await SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith: all) else {
      throw TranscriptionError.notInstalled(
        "the model for \(locale.identifier(.bcp47)) is not installed", hint: "longhand doctor")
    }
    let analyzer = SpeechAnalyzer(
      modules: all, options: SpeechAnalyzer.Options(priority: .userInitiated, modelRetention: .lingering))
    await analyzer.setVolatileRangeChangedHandler { range, changedStart, _ in
      if changedStart { emit(.progress(range.start.seconds)) }
    }
    let inputs = AnalyzerInputs(
      audio: audio, start: max(0, start.rounded(.down) - Self.preroll), format: format)
    try await withTaskCancellationHandler {
      do {
        try await withThrowingTaskGroup { group in
          group.addTask {
            _ = try await analyzer.analyzeSequence(inputs)
            try Task.checkCancellation()
            try await analyzer.finalizeAndFinishThroughEndOfInput()
          }
          group.addTask {
            for try await found in detector.results where found.speechDetected && found.isFinal {
              emit(.detected(found.seconds, "speech"))
            }
          }
          let partials = PartialText()
          group.addTask {
            try await transcriber.results { heard in
              guard heard.isFinal, heard.range.upperBound > start else { return }
              if let event = TranscriptionEvent.final(heard.candidates(most: modules.alternatives)) {
                emit(event)
              }
              partials.settle(through: heard.range.upperBound)
              emit(.processed(heard.range.upperBound))
            }
          }
          if let progressive {
            group.addTask {
              try await progressive.results { heard in
                let partial = partials.take(heard)
                if let partial { emit(.partial(partial)) }
              }
            }
          }
          try await group.waitForAll()
        }
      } catch {
        await analyzer.cancelAndFinishNow()
        throw error
      }
      emit(.processed(audio.duration))
    } onCancel: {
      Task { await analyzer.cancelAndFinishNow() }
    }
  }
}
