import Foundation

/// Decides when a source counts as lost, when it is opened again, and how much audio is missing: a pure state machine.
/// The callers pass the time, in seconds.
///
/// The samples count the time of the recording. The callers' clock is used only to measure how long a live source
/// delivered nothing. A source that is not live has no such gaps.
struct CaptureMonitor: Sendable {
  /// What the recorder has to do.
  enum Action: Sendable, Hashable {
    /// Insert a gap of this many frames.
    case skip(Int64, RecordingGap.Reason)
    /// Open the source again.
    case reopen
  }

  private enum State: Hashable {
    /// The source is open. The last audio came at `lastAudio`.
    case open(lastAudio: TimeInterval)
    /// No audio since `lastAudio`. The source is opened again at `next`.
    case lost(lastAudio: TimeInterval, next: TimeInterval, delay: TimeInterval)
    case paused
  }

  /// Seconds without a sample after which the source counts as lost.
  static let patience = 2.0
  /// Seconds between the first two attempts to open the source again. Each further delay is twice as long.
  static let firstDelay = 0.25
  /// The longest delay between two attempts, in seconds.
  static let maxDelay = 2.0

  private let sampleRate: Double
  private let isLive: Bool
  private var state: State
  /// The expected sample time of the next sample; nil after the source was opened.
  private var expected: Int64?

  /// - Parameters:
  ///   - sampleRate: in Hz.
  ///   - isLive: whether the source delivers audio all the time while it works.
  ///   - now: the time at which the source was opened.
  init(sampleRate: Int, isLive: Bool = true, now: TimeInterval) {
    self.sampleRate = Double(sampleRate)
    self.isLive = isLive
    state = .open(lastAudio: now)
  }

  /// Audio came.
  /// - Parameters:
  ///   - frames: the number of frames.
  ///   - sampleTime: the position of the first frame on the source's clock; nil if the source has no clock.
  /// - Returns: the gap before the audio, if any; nil if the audio must not be recorded.
  mutating func received(_ frames: Int64, at sampleTime: Int64?, now: TimeInterval) -> [Action]? {
    switch state {
    case .paused: return nil
    case .lost(let lastAudio, _, _):
      state = .open(lastAudio: now)
      expected = sampleTime.map { $0 + frames }
      // The audio was captured just before now, so its own length is not missing.
      return missing(since: lastAudio, now: now, but: frames)
    case .open:
      state = .open(lastAudio: now)
      defer { expected = sampleTime.map { $0 + frames } }
      guard let sampleTime, let expected, sampleTime > expected else { return [] }
      return [.skip(sampleTime - expected, .overrun)]
    }
  }

  /// The source reported a failure, or could not be opened.
  mutating func failed(now: TimeInterval) -> [Action] {
    guard case .open(let lastAudio) = state else { return [] }
    state = .lost(lastAudio: lastAudio, next: now + Self.firstDelay, delay: Self.firstDelay)
    expected = nil
    return [.reopen]
  }

  /// The source was opened again. It gets some time to deliver its first audio.
  mutating func opened(now: TimeInterval) {
    guard case .lost(let lastAudio, _, let delay) = state else { return }
    state = .lost(lastAudio: lastAudio, next: now + max(delay, Self.patience), delay: delay)
  }

  /// Time has passed.
  mutating func tick(now: TimeInterval) -> [Action] {
    switch state {
    case .open(let lastAudio) where isLive && now - lastAudio >= Self.patience: return failed(now: now)
    case .lost(let lastAudio, let next, let delay) where now >= next:
      let longer = min(delay * 2, Self.maxDelay)
      state = .lost(lastAudio: lastAudio, next: now + longer, delay: longer)
      return [.reopen]
    default: return []
    }
  }

  /// The user pauses: no audio is recorded from now on.
  /// - Returns: the gap up to now, if any.
  mutating func pause(now: TimeInterval) -> [Action] {
    defer { state = .paused }
    switch state {
    case .paused: return []
    case .open: return [.skip(0, .paused)]
    case .lost(let lastAudio, _, _): return missing(since: lastAudio, now: now) + [.skip(0, .paused)]
    }
  }

  /// The user continues the recording.
  mutating func resume(now: TimeInterval) {
    guard state == .paused else { return }
    state = .open(lastAudio: now)
    expected = nil
  }

  /// The recording ends.
  /// - Returns: the gap up to now, if any.
  func ended(now: TimeInterval) -> [Action] {
    guard case .lost(let lastAudio, _, _) = state else { return [] }
    return missing(since: lastAudio, now: now)
  }

  private func missing(since lastAudio: TimeInterval, now: TimeInterval, but frames: Int64 = 0) -> [Action] {
    guard isLive else { return [] }
    let missing = Int64(clamping: ((now - lastAudio) * sampleRate).rounded()) - frames
    return missing > 0 ? [.skip(missing, .device)] : []
  }
}
