/// What an analyzer told of a live recording, and when. Every time is in seconds since the recording began to play, so
/// that what was said at a time was spoken at that time on the wall.
struct LiveTrace {
  /// A volatile result of the transcriber.
  struct Volatile {
    var arrival: Double
    /// Where the last word ends that it has.
    var heardTo: Double
  }

  /// A final result of the transcriber.
  struct Final {
    var arrival: Double
    var range: ClosedRange<Double>
    /// When each word was said.
    var words: [ClosedRange<Double>]
  }

  var volatiles: [Volatile] = []
  var finals: [Final] = []
  /// What the detector's finals call speech.
  var speech: [ClosedRange<Double>] = []
  /// The most by which a buffer was handed in late: a machine that is busy with other things.
  var greatestDelay = 0.0
}
