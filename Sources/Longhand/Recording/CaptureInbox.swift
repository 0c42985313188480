import Foundation

/// What a source has given and the recorder has not taken yet.
///
/// `@unchecked Sendable`: `condition` guards everything that changes.
final class CaptureInbox: @unchecked Sendable {
  /// A thing that the source gave, and when.
  typealias Entry = (sound: CapturedSound, now: TimeInterval)

  /// Bytes that may wait here and for the disk before the source has to; nil if it never waits.
  private let room: Int?
  private let condition = NSCondition()
  private var entries: [Entry] = []
  private var bytes = 0
  /// Bytes that were taken from here and wait for the disk.
  private var behind = 0
  private var holdsUp = true
  private var whenFull: (@Sendable () -> Void)?

  /// - Parameter room: bytes of sound that may wait; nil for a source that must not be held up.
  init(room: Int?) { self.room = room }

  /// Calls `body` from the source's thread, under the lock, each time that it has to wait.
  func onFull(_ body: @escaping @Sendable () -> Void) { condition.withLock { whenFull = body } }

  /// Takes what a source gives. Waits while too much waits, where the source can be held up.
  func put(_ sound: CapturedSound, now: TimeInterval) {
    condition.withLock {
      if isFull { whenFull?() }
      while isFull { condition.wait() }
      if case .samples(let samples, _) = sound { bytes += samples.count }
      entries.append((sound, now))
    }
  }

  /// What came, in order.
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

  /// So many bytes wait for the disk now.
  func wait(for behind: Int) {
    condition.withLock {
      self.behind = behind
      condition.broadcast()
    }
  }

  /// Holds the source up no more, so that it can be ended.
  func letGo() { holdUp(false) }

  /// Holds the source up no more while `body` ends it.
  func letGo(during body: () -> Void) {
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
