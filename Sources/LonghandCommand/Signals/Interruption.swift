import Foundation
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly end: the first asks the work to stop, the second stops the program.
final class Interruption: Sendable {
  private struct State {
    var received: Int32?
    var stop: (@Sendable () -> Void)?
    var sources: Sources?
  }

  /// Keeps the sources alive. Unchecked, but nothing is done with them after they are made.
  private struct Sources: @unchecked Sendable {
    let sources: [any DispatchSourceSignal]
  }
  private let state = Mutex(State())

  /// The signal that asked for the end, if one did.
  var received: Int32? { state.withLock { $0.received } }

  /// Begins to listen. A closed standard output becomes an ordinary error instead of a signal.
  func install() {
    signal(SIGPIPE, SIG_IGN)
    var signals = [SIGINT, SIGTERM]
    // Whoever started the program with `nohup` wants it to outlive the terminal.
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

  /// What the first signal calls; at once, when it came already.
  func onSignal(_ stop: @escaping @Sendable () -> Void) {
    let cameAlready = state.withLock { state in
      state.stop = stop
      return state.received != nil
    }
    if cameAlready { stop() }
  }

  private func receive(_ number: Int32) {
    let (isFirst, stop) = state.withLock { state in
      let isFirst = state.received == nil
      if isFirst { state.received = number }
      return (isFirst, state.stop)
    }
    if isFirst {
      stop?()
    } else {
      TemporaryFiles.removeAll()
      _exit(ExitStatus.ended(by: number))
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let previous = signal(number, SIG_DFL)
    signal(number, previous)
    return unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
