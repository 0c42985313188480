import Foundation

/// A module of this framework, as a session uses it.
protocol AnalysisModule: SpeechModule {
  /// What has to be recognized for the module; nil if nothing has.
  var demand: TranscriptionDemand? { get }
  /// Gives the module to an analyzer; false if it belongs to another one.
  func claim(for analyzer: UUID) -> Bool
  /// What makes results of what happens in the audio from a sample on.
  func makeSink(at place: Int) -> any ModuleSink
}

/// Makes a module's results of what happens. Places are samples of 16 kHz; only on the session's queue.
protocol ModuleSink: AnyObject {
  /// More audio, which begins at `place`.
  func take(_ samples: [Int16], at place: Int)
  /// The audio goes on at a later place.
  func skip(to place: Int)
  /// What has been heard of what is being said.
  func hear(_ words: [RecognizedWord])
  /// An utterance is final.
  func settle(_ utterance: RecognizedUtterance)
  /// An utterance will have no result, or is not wanted any more.
  func settle(without range: Range<Int>)
  /// Everything before `place` is final.
  func commit(through place: Int)
  /// The end of the results.
  func finish(_ error: (any Error)?)
}
