/// Tells when frames were recorded, from their number and from when they arrive: a pure value.
///
/// Frames arrive late by what the machine had else to do, never early. So the least lateness of a while is
/// the truth: a small one is a sound card whose clock runs a little slower or faster, and only moves host
/// times; a large one means that frames are missing, and moves sample times.
struct CaptureClock {
  /// Seconds, of time and of audio, after which the lateness of what came in them is judged.
  static let window = 2.0
  /// Lateness in seconds that, where nothing came earlier in a window, means missing frames.
  static let largestDrift = 0.1

  private let rate: Double
  /// The sample time of the next frame. The first one's is that of the machine's clock in frames, so that
  /// even a pause between two recordings shows as a jump of about its length.
  private(set) var sampleTime: Int64 = 0
  /// When sample time 0 was, in seconds of the machine's clock; nil before the first frames.
  private var zero: Double?
  private var leastLateness = Double.infinity
  private var framesInWindow = 0
  private var windowStart = 0.0
  private var isSettled = false
  private var isInterrupted = false

  /// A clock of `rate` Hz.
  init(rate: Double) { self.rate = rate }

  /// When the frame of `sampleTime` was recorded, in nanoseconds of the machine's clock.
  func hostTime(of sampleTime: Int64) -> UInt64 {
    UInt64(max(0, ((zero ?? 0) + Double(sampleTime) / rate) * 1e9))
  }

  /// `frames` have arrived at `hostTime`: the sample time of the first of them.
  mutating func arrive(_ frames: Int, at hostTime: UInt64) -> Int64 {
    let now = Double(hostTime) / 1e9
    if zero == nil { start(now - Double(frames) / rate) }
    if isInterrupted {
      isInterrupted = false
      sampleTime += Int64(max(0, lateness(of: frames, now)) * rate)
      beginWindow(now)
    } else {
      // As much time as audio: after a standstill much arrives at once, of which only the last is in time.
      if now - windowStart >= Self.window, Double(framesInWindow) >= Self.window * rate { judge(now) }
      leastLateness = min(leastLateness, lateness(of: frames, now))
      framesInWindow += frames
    }
    defer { sampleTime += Int64(frames) }
    return sampleTime
  }

  /// `frames` are known to be missing.
  mutating func skip(_ frames: Int) { sampleTime += Int64(frames) }

  /// The source pauses or has paused: what arrives next is a gap later, however long that was.
  mutating func interrupt() { isInterrupted = zero != nil }

  private mutating func start(_ time: Double) {
    sampleTime = Int64(time * rate)
    zero = time - Double(sampleTime) / rate
    windowStart = time
  }

  private func lateness(of frames: Int, _ now: Double) -> Double {
    now - ((zero ?? 0) + Double(sampleTime + Int64(frames)) / rate)
  }

  private mutating func judge(_ now: Double) {
    // The first frames of all may be old ones, which a server has kept: only what follows can be a gap.
    if isSettled, leastLateness >= Self.largestDrift {
      sampleTime += Int64(leastLateness * rate)
    } else {
      zero = zero.map { $0 + leastLateness }
    }
    isSettled = true
    beginWindow(now)
  }

  private mutating func beginWindow(_ now: Double) {
    leastLateness = .infinity
    framesInWindow = 0
    windowStart = now
  }
}
