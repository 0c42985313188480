import Foundation
import Synchronization

/// Shows how far the work on several inputs has come.
final class ProgressMeter: Sendable {
  /// How it is shown.
  enum Style: Sendable { case none, line, json }

  /// One JSON line of `--progress json`.
  struct Line: Encodable {
    let type = "progress"
    let input: String
    let processed: TimeInterval
    let duration: TimeInterval
    /// Seconds of waiting that are left, as far as can be told; `null` when nothing can.
    let remaining: TimeInterval?

    private enum Key: String, CodingKey { case type, input, processed, duration, remaining }

    func encode(to encoder: any Encoder) throws {
      var line = encoder.container(keyedBy: Key.self)
      try line.encode(type, forKey: .type)
      try line.encode(input, forKey: .input)
      try line.encode(processed.rounded(toPlaces: 2), forKey: .processed)
      try line.encode(duration.rounded(toPlaces: 2), forKey: .duration)
      try line.encode(remaining?.rounded(toPlaces: 1), forKey: .remaining)
    }
  }

  private struct State {
    var running: [Int: ProgressEstimate] = [:]
    var finished = 0
    var lastShown: ContinuousClock.Instant?
  }
  private let names: [String]
  private let style: Style
  private let errors: StandardError
  private let state = Mutex(State())

  /// - Parameter names: the inputs, as the user named them.
  init(names: [String], style: Style, errors: StandardError) {
    self.names = names
    self.style = style == .line && !errors.canRedraw ? .none : style
    self.errors = errors
  }

  /// Takes note that the work on an input begins; what is left is told by the time since then.
  func begin(_ index: Int) {
    guard style != .none else { return }
    state.withLock { $0.running[index] = ProgressEstimate(start: .now) }
  }

  /// Takes note of seconds that are done; can be called from any thread, as often as one likes.
  func update(_ index: Int, processed: TimeInterval, duration: TimeInterval) {
    guard style != .none else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      var estimate = state.running[index] ?? ProgressEstimate(start: now)
      estimate.update(processed: processed, duration: duration, at: now)
      defer { state.running[index] = estimate }
      switch style {
      case .none: break
      case .json:
        // Twice a second for an input, and its end in any case.
        guard estimate.isWorthALine(at: now) else { return }
        estimate.lineWritten(at: now)
        errors.line(
          JSONLine.string(
            Line(
              input: names[index], processed: processed, duration: duration,
              remaining: estimate.remaining(at: now))))
      case .line:
        if let last = state.lastShown, now - last < .milliseconds(100) { return }
        state.lastShown = now
        state.running[index] = estimate
        errors.redraw(text(state, at: now))
      }
    }
  }

  /// Takes note that an input needs no more work, whatever became of it.
  func finish(_ index: Int) {
    guard style != .none else { return }
    state.withLock { state in
      state.running[index] = nil
      state.finished += 1
      if style == .line { errors.redraw(state.running.isEmpty ? "" : text(state, at: .now)) }
    }
  }

  /// Takes the line away, so that the shell's prompt stands alone.
  func clear() { errors.redraw("") }

  /// The first of the running inputs stands for all of them.
  private func text(_ state: State, at now: ContinuousClock.Instant) -> String {
    guard let (index, estimate) = state.running.min(by: { $0.key < $1.key }) else { return "" }
    let count = names.count > 1 ? "\(state.finished + 1) of \(names.count)  " : ""
    let name = PathName.last(of: names[index]).escapingControls
    // The figures are what people look for, so it is the name that gives way.
    let short = name.count > 32 ? "\(name.prefix(15))…\(name.suffix(16))" : name
    return "\(count)\(short)  \(estimate.summary(at: now))"
  }
}

extension Double {
  /// The number with at most `places` digits after the point.
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = pow(10, Double(places))
    return (self * factor).rounded() / factor
  }
}
