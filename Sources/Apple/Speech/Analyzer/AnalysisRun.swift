import SpeechServiceProtocol

/// One module at work in a session; only on the session's queue.
final class AnalysisRun {
  let id: Int
  let module: any AnalysisModule
  /// Nil for a module that needs nothing recognized.
  let recognizer: (any AnalysisRecognizer)?
  /// Nil before there is audio.
  var sink: (any ModuleSink)?
  /// Before this sample every result is there.
  var settled = 0
  /// Before this sample all audio has been decoded, or need not be.
  var processed = 0
  /// No longer one of the analyzer's modules; what it has taken is still recognized.
  var isRetired = false

  init(id: Int, module: any AnalysisModule, recognizer: (any AnalysisRecognizer)?) {
    self.id = id
    self.module = module
    self.recognizer = recognizer
  }

  /// The first audio begins at `place`.
  func open(at place: Int) {
    guard sink == nil else { return }
    sink = module.makeSink(at: place)
    settled = place
    processed = place
    if place != 0 { recognizer?.skip(to: place) }
  }

  func take(_ samples: [Int16], at place: Int) {
    recognizer?.append(samples)
    sink?.take(samples, at: place)
    if recognizer == nil {
      processed = place + samples.count
      settled = processed
    }
  }

  func skip(to place: Int) {
    // There is nothing to decode in a gap.
    processed = max(processed, place)
    recognizer?.skip(to: place)
    sink?.skip(to: place)
  }

  /// Ends the results, or makes the module usable no more without any.
  func finish(_ error: (any Error)?) {
    (sink ?? module.makeSink(at: 0)).finish(error)
    sink = nil
  }
}
