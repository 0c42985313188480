/// Decides when the tap is called and how long audio may wait, so that the processor can sleep while a room is quiet: a pure
/// value.
struct QuietWatch {
  /// Seconds of quiet audio that the server sends at once, if it can, and that may wait for this process.
  static let fragment = 0.45
  /// Seconds of quiet audio that may wait for the tap.
  private static let batch = 0.85

  /// Samples up to this value are quiet. Nil while the tap wants all audio at once, and after a louder sample.
  var peak: Float?
  /// Seconds that the server's audio may wait.
  private(set) var nap = 0.0
  /// Seconds of audio that the tap has not been called for.
  private var waiting = 0.0

  /// Takes what the server has sent, which lasts so many seconds.
  /// - Returns: whether the tap is called now.
  mutating func take(_ samples: UnsafeBufferPointer<Float>, seconds: Double) -> Bool {
    if let peak, samples.contains(where: { abs($0) > peak }) { self.peak = nil }
    // A server that sends long fragments does not wake this process in between.
    nap = peak != nil && seconds < Self.fragment / 2 ? Self.fragment : 0
    waiting += seconds
    guard peak == nil || waiting > Self.batch else { return false }
    waiting = 0
    return true
  }
}
