import Foundation

/// The progress of one input, and an estimate of the remaining time.
struct ProgressEstimate: Sendable {
  /// Seconds of work, and the share of the audio, after which the speed is known. What came first waited for a model to load,
  /// and may be a part of a second.
  private static let evidence = (seconds: 3.0, share: 0.02)

  /// The first progress: when it came, and the seconds of audio.
  private var first: (time: ContinuousClock.Instant, processed: TimeInterval)?
  /// Seconds of audio processed so far.
  private(set) var processed: TimeInterval = 0
  /// Total seconds of audio.
  private(set) var duration: TimeInterval = 0
  /// The last line of `--progress json`: when it was written, and the seconds it reported.
  private var lastLine: (time: ContinuousClock.Instant, processed: TimeInterval)?

  mutating func update(processed: TimeInterval, duration: TimeInterval, at now: ContinuousClock.Instant) {
    if first == nil, processed > 0 { first = (now, processed) }
    self.processed = processed
    self.duration = duration
  }

  /// The remaining time in seconds at the average speed since the first progress; `nil` before the speed is known.
  func remaining(at now: ContinuousClock.Instant) -> TimeInterval? {
    guard let first, duration > 0 else { return nil }
    if processed >= duration { return 0 }
    let (elapsed, done) = ((now - first.time) / .seconds(1), processed - first.processed)
    guard elapsed >= Self.evidence.seconds, done >= Self.evidence.share * duration else { return nil }
    return (duration - processed) * elapsed / done
  }

  /// Whether to write a JSON line: at most twice a second, but always at the end.
  func isWorthALine(at now: ContinuousClock.Instant) -> Bool {
    guard let lastLine else { return true }
    guard processed > lastLine.processed else { return false }
    return processed >= duration || now - lastLine.time >= .milliseconds(500)
  }

  mutating func lineWritten(at now: ContinuousClock.Instant) { lastLine = (now, processed) }

  /// The share that is done, from 0 to 1.
  var done: Double { duration > 0 ? min(1, max(0, processed / duration)) : 0 }

  /// The same in percent.
  private var share: Int { Int(done * 100) }

  /// A summary such as `12:03 of 1:02:00  19%  4:10 left`; before the length is known, that the file is being read.
  func summary(at now: ContinuousClock.Instant) -> String {
    guard duration > 0 else { return "reading the file" }
    var summary = "\(Self.clock(processed)) of \(Self.clock(duration))  \(share)%"
    if let remaining = remaining(at: now) { summary += "  \(Self.clock(remaining)) left" }
    return summary
  }

  /// The line of an input that fits into a terminal: a narrow one has less of the name, and a very narrow one the share only.
  ///
  /// - Parameters:
  ///   - name: the name of the input, which may be long.
  ///   - count: what stands before it, such as `2 of 10  `; may be empty.
  ///   - columns: the width in characters.
  func line(_ name: String, after count: String, columns: Int, at now: ContinuousClock.Instant) -> String {
    let figures = summary(at: now)
    let room = min(32, columns - count.count - figures.count - 2)
    let left = remaining(at: now).map { "  \(Self.clock($0)) left" } ?? ""
    let whole = room >= min(8, name.count) ? ["\(count)\(name.shortened(to: room))  \(figures)"] : []
    return (whole + [count + figures, figures, "\(share)%\(left)"]).first { $0.count <= columns }
      ?? "\(share)%"
  }

  /// A duration such as `0:07`, `12:03` or `1:02:00`.
  static func clock(_ seconds: TimeInterval) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let whole = Int(clamping: seconds)
    let tail = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    if whole < 3600 { return "\(whole / 60):\(tail(whole % 60))" }
    return "\(whole / 3600):\(tail(whole / 60 % 60)):\(tail(whole % 60))"
  }
}

extension String {
  /// The text, or its beginning and its end if it is longer.
  fileprivate func shortened(to length: Int) -> String {
    count > length ? "\(prefix((length - 1) / 2))…\(suffix(length / 2))" : self
  }
}
