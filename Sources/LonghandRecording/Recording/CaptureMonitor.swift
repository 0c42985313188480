import Foundation
import LonghandTranscripts

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
    /// The source is lost, and opening it again would lose the audio that waits in it.
    case wait
  }

  private enum State: Hashable {
    /// The source is open. The last audio came at `lastAudio`, and after `ran` seconds in which the process ran.
    case open(lastAudio: TimeInterval, ran: TimeInterval)
    /// No audio since `lastAudio`. The source is opened again at `next`.
    case lost(lastAudio: TimeInterval, next: TimeInterval, delay: TimeInterval)
    /// The user paused at `since`. `discarded` frames came meanwhile.
    case paused(since: TimeInterval, discarded: Int64 = 0)
  }

  /// Seconds without a sample after which the source counts as lost. Only time in which the process ran counts.
  static let patience = 2.0
  /// The most seconds between two calls while the process runs.
  static let maxStep = 0.6
  /// Seconds between the first two attempts to open the source again. Each further delay is twice as long.
  static let firstDelay = 0.25
  /// The longest delay between two attempts, in seconds.
  static let maxDelay = 2.0
  /// Seconds without audio that a gap may be the consequence of.
  private static let noticeable = 0.5
  /// Seconds of audio after which a source's clock has shown all that is missing: `CaptureClock` compares three periods of
  /// two seconds, and audio may come up to 0.9 seconds late.
  private static let memory = 10.0

  /// Time in which the source delivered nothing although the process ran, and whose gap is still to come.
  private struct Absence: Hashable {
    var seconds = 0.0
    /// Seconds of audio that came since.
    var audio = 0.0
  }

  private let sampleRate: Double
  private let isLive: Bool
  private var state: State
  private var absence: Absence?
  /// Why the source delivers nothing, from when that began until its gap is known.
  private var reason = RecordingGap.Reason.device
  private var running: RunningTime
  /// As `running`, with all of the time until a planned call.
  private var watched: RunningTime
  /// `watched` when the last audio came.
  private var watchedBefore = 0.0
  /// Seconds until the next call that the caller plans.
  var interval = 0.0
  /// The expected sample time of the next sample; nil after the source was opened.
  private var expected: Int64?

  /// - Parameters:
  ///   - sampleRate: in Hz.
  ///   - isLive: whether the source delivers audio all the time while it works.
  ///   - now: the time at which the source was opened.
  init(sampleRate: Int, isLive: Bool = true, now: TimeInterval) {
    self.sampleRate = Double(sampleRate)
    self.isLive = isLive
    running = RunningTime(maxStep: Self.maxStep, now: now)
    watched = running
    state = .open(lastAudio: now, ran: 0)
  }

  /// Audio came.
  /// - Parameters:
  ///   - frames: the number of frames.
  ///   - sampleTime: the position of the first frame on the source's clock; nil if the source has no clock.
  /// - Returns: the gap before the audio, if any; nil if the audio must not be recorded.
  mutating func received(_ frames: Int64, at sampleTime: Int64?, now: TimeInterval) -> [Action]? {
    advance(to: now)
    let (quiet, lost): (TimeInterval, TimeInterval?)
    switch state {
    case .paused(let since, let discarded):
      state = .paused(since: since, discarded: discarded + frames)
      return nil
    case .open: (quiet, lost) = (watched.seconds - watchedBefore, nil)
    case .lost(let lastAudio, _, _): (quiet, lost) = (now - lastAudio, lastAudio)
    }
    state = .open(lastAudio: now, ran: running.seconds)
    watchedBefore = watched.seconds
    note(quiet: quiet, before: Double(frames) / sampleRate)
    defer {
      expected = sampleTime.map { $0 + frames }
      if absence == nil { reason = .device }
    }
    if let sampleTime, let expected {
      // It was not opened again: what it has not lost continues where it ended, however late it comes.
      return sampleTime > expected ? [.skip(sampleTime - expected, explain(sampleTime - expected))] : []
    }
    guard let lost else { return [] }
    absence = nil
    // The audio was captured just before now, so its own length is not missing.
    return missing(since: lost, now: now, but: frames)
  }

  private mutating func advance(to now: TimeInterval) {
    running.advance(to: now)
    watched.advance(to: now, after: interval + Self.maxStep)
  }

  /// Audio of some seconds came after a quiet time, which is longer if the source delivered nothing.
  private mutating func note(quiet: TimeInterval, before audio: TimeInterval) {
    if isLive, quiet - audio >= Self.noticeable {
      absence = Absence(seconds: (absence?.seconds ?? 0) + quiet - audio)
    } else {
      absence?.audio += audio
      if absence?.audio ?? 0 > Self.memory { absence = nil }
    }
  }

  /// The reason of a jump of the source's clock: that of the time before it in which the source delivered nothing, as far
  /// as that is long enough. A source that goes on to deliver has lost what was not read.
  private mutating func explain(_ frames: Int64) -> RecordingGap.Reason {
    let seconds = Double(frames) / sampleRate
    guard let known = absence, seconds <= known.seconds + Self.noticeable else { return .overrun }
    let rest = known.seconds - seconds
    absence = rest >= Self.noticeable ? Absence(seconds: rest, audio: known.audio) : nil
    return reason
  }

  /// The source reported a failure, or could not be opened.
  /// - Parameter isInterrupted: whether something else interrupts it; see `AudioCapture.isInterrupted`.
  mutating func failed(now: TimeInterval, isInterrupted: Bool = false) -> [Action] {
    if isInterrupted { reason = .interrupted }
    return lose(now: now, isHeldUp: false)
  }

  private mutating func lose(now: TimeInterval, isHeldUp: Bool) -> [Action] {
    guard case .open(let lastAudio, _) = state else { return [] }
    let next = now + (isHeldUp ? Self.patience : Self.firstDelay)
    state = .lost(lastAudio: lastAudio, next: next, delay: Self.firstDelay)
    if !isHeldUp { expected = nil }
    return [isHeldUp ? .wait : .reopen]
  }

  /// The source was opened again. It gets some time to deliver its first audio.
  mutating func opened(now: TimeInterval) {
    guard case .lost(let lastAudio, _, let delay) = state else { return }
    state = .lost(lastAudio: lastAudio, next: now + max(delay, Self.patience), delay: delay)
  }

  /// Time has passed.
  /// - Parameters:
  ///   - isHeldUp: whether the source waits for something that does not answer; see `AudioCapture.isHeldUp`.
  ///   - isInterrupted: as in `failed`. The notification of a call may come after the end of the audio.
  mutating func tick(now: TimeInterval, isHeldUp: Bool = false, isInterrupted: Bool = false) -> [Action] {
    advance(to: now)
    if isInterrupted { reason = .interrupted }
    switch state {
    case .open(_, let ran) where isLive && running.seconds - ran > Self.patience - 1e-6:
      return lose(now: now, isHeldUp: isHeldUp)
    case .lost(let lastAudio, _, let delay) where isHeldUp:
      // When it answers again, it gets some time to deliver what waits in it.
      state = .lost(lastAudio: lastAudio, next: now + Self.patience, delay: delay)
      return []
    case .lost(let lastAudio, let next, let delay) where now >= next:
      expected = nil
      let longer = min(delay * 2, Self.maxDelay)
      state = .lost(lastAudio: lastAudio, next: now + longer, delay: longer)
      return [.reopen]
    default: return []
    }
  }

  /// The user pauses: no audio is recorded from now on.
  /// - Returns: the gap up to now, if any.
  mutating func pause(now: TimeInterval) -> [Action] {
    let actions: [Action]
    switch state {
    case .paused: return []
    case .open: actions = []
    case .lost(let lastAudio, _, _): actions = missing(since: lastAudio, now: now)
    }
    state = .paused(since: now)
    (absence, reason) = (nil, .device)
    return actions
  }

  /// Whether the user has paused.
  var isPaused: Bool { if case .paused = state { true } else { false } }

  /// The user continues the recording.
  /// - Returns: the gap of the pause, if there was one.
  mutating func resume(now: TimeInterval) -> [Action] {
    guard isPaused else { return [] }
    let actions = ended(now: now)
    advance(to: now)
    state = .open(lastAudio: now, ran: running.seconds)
    (expected, reason, watchedBefore) = (nil, .device, watched.seconds)
    return actions
  }

  /// The recording ends.
  /// - Returns: the gap up to now, if any.
  func ended(now: TimeInterval) -> [Action] {
    switch state {
    case .open: return []
    case .lost(let lastAudio, _, _): return missing(since: lastAudio, now: now)
    case .paused(let since, let discarded):
      // The samples count the time of a source that is not live.
      return [.skip(isLive ? frames(since: since, now: now) : discarded, .paused)]
    }
  }

  private func frames(since start: TimeInterval, now: TimeInterval) -> Int64 {
    Int64(clamping: (max(0, now - start) * sampleRate).rounded())
  }

  private func missing(since lastAudio: TimeInterval, now: TimeInterval, but frames: Int64 = 0) -> [Action] {
    guard isLive else { return [] }
    let missing = self.frames(since: lastAudio, now: now) - frames
    return missing > 0 ? [.skip(missing, reason)] : []
  }
}
