import CPulse
import Foundation
import Glibc

/// A main loop of libpulse on a thread of its own, as `pa_threaded_mainloop` is, which can also sleep for a while although the
/// server sends audio.
///
/// `@unchecked Sendable`: the lock guards everything that changes. The thread holds it, except while it waits.
final class PulseLoop: @unchecked Sendable {
  private let loop: OpaquePointer
  private let condition = NSCondition()
  private let ended = DispatchSemaphore(value: 0)
  /// Seconds that what the server sends may wait, once everything before it is read. Calls of libpulse end the wait.
  var nap = 0.0

  init() {
    guard let loop = pa_mainloop_new() else { fatalError("no memory for libpulse's main loop") }
    self.loop = loop
    pa_mainloop_set_poll_func(
      loop,
      { entries, count, timeout, owner in
        owner.map { Unmanaged<PulseLoop>.fromOpaque($0).takeUnretainedValue().wait(entries, count, timeout) }
          ?? -1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { pa_mainloop_free(loop) }

  var api: UnsafeMutablePointer<pa_mainloop_api>? { pa_mainloop_get_api(loop) }

  func start() {
    let thread = Thread { [self] in
      condition.lock()
      while pa_mainloop_iterate(loop, 1, nil) >= 0 {}
      condition.unlock()
      ended.signal()
    }
    thread.name = "pulse"
    thread.start()
  }

  /// Ends the thread of a loop that was started. Call it without the lock.
  func stop() {
    locked {
      pa_mainloop_quit(loop, 0)
      pa_mainloop_wakeup(loop)
    }
    ended.wait()
  }

  func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
    condition.lock()
    defer { condition.unlock() }
    return try body()
  }

  /// Waits for `signal()`. The caller holds the lock, which is free meanwhile.
  func wait() { condition.wait() }

  /// Wakes all that wait. The caller holds the lock.
  func signal() { condition.broadcast() }

  /// Waits for input, for `timeout` milliseconds at most; -1 for any time. The first entry is that by which other threads wake
  /// the loop.
  private func wait(_ entries: UnsafeMutablePointer<pollfd>?, _ count: UInt, _ timeout: Int32) -> Int32 {
    let nap = Int32(nap * 1000)
    condition.unlock()
    defer { condition.lock() }
    if nap > 0, timeout != 0, count > 0, poll(entries, count, 0) == 0 { poll(entries, 1, nap) }
    return poll(entries, count, timeout > 0 ? max(0, timeout - nap) : timeout)
  }
}
