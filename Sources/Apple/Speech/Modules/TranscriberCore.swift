import RecognitionCore
import Foundation

/// A result that a transcript composer's output describes completely.
protocol TranscriberResult: SpeechModuleResult, Sendable {
  init(_ output: TranscriptComposer.Output)
}

/// A module that turns speech into text. `SpeechTranscriber` and `DictationTranscriber` differ only in their options.
protocol Transcriber: AnalysisModule, LocaleDependentSpeechModule where Result: TranscriberResult {
  var core: TranscriberCore<Result> { get }
}

extension Transcriber {
  var demand: TranscriptionDemand? { core.demand }

  func claim(for analyzer: UUID) -> Bool { core.output.claim(for: analyzer) }

  func makeSink(at start: Int, _ setup: SinkSetup) -> any ModuleSink {
    var options = core.options
    options.style = options.style.adapted(to: setup.model)
    options.reportsUtterances = setup.reportsUtterances && !core.demand.wantsHypotheses
    return TranscriberSink(options, at: start, output: core.output)
  }
}

/// The part that all transcribers share: what to recognize, how to write it, and the results.
final class TranscriberCore<Result: TranscriberResult>: Sendable {
  let demand: TranscriptionDemand
  let options: TranscriptComposer.Options
  let output = ModuleOutput<Result>()

  /// - Parameter options: how results are written; `demand` decides which results there are.
  init(_ demand: TranscriptionDemand, options: TranscriptComposer.Options) {
    self.demand = demand
    var options = options
    options.reportsVolatile = demand.wantsHypotheses
    options.reportsAlternatives = demand.wantsAlternatives
    self.options = options
  }

  var selectedLocales: [Locale] { [SpeechLocales.supported(equivalentTo: demand.locale) ?? demand.locale] }
}

/// Publishes what a composer writes as the results of one transcriber.
final class TranscriberSink<Result: TranscriberResult>: ModuleSink {
  private var composer: TranscriptComposer
  private let output: ModuleOutput<Result>

  init(_ options: TranscriptComposer.Options, at start: Int, output: ModuleOutput<Result>) {
    composer = TranscriptComposer(options: options, start: start)
    self.output = output
  }

  func append(_ samples: [Int16], at position: Int) {}
  func skip(to position: Int) {}
  func update(_ words: [RecognizedWord]) { publish(composer.update(words)) }
  func finalize(_ utterance: RecognizedUtterance) { publish(composer.finalize(utterance)) }
  func finalize(withoutResult range: Range<Int>) { publish(composer.finalize(withoutResult: range)) }
  func finalize(through position: Int) { publish(composer.finalize(through: position)) }
  func finish(_ error: (any Error)?) { output.finish(error) }

  private func publish(_ result: TranscriptComposer.Output?) {
    if let result { output.publish(Result(result)) }
  }
}
