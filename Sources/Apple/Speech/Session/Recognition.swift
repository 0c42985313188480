/// A recognition that runs: of a recording or of a stream.
protocol Recognition: AnyObject, Sendable {
  /// Begins to read, or to listen. Events come from then on, until `RecognitionEvent.ended`.
  func start()
  /// Takes no more audio; what was taken is still recognized. A recording is taken whole from the start.
  func finish()
  /// Stops at once. No event comes after the call but those that are on their way.
  func cancel()
}
