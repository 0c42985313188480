import RecognitionCore

/// One module at work in a session. Used only on the session's queue; positions are samples at 16 kHz.
final class AnalysisRun {
  let id: Int
  let module: any AnalysisModule
  /// Nil for a module that needs no recognizer.
  let recognizer: (any AnalysisRecognizer)?
  let setup: SinkSetup
  /// Nil before there is audio.
  var sink: (any ModuleSink)?
  /// The end of the audio whose results are complete.
  var finalized = 0
  /// The end of the audio that is decoded or needs no decoding.
  var processed = 0
  /// Whether the module was removed from the analyzer. Audio that it has received is still recognized.
  var isRetired = false

  init(
    id: Int, module: any AnalysisModule, recognizer: (any AnalysisRecognizer)?, setup: SinkSetup
  ) {
    self.id = id
    self.module = module
    self.recognizer = recognizer
    self.setup = setup
  }

  /// The first audio starts at `position`.
  func open(at position: Int) {
    guard sink == nil else { return }
    sink = module.makeSink(at: position, setup)
    finalized = position
    processed = position
    if position != 0 { recognizer?.skip(to: position) }
  }

  func append(_ samples: [Int16], at position: Int) {
    recognizer?.append(samples)
    sink?.append(samples, at: position)
    if recognizer == nil {
      processed = position + samples.count
      finalized = processed
    }
  }

  func skip(to position: Int) {
    // A gap needs no decoding.
    processed = max(processed, position)
    recognizer?.skip(to: position)
    sink?.skip(to: position)
  }

  /// Ends the results. A module that never had audio ends without results.
  func finish(_ error: (any Error)?) {
    (sink ?? module.makeSink(at: 0, setup)).finish(error)
    sink = nil
  }
}
