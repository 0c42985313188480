import Foundation

/// What becomes of the time of a recording while sound comes, stops coming, and comes again. Time is what callers say it
/// is, in seconds; nothing here waits.
///
/// The file's clock is that of the samples. Only where none came from a live source does the caller's clock say how much
/// is missing; a source that is not live misses nothing.
struct CaptureMonitor: Sendable {
  /// What is to be done.
  enum Action: Sendable, Hashable {
    /// So many frames are missing before what came.
    case skip(Int64, RecordingGap.Reason)
    /// The device is to be opened again.
    case reopen
  }

  private enum State: Hashable {
    /// Sound comes, or is about to; `heard` is when the last came.
    case open(heard: TimeInterval)
    /// None came since `heard`; the device is opened again at `next`.
    case lost(heard: TimeInterval, next: TimeInterval, delay: TimeInterval)
    case paused
  }

  /// Seconds without a sample after which the device counts as lost.
  static let patience = 2.0
  /// Seconds between the first two attempts to open it again; twice as long each time.
  static let firstDelay = 0.25
  /// Seconds between attempts at the most.
  static let longestDelay = 2.0

  private let sampleRate: Double
  private let isLive: Bool
  private var state: State
  /// The sample time that the next sample should have; nil after the device was opened.
  private var expected: Int64?

  /// - Parameters:
  ///   - sampleRate: in Hz.
  ///   - isLive: whether sound comes all the time as long as the source works.
  ///   - now: when the device was opened.
  init(sampleRate: Int, isLive: Bool = true, now: TimeInterval) {
    self.sampleRate = Double(sampleRate)
    self.isLive = isLive
    state = .open(heard: now)
  }

  /// Sound came.
  /// - Parameters:
  ///   - frames: how much.
  ///   - sampleTime: the place of its first frame on the device's clock; nil if the device has none.
  /// - Returns: nil if it is not to be recorded, else what is missing before it.
  mutating func heard(_ frames: Int64, at sampleTime: Int64?, now: TimeInterval) -> [Action]? {
    switch state {
    case .paused: return nil
    case .lost(let heard, _, _):
      state = .open(heard: now)
      expected = sampleTime.map { $0 + frames }
      // What came was captured just before now.
      return missing(since: heard, now: now, but: frames)
    case .open:
      state = .open(heard: now)
      defer { expected = sampleTime.map { $0 + frames } }
      guard let sampleTime, let expected, sampleTime > expected else { return [] }
      return [.skip(sampleTime - expected, .overrun)]
    }
  }

  /// The device says that it is gone, or could not be opened.
  mutating func failed(now: TimeInterval) -> [Action] {
    guard case .open(let heard) = state else { return [] }
    state = .lost(heard: heard, next: now + Self.firstDelay, delay: Self.firstDelay)
    expected = nil
    return [.reopen]
  }

  /// The device was opened again: it may take its time until it gives sound.
  mutating func opened(now: TimeInterval) {
    guard case .lost(let heard, _, let delay) = state else { return }
    state = .lost(heard: heard, next: now + max(delay, Self.patience), delay: delay)
  }

  /// Time went by.
  mutating func tick(now: TimeInterval) -> [Action] {
    switch state {
    case .open(let heard) where isLive && now - heard >= Self.patience: return failed(now: now)
    case .lost(let heard, let next, let delay) where now >= next:
      let longer = min(delay * 2, Self.longestDelay)
      state = .lost(heard: heard, next: now + longer, delay: longer)
      return [.reopen]
    default: return []
    }
  }

  /// The user pauses: what comes from now on is not recorded.
  /// - Returns: what is missing up to now.
  mutating func pause(now: TimeInterval) -> [Action] {
    defer { state = .paused }
    switch state {
    case .paused: return []
    case .open: return [.skip(0, .paused)]
    case .lost(let heard, _, _): return missing(since: heard, now: now) + [.skip(0, .paused)]
    }
  }

  /// The user goes on.
  mutating func resume(now: TimeInterval) {
    guard state == .paused else { return }
    state = .open(heard: now)
    expected = nil
  }

  /// The recording ends.
  /// - Returns: what is missing up to now.
  func ended(now: TimeInterval) -> [Action] {
    guard case .lost(let heard, _, _) = state else { return [] }
    return missing(since: heard, now: now)
  }

  private func missing(since heard: TimeInterval, now: TimeInterval, but frames: Int64 = 0) -> [Action] {
    guard isLive else { return [] }
    let missing = Int64(((now - heard) * sampleRate).rounded()) - frames
    return missing > 0 ? [.skip(missing, .device)] : []
  }
}
