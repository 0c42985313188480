import Foundation
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP: the first signal stops the work in good order, the second ends the program.
final class Interruption: Sendable {
  /// Signals that follow each other so closely are one: `timeout` sends each signal to the process and to its group.
  private static let repetition = Duration.milliseconds(40)

  private struct State {
    var received: Int32?
    var time: ContinuousClock.Instant?
    var stop: (@Sendable () -> Void)?
    var sources: Sources?
  }

  /// Keeps the sources alive. Unchecked, because `DispatchSourceSignal` is not `Sendable`; nothing uses the sources
  /// after they are created.
  private struct Sources: @unchecked Sendable {
    let sources: [any DispatchSourceSignal]
  }
  private let state = Mutex(State())

  /// The first signal, if one was received.
  var received: Int32? { state.withLock { $0.received } }

  /// Installs the handlers. A closed standard output then causes an error instead of SIGPIPE.
  func install() {
    signal(SIGPIPE, SIG_IGN)
    var signals = [SIGINT, SIGTERM]
    // `nohup` ignores SIGHUP so that the program survives the terminal.
    if !Self.isIgnored(SIGHUP) { signals.append(SIGHUP) }
    let queue = DispatchQueue(label: "longhand.signals")
    let sources = Sources(
      sources: signals.map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { [self] in receive(number) }
        source.resume()
        return source
      })
    state.withLock { $0.sources = sources }
  }

  /// Sets what the first signal calls. If a signal was received already, calls it now.
  func onSignal(_ stop: @escaping @Sendable () -> Void) {
    let wasReceived = state.withLock { state in
      state.stop = stop
      return state.received != nil
    }
    if wasReceived { stop() }
  }

  private func receive(_ number: Int32) {
    let now = ContinuousClock.now
    let (isFirst, isRepeated, stop) = state.withLock { state in
      let isFirst = state.received == nil
      if isFirst { (state.received, state.time) = (number, now) }
      let isRepeated = state.time.map { now - $0 < Self.repetition } ?? false
      return (isFirst, isRepeated, state.stop)
    }
    if isFirst {
      // On another thread: stopping may wait for the disk, and the next signal must not wait for that.
      if let stop { DispatchQueue.global().async { stop() } }
    } else if !isRepeated {
      TemporaryFiles.removeAll()
      Self.lastAction.withLock { $0 }?()
      Self.writeLastLine()
      _exit(ExitStatus.ended(by: number))
    }
  }

  private static let lastAction = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what a second signal does before it ends the program.
  static func setLastAction(_ action: (@Sendable () -> Void)?) { lastAction.withLock { $0 = action } }

  private static let lastLine = Mutex<String?>(nil)

  /// Sets the line that a second signal writes to standard error before it ends the program.
  static func setLastLine(_ line: String?) { lastLine.withLock { $0 = line } }

  /// Writes past `StandardError`, whose lock a thread may hold that waits for the terminal.
  private static func writeLastLine() {
    guard let line = lastLine.withLock({ $0 }) else { return }
    // Carriage return, then erase to the end of the line: a status line may be there.
    let bytes = Array(((isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : "") + line + "\n").utf8)
    var waiting = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if poll(&waiting, 1, 100) > 0 { _ = write(STDERR_FILENO, bytes, bytes.count) }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let previous = signal(number, SIG_DFL)
    signal(number, previous)
    return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
