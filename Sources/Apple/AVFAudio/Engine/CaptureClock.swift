/// Computes when frames were recorded, from their number and their arrival times. A pure value.
///
/// A busy machine makes frames arrive late, never early. So the least lateness within a period counts. A small one comes
/// from the clock of the sound card, which runs a little slower or faster, and only moves host times. A large one in two
/// periods means that frames are missing, and moves sample times.
struct CaptureClock {
  /// The length of a period in seconds, of time and of audio. The lateness is evaluated at its end.
  static let window = 2.0
  /// The least lateness within a period, in seconds, that means missing frames.
  static let maxDrift = 0.1

  private let rate: Double
  /// The sample time of the next frame. The first frame has the time of the machine's clock in frames, so that a pause
  /// between two recordings is a jump of about its length.
  private(set) var sampleTime: Int64 = 0
  /// The time of sample time 0, in seconds of the machine's clock; nil before the first frames.
  private var zero: Double?
  private var leastLateness = Double.infinity
  private var framesInWindow = 0
  private var windowStart = 0.0
  private var hasEvaluated = false
  /// The large least lateness of the period before; nil if it was small.
  private var lateBefore: Double?
  private var isInterrupted = false

  init(rate: Double) { self.rate = rate }

  /// The time when the frame of `sampleTime` was recorded, in nanoseconds of the machine's clock.
  func hostTime(of sampleTime: Int64) -> UInt64 {
    UInt64(max(0, ((zero ?? 0) + Double(sampleTime) / rate) * 1e9))
  }

  /// Records that `frames` have arrived at `hostTime`. Returns the sample time of the first of them.
  mutating func arrive(_ frames: Int, at hostTime: UInt64) -> Int64 {
    let now = Double(hostTime) / 1e9
    if zero == nil { start(now - Double(frames) / rate) }
    if isInterrupted {
      isInterrupted = false
      sampleTime += Int64(max(0, lateness(of: frames, now)) * rate)
      lateBefore = nil
      beginWindow(now)
    } else {
      // A period needs time and audio: after a standstill many frames arrive at once, and only the last are in time.
      if now - windowStart >= Self.window, Double(framesInWindow) >= Self.window * rate { evaluate(now) }
      leastLateness = min(leastLateness, lateness(of: frames, now))
      framesInWindow += frames
    }
    defer { sampleTime += Int64(frames) }
    return sampleTime
  }

  /// Records that `frames` are missing.
  mutating func skip(_ frames: Int) { sampleTime += Int64(frames) }

  /// Records that the source pauses. The next frames come after a gap of any length.
  mutating func interrupt() { isInterrupted = zero != nil }

  private mutating func start(_ time: Double) {
    sampleTime = Int64(time * rate)
    zero = time - Double(sampleTime) / rate
    windowStart = time
  }

  private func lateness(of frames: Int, _ now: Double) -> Double {
    now - ((zero ?? 0) + Double(sampleTime + Int64(frames)) / rate)
  }

  private mutating func evaluate(_ now: Double) {
    // The first frames may be old ones that the server has kept. So the first period shows no gap.
    if hasEvaluated, leastLateness >= Self.maxDrift {
      // Frames that wait for longer than one period, on a busy machine, are not missing.
      if let before = lateBefore { sampleTime += Int64(min(leastLateness, before) * rate) }
      lateBefore = lateBefore == nil ? leastLateness : nil
    } else {
      zero = zero.map { $0 + leastLateness }
      lateBefore = nil
    }
    hasEvaluated = true
    beginWindow(now)
  }

  private mutating func beginWindow(_ now: Double) {
    leastLateness = .infinity
    framesInWindow = 0
    windowStart = now
  }
}
