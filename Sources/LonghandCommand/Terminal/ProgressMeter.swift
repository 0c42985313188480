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
    /// The number of the input, from 1, and how many there are.
    let number: Int
    let count: Int
    let processed: TimeInterval
    let duration: TimeInterval
    /// The estimated remaining time in seconds; `null` when there is no estimate yet.
    let remaining: TimeInterval?
    /// The share of all inputs that is done, from 0 to 1.
    let total: Double

    private enum Key: String, CodingKey {
      case type, input, number, count, processed, duration, remaining, total
    }

    func encode(to encoder: any Encoder) throws {
      var line = encoder.container(keyedBy: Key.self)
      try line.encode(type, forKey: .type)
      try line.encode(input, forKey: .input)
      try line.encode(number, forKey: .number)
      try line.encode(count, forKey: .count)
      try line.encode(processed.rounded(toPlaces: 2), forKey: .processed)
      try line.encode(duration.rounded(toPlaces: 2), forKey: .duration)
      try line.encode(remaining?.rounded(toPlaces: 1), forKey: .remaining)
      try line.encode(total.rounded(toPlaces: 4), forKey: .total)
    }
  }

  private struct State {
    var running: [Int: ProgressEstimate] = [:]
    var finished: Set<Int> = []
    var lastShown: ContinuousClock.Instant?
  }
  private let names: [String]
  /// How much of the whole work each input is, by the size of its file; the sum is 1.
  private let weights: [Double]
  private let style: Style
  private let errors: StandardError
  private let state = Mutex(State())

  /// Inputs that are files, which are the larger a part of the whole the more bytes they have.
  convenience init(inputs: [AudioInput], style: Style, errors: StandardError) {
    self.init(
      names: inputs.map(\.name), sizes: inputs.map { Double(max(1, $0.size)) }, style: style, errors: errors)
  }

  /// - Parameters:
  ///   - names: the inputs, as the user named them.
  ///   - sizes: how much of the work each of them is, in any unit; nil if they are alike.
  init(names: [String], sizes: [Double]? = nil, style: Style, errors: StandardError) {
    self.names = names
    let sizes = sizes ?? names.map { _ in 1 }
    let sum = sizes.reduce(0, +)
    weights = sizes.map { $0 / sum }
    self.style = style == .line && !errors.canRedraw ? .none : style
    self.errors = errors
  }

  /// Begins the progress of an input.
  func begin(_ index: Int) {
    guard style != .none else { return }
    state.withLock { state in
      state.running[index] = ProgressEstimate()
      if style == .line { errors.redraw(text(state, at: .now)) }
    }
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
              input: names[index], number: index + 1, count: names.count, processed: processed,
              duration: duration,
              remaining: estimate.remaining(at: now), total: total(state, with: estimate, of: index))))
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
      state.finished.insert(index)
      if style == .line { errors.redraw(state.running.isEmpty ? "" : text(state, at: .now)) }
    }
  }

  /// Removes the progress line, so that the shell's prompt starts on an empty line.
  func clear() { errors.redraw("") }

  /// The share of all inputs that is done.
  private func total(_ state: State, with estimate: ProgressEstimate, of index: Int) -> Double {
    let running = state.running.merging([index: estimate]) { $1 }
    let begun = running.filter { !state.finished.contains($0.key) }.reduce(0) {
      $0 + weights[$1.key] * $1.value.done
    }
    return min(1, begun + state.finished.reduce(0) { $0 + weights[$1] })
  }

  /// The progress of the first running input, and how many inputs are done.
  private func text(_ state: State, at now: ContinuousClock.Instant) -> String {
    guard let (index, estimate) = state.running.min(by: { $0.key < $1.key }) else { return "" }
    let share = Int(100 * total(state, with: estimate, of: index))
    let count = names.count > 1 ? "\(state.finished.count + 1) of \(names.count), \(share)% of all  " : ""
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
