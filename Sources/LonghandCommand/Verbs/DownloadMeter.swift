#if os(Linux)
  import FileSupport
  import Foundation
  import ModelInstallation
  import Synchronization

  /// Shows the progress of an installation, as one line that is redrawn or as JSON lines.
  final class DownloadMeter: Sendable {
    /// One JSON line of `--progress json`.
    private struct Line: Encodable {
      var type = "progress"
      let model: String
      let step: String
      let bytes: Int64
      let total: Int64
    }

    private struct State {
      var estimate = ProgressEstimate()
      var lastShown: ContinuousClock.Instant?
    }

    private let name: String
    private let total: Int64
    private let style: ProgressMeter.Style
    private let errors: StandardError
    private let state = Mutex(State())

    init(_ entry: ModelCatalogue.Entry, style: ProgressMeter.Style, errors: StandardError) {
      name = entry.name
      total = entry.downloadBytes
      self.style = style == .line && !errors.canRedraw ? .none : style
      self.errors = errors
    }

    /// Shows a step of the installation. Safe to call from any thread, at any rate.
    func update(_ step: ModelInstaller.Step) {
      guard style != .none else { return }
      let now = ContinuousClock.now
      state.withLock { state in
        switch step {
        case .downloading(let bytes):
          state.estimate.update(processed: Double(bytes), duration: Double(total), at: now)
          if style == .json {
            guard state.estimate.isWorthALine(at: now) else { return }
            state.estimate.lineWritten(at: now)
            errors.line(JSONLine.string(Line(model: name, step: "downloading", bytes: bytes, total: total)))
          } else {
            if let last = state.lastShown, now - last < .milliseconds(100), bytes < total { return }
            state.lastShown = now
            errors.redraw(text(bytes, state.estimate, now))
          }
        case .checking: show("checking")
        case .unpacking: show("unpacking")
        }
      }
    }

    /// Removes the progress line.
    func clear() { errors.redraw("") }

    private func show(_ step: String) {
      if style == .json {
        errors.line(JSONLine.string(Line(model: name, step: step, bytes: total, total: total)))
      } else {
        errors.redraw("\(name)  \(step)")
      }
    }

    /// A bar, and the figures: `[#####-----]  54 MB of 108 MB  50%  0:21 left`.
    private func text(_ bytes: Int64, _ estimate: ProgressEstimate, _ now: ContinuousClock.Instant) -> String
    {
      let share = Double(bytes) / Double(max(1, total))
      let filled = Int(share * 20)
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: max(0, 20 - filled))
      let left = estimate.remaining(at: now).map { "  \(ProgressEstimate.clock($0)) left" } ?? ""
      let figures =
        "\(bytes.asSize) of \(total.asSize)  \(Int(share * 100))%\(left)"
      // A narrow terminal has no room for the bar.
      return bar.count + figures.count + 5 <= errors.columns ? "[\(bar)]  \(figures)" : figures
    }
  }
#endif
