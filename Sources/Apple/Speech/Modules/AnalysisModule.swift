import RecognitionCore
import Foundation
import Synchronization

/// A module of this framework, as a session uses it.
protocol AnalysisModule: SpeechModule {
  /// What the module needs from a recognizer; nil if it needs none.
  var demand: TranscriptionDemand? { get }
  /// Assigns the module to an analyzer; false if it belongs to another one.
  func claim(for analyzer: UUID) -> Bool
  /// Creates the sink that turns audio and recognition events into results, from a sample on.
  func makeSink(at start: Int, _ setup: SinkSetup) -> any ModuleSink
}

/// What is known when a sink is created.
struct SinkSetup: Sendable {
  /// The model that recognizes; nil if there is none.
  var model: SpeechModel?
  /// Whether results carry their utterances.
  var reportsUtterances = false
}

/// Turns the events of a session into a module's results.
///
/// Positions are samples at 16 kHz. Sinks are used only on the session's queue.
protocol ModuleSink: AnyObject {
  /// More audio, which starts at `position`.
  func append(_ samples: [Int16], at position: Int)
  /// The audio continues at a later position.
  func skip(to position: Int)
  /// The words so far of the utterance that is being spoken.
  func update(_ words: [RecognizedWord])
  /// An utterance is final.
  func finalize(_ utterance: RecognizedUtterance)
  /// A range of audio gets no result.
  func finalize(withoutResult range: Range<Int>)
  /// Everything before `position` is final.
  func finalize(through position: Int)
  /// The end of the results, with the error that caused it.
  func finish(_ error: (any Error)?)
}

/// The results of a module that wait for their reader, and the analyzer that owns the module.
final class ModuleOutput<Element: Sendable>: Sendable {
  let stream = ResultStream<Element>()
  private let owner = Mutex<UUID?>(nil)

  /// Assigns the module to an analyzer; false if it belongs to another one.
  func claim(for analyzer: UUID) -> Bool {
    owner.withLock { owner in
      if owner == nil { owner = analyzer }
      return owner == analyzer
    }
  }

  func publish(_ element: Element) { stream.publish(element) }

  /// Ends the results, with the error that ended the analysis.
  func finish(_ error: (any Error)?) { stream.finish(error) }
}
