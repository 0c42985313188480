import Foundation
import Synchronization

/// Shows the progress of several inputs, as one line that is redrawn or as JSON lines.
final class ProgressMeter: Sendable {
  /// How progress is shown.
  enum Style: Sendable { case none, line, json }

  /// One JSON line of `--progress json`.
  struct Line: Encodable {
    let type = "progress"
    let input: String
    let processed: TimeInterval
    let duration: TimeInterval
    /// The estimated remaining time in seconds; `null` when there is no estimate yet.
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

  /// Begins the progress of an input.
  func begin(_ index: Int) {
    guard style != .none else { return }
    state.withLock { $0.running[index] = ProgressEstimate() }
  }

  /// Updates the progress of an input. Safe to call from any thread, at any rate.
  func update(_ index: Int, processed: TimeInterval, duration: TimeInterval) {
    guard style != .none else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      var estimate = state.running[index] ?? ProgressEstimate()
      estimate.update(processed: processed, duration: duration, at: now)
      defer { state.running[index] = estimate }
      switch style {
      case .none: break
      case .json:
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

  /// Ends the progress of an input, whether it succeeded or failed.
  func finish(_ index: Int) {
    guard style != .none else { return }
    state.withLock { state in
      state.running[index] = nil
      state.finished += 1
      if style == .line { errors.redraw(state.running.isEmpty ? "" : text(state, at: .now)) }
    }
  }

  /// Removes the progress line, so that the shell's prompt starts on an empty line.
  func clear() { errors.redraw("") }

  /// The progress of the first running input, and how many inputs are done.
  private func text(_ state: State, at now: ContinuousClock.Instant) -> String {
    guard let (index, estimate) = state.running.min(by: { $0.key < $1.key }) else { return "" }
    let count = names.count > 1 ? "\(state.finished + 1) of \(names.count)  " : ""
    return estimate.line(
      PathName.last(of: names[index]).escapingControls, after: count, columns: errors.columns - 1, at: now)
  }
}

extension Double {
  /// The number with at most `places` digits after the point.
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = pow(10, Double(places))
    return (self * factor).rounded() / factor
  }
}
