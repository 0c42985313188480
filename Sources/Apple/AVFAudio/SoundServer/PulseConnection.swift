import CPulse
import Foundation

/// A connection to the sound server, on a thread of libpulse.
///
/// `@unchecked Sendable`: the lock of libpulse's main loop guards everything that changes. It replaces a `Mutex`, because
/// libpulse holds it during every callback. `locked` takes it. Call `shutDown` before the last reference is released, and
/// never from a callback.
final class PulseConnection: @unchecked Sendable {
  /// An event for the owner. `onEvent` is called on the thread of the loop, which holds the lock.
  enum Event {
    case ready, lost, sourceAdded, sourcesChanged
  }

  /// Seconds between two attempts to reconnect: the first delay, and the maximum.
  static let retries = (first: 0.1, max: 1.0)
  /// Seconds that a request may take, including connecting.
  static let timeout = 2.5

  private let address: String?
  private let loop = PulseLoop()
  private var isStarted = false
  private(set) var context: OpaquePointer?
  private var lastError: Int32 = 0
  private var retry: OpaquePointer?
  private var isWatching = false
  private var wasReady = false
  private var nextDelay = retries.first
  var onEvent: ((Event) -> Void)?

  init(address: String?) {
    self.address = address
  }

  /// Ends the thread. After this there are no more callbacks.
  func shutDown() {
    locked {
      onEvent = nil
      isWatching = false
      cancelRetry()
      drop()
    }
    if isStarted { loop.stop() }
  }

  /// Connects, runs `body` and disconnects.
  static func briefly<Value>(
    _ address: String?, _ body: (PulseConnection, pa_usec_t) throws -> Value
  ) throws -> Value {
    let connection = PulseConnection(address: address)
    defer { connection.shutDown() }
    let deadline = Self.deadline
    return try connection.locked {
      try connection.connect(by: deadline)
      return try body(connection, deadline)
    }
  }

  /// The deadline of a request that begins now.
  static var deadline: pa_usec_t { pa_rtclock_now() + pa_usec_t(timeout * 1e6) }

  /// Runs `body` with the lock of the main loop. Do not call it from a callback, where the lock is held already.
  func locked<Value>(_ body: () throws -> Value) rethrows -> Value { try loop.locked(body) }

  /// Seconds that audio may wait while the thread sleeps; see `PulseLoop.nap`. The caller holds the lock.
  var nap: TimeInterval {
    get { loop.nap }
    set { loop.nap = newValue }
  }

  /// Waits until `condition` is true; false if `deadline` passes first. Releases the lock while it waits.
  func wait(by deadline: pa_usec_t, _ condition: () -> Bool) -> Bool {
    let now = pa_rtclock_now()
    let rest = Double(deadline > now ? deadline - now : 0) / 1e6
    let alarm = timer(after: rest, owner) { _, _, _, owner in PulseConnection.at(owner)?.signal() }
    defer { free(alarm) }
    while !condition() {
      guard pa_rtclock_now() < deadline else { return false }
      loop.wait()
    }
    return true
  }

  /// Wakes `wait`, which checks its condition again.
  func signal() { loop.signal() }

  private var isReady: Bool { context.map { pa_context_get_state($0) == PA_CONTEXT_READY } ?? false }

  /// Connects, if not connected yet; throws `PulseError.connection`.
  func connect(by deadline: pa_usec_t) throws {
    if isReady { return }
    if !isStarted {
      loop.start()
      isStarted = true
    }
    if context == nil { open() }
    let mine = context
    let isDone = wait(by: deadline) { context == nil || context != mine || isReady }
    guard !isReady else { return }
    if !isDone, let mine { failed(mine, error: Int32(PA_ERR_TIMEOUT.rawValue)) }
    throw PulseError.connection(lastError)
  }

  /// Call it from a callback: reconnects after the connection was lost, and keeps trying until it succeeds.
  func watch() {
    isWatching = true
    nextDelay = Self.retries.first
  }

  private static func at(_ data: UnsafeMutableRawPointer?) -> PulseConnection? {
    data.map { Unmanaged<PulseConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private var owner: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func open() {
    cancelRetry()
    guard let new = pa_context_new(loop.api, ProcessInfo.processInfo.processName)
    else { return }
    context = new
    pa_context_set_state_callback(new, { PulseConnection.at($1)?.changed($0) }, owner)
    // Do not start a server without being asked.
    if pa_context_connect(new, address, PA_CONTEXT_NOAUTOSPAWN, nil) < 0, context == new {
      failed(new, error: pa_context_errno(new))
    }
  }

  private func changed(_ changed: OpaquePointer?) {
    guard let changed, changed == context else { return }
    switch pa_context_get_state(changed) {
    case PA_CONTEXT_READY:
      isWatching = false
      wasReady = true
      subscribe(changed)
      onEvent?(.ready)
      signal()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: failed(changed, error: pa_context_errno(changed))
    default: break
    }
  }

  private func failed(_ failed: OpaquePointer, error: Int32) {
    guard failed == context else { return }
    lastError = error
    // First, because the stream must end while the connection still exists.
    if wasReady { onEvent?(.lost) }
    wasReady = false
    drop()
    signal()
    guard isWatching else { return }
    retry = timer(after: nextDelay, owner) { _, _, _, owner in PulseConnection.at(owner)?.open() }
    nextDelay = min(nextDelay * 2, Self.retries.max)
  }

  private func drop() {
    guard let context else { return }
    self.context = nil
    pa_context_set_state_callback(context, nil, nil)
    pa_context_set_subscribe_callback(context, nil, nil)
    pa_context_disconnect(context)
    pa_context_unref(context)
  }

  private func subscribe(_ context: OpaquePointer) {
    pa_context_set_subscribe_callback(
      context,
      { _, kind, _, owner in
        let added =
          kind.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue == PA_SUBSCRIPTION_EVENT_NEW.rawValue
          && kind.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
            == PA_SUBSCRIPTION_EVENT_SOURCE.rawValue
        PulseConnection.at(owner)?.onEvent?(added ? .sourceAdded : .sourcesChanged)
      }, owner)
    let mask = PA_SUBSCRIPTION_MASK_SOURCE.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue
    let operation = pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil)
    if let operation { pa_operation_unref(operation) }
  }

  private func timer(
    after seconds: Double, _ owner: UnsafeMutableRawPointer, _ callback: pa_time_event_cb_t
  ) -> OpaquePointer? {
    var time = timeval()
    pa_gettimeofday(&time)
    pa_timeval_add(&time, pa_usec_t(seconds * 1e6))
    let api = loop.api
    return api?.pointee.time_new(api, &time, callback, owner)
  }

  private func free(_ event: OpaquePointer?) {
    if let event { loop.api?.pointee.time_free(event) }
  }

  private func cancelRetry() {
    free(retry)
    retry = nil
  }
}
