import Foundation
import Sandboxing
import RecognitionProtocol

/// Reads requests on its own thread: reading blocks, and the end of the client must be noticed while an utterance is
/// decoded.
///
/// `@unchecked Sendable`: `condition` guards `requests` and `waitingSamples`. It is not a `Mutex`, because
/// threads wait on it.
final class RequestInbox: @unchecked Sendable {
  /// Half a minute: enough that the decoder always has audio, and little memory.
  private static let maxWaitingSamples = 30 * 16_000

  private let channel: ServiceChannel
  private let condition = NSCondition()
  private var requests: [ServiceRequest] = []
  private var waitingSamples = 0

  init(channel: ServiceChannel) { self.channel = channel }

  func start() {
    let thread = Thread {
      // Each thread gives up its paths by itself.
      _ = Sandbox.forbidPaths()
      self.read()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// The next request; waits for it.
  func next() -> ServiceRequest {
    condition.lock()
    defer { condition.unlock() }
    while requests.isEmpty { condition.wait() }
    let request = requests.removeFirst()
    if case .audio(let samples) = request { waitingSamples -= samples.count }
    condition.broadcast()
    return request
  }

  /// Whether no request waits.
  var isEmpty: Bool {
    condition.lock()
    defer { condition.unlock() }
    return requests.isEmpty
  }

  private func read() {
    do {
      while true {
        let request: ServiceRequest = try channel.receive()
        condition.lock()
        if case .audio(let samples) = request { waitingSamples += samples.count }
        if request == .abandon { dropUtterances() }
        requests.append(request)
        condition.broadcast()
        while waitingSamples > Self.maxWaitingSamples {
          _ = condition.wait(until: Date(timeIntervalSinceNow: 0.2))
          if channel.isHungUp { _exit(0) }
        }
        condition.unlock()
      }
    } catch {
      // Not `exit`: its handlers would run while the decoder still works on the other thread.
      _exit(0)
    }
  }

  /// Removes the waiting utterances, because the client has abandoned them. `condition` must be locked.
  private func dropUtterances() {
    requests.removeAll { if case .configure = $0 { false } else { true } }
    waitingSamples = 0
  }
}
