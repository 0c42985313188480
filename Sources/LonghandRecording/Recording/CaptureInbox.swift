import Foundation

/// Audio that a source has delivered and the recorder has not taken yet.
///
/// It is not a `Mutex`, because a source that is not live waits on the condition.
///
/// `@unchecked Sendable`: `condition` guards everything that changes.
final class CaptureInbox: @unchecked Sendable {
  /// One delivery of the source, its time, and the seconds for which the computer had slept by then.
  typealias Entry = (audio: CapturedAudio, now: TimeInterval, asleep: TimeInterval)

  /// Bytes that may wait, here and for the disk, before the source has to wait; nil if the source never waits.
  private let room: Int?
  private let condition = NSCondition()
  private var entries: [Entry] = []
  private var bytes = 0
  /// Bytes that the recorder has taken and not written yet.
  private var behind = 0
  private var holdsUp = true
  private var whenFull: (@Sendable () -> Void)?
  /// What quiet audio is, if it may wait: up to so many bytes, with samples up to this value.
  private var quiet: (bytes: Int, peak: Float)?
  private var whenDue: (@Sendable () -> Void)?

  /// - Parameter room: bytes of audio that may wait; nil for a source that must never wait.
  init(room: Int?) { self.room = room }

  /// Sets what is called each time the source has to wait: on the source's thread, with the condition locked.
  func onFull(_ body: @escaping @Sendable () -> Void) { condition.withLock { whenFull = body } }

  /// Sets what is called once when something comes that may not wait, after `letWait`: on the source's thread, with the
  /// condition locked.
  func onDue(_ body: @escaping @Sendable () -> Void) { condition.withLock { whenDue = body } }

  /// Lets audio wait that has up to so many bytes, and samples up to `peak` (from 0 to 1); nil to wait for the timer only.
  func letWait(bytes: Int, peak: Float?) { condition.withLock { quiet = peak.map { (bytes, $0) } } }

  /// Adds what the source delivers. Blocks while the inbox is full.
  func put(_ audio: CapturedAudio, now: TimeInterval, asleep: TimeInterval = 0) {
    condition.withLock {
      if isFull { whenFull?() }
      while isFull { condition.wait() }
      if case .samples(let samples, _) = audio { bytes += samples.count }
      entries.append((audio, now, asleep))
      if let quiet, isDue(audio, quiet.bytes, quiet.peak) {
        self.quiet = nil
        whenDue?()
      }
    }
  }

  private func isDue(_ audio: CapturedAudio, _ room: Int, _ peak: Float) -> Bool {
    guard case .samples(let samples, _) = audio else { return true }
    return bytes >= room || RecordingFormat.peak(samples) > peak
  }

  /// Removes and returns all entries, in order.
  func take() -> [Entry] {
    condition.withLock {
      defer {
        entries = []
        behind += bytes
        bytes = 0
      }
      return entries
    }
  }

  /// Sets how many bytes wait for the disk now.
  func wait(for behind: Int) {
    condition.withLock {
      self.behind = behind
      condition.broadcast()
    }
  }

  /// Lets the source continue, so that it can be stopped.
  func release() { holdUp(false) }

  /// Lets the source continue while `body` stops it.
  func release(during body: () -> Void) {
    holdUp(false)
    body()
    holdUp(true)
  }

  private func holdUp(_ holdsUp: Bool) {
    condition.withLock {
      self.holdsUp = holdsUp
      condition.broadcast()
    }
  }

  private var isFull: Bool {
    guard let room, holdsUp else { return false }
    return bytes + behind > room
  }
}
