import Foundation

/// The seconds of a recording by what became of them. The seven parts add up to its duration.
public struct Coverage: Sendable, Hashable, Codable {
  /// Seconds of speech that is in the transcript.
  public var transcribed: TimeInterval
  /// Seconds without speech.
  public var silent: TimeInterval
  /// Seconds of speech, or of sound if the engine does not detect speech, in which no words were recognized. They are not `silent`.
  public var wordless: TimeInterval
  /// Seconds of sound that is not speech, such as music and noise. They are not `silent`.
  public var nonspeech: TimeInterval
  /// Seconds that the recognizer has not processed yet.
  public var pending: TimeInterval
  /// Seconds of speech on which the recognizer failed.
  public var failed: TimeInterval
  /// Seconds that could not be captured.
  public var gaps: TimeInterval

  package init(
    transcribed: TimeInterval = 0, silent: TimeInterval = 0, wordless: TimeInterval = 0,
    nonspeech: TimeInterval = 0, pending: TimeInterval = 0, failed: TimeInterval = 0, gaps: TimeInterval = 0
  ) {
    self.transcribed = transcribed
    self.silent = silent
    self.wordless = wordless
    self.nonspeech = nonspeech
    self.pending = pending
    self.failed = failed
    self.gaps = gaps
  }

  /// Adds up the seconds of each kind.
  public init(_ spans: [CoverageSpan]) {
    func seconds(_ kind: CoverageSpan.Kind) -> TimeInterval {
      spans.reduce(0) { $1.kind == kind ? $0 + ($1.end - $1.start) : $0 }
    }
    self.init(
      transcribed: seconds(.transcribed), silent: seconds(.silent), wordless: seconds(.wordless),
      nonspeech: seconds(.nonspeech), pending: seconds(.pending), failed: seconds(.failed),
      gaps: seconds(.gap))
  }
}

/// What became of one part of a recording.
public struct CoverageSpan: Sendable, Hashable, Codable {
  /// What became of audio.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Speech that is in the transcript.
    case transcribed
    /// No sound, or next to none.
    case silent
    /// Sound that is not speech, such as music and noise.
    case nonspeech
    /// Speech, or another sound, in which no words were recognized; the reason says which.
    case wordless
    /// The recognizer has not processed it yet.
    case pending
    /// Speech on which the recognizer failed.
    case failed
    /// It could not be captured.
    case gap
  }

  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// What became of it.
  public var kind: Kind
  /// The reason, in words; empty if the kind says everything.
  public var reason: String

  /// A span, in seconds from the start of the audio.
  public init(start: TimeInterval, end: TimeInterval, kind: Kind, reason: String = "") {
    self.start = start
    self.end = end
    self.kind = kind
    self.reason = reason
  }
}

extension CoverageSpan {
  /// A part of a recording about which something is known.
  package typealias Stretch = (range: ClosedRange<TimeInterval>, kind: Kind, reason: String)

  /// Spans that cover a recording, or a part of it, without gaps or overlaps: the known parts, and silence between them.
  /// - Parameters:
  ///   - duration: the end of the last span, in seconds.
  ///   - start: the start of the first span, in seconds.
  ///   - known: in any order; where two overlap, the one that comes first in the list counts.
  package static func all(
    of duration: TimeInterval, from start: TimeInterval = 0, _ known: [Stretch]
  ) -> [CoverageSpan] {
    var spans: [CoverageSpan] = []
    for stretch in known {
      let range = stretch.range.clamped(to: start...max(start, duration))
      // Spans do not overlap, so both their starts and their ends are in order.
      let first = spans.firstIndex(after: range.lowerBound)
      let last = spans[first...].prefix { $0.start < range.upperBound }.endIndex
      let parts = range.parts(outside: Array(spans[first..<last])).map {
        CoverageSpan(start: $0.lowerBound, end: $0.upperBound, kind: stretch.kind, reason: stretch.reason)
      }
      guard !parts.isEmpty else { continue }
      spans.replaceSubrange(first..<last, with: (spans[first..<last] + parts).sorted { $0.start < $1.start })
    }
    var all: [CoverageSpan] = []
    var end = start
    for span in spans {
      if let before = all.last, before.end == span.start, before.kind == span.kind,
        before.reason == span.reason,
        span.kind == .nonspeech
      {
        all[all.count - 1].end = span.end
        end = span.end
        continue
      }
      if span.start > end { all.append(CoverageSpan(start: end, end: span.start, kind: .silent)) }
      all.append(span)
      end = span.end
    }
    if duration > end { all.append(CoverageSpan(start: end, end: duration, kind: .silent)) }
    return all
  }
}

extension [CoverageSpan] {
  /// The index of the first of ordered spans that ends after a time.
  fileprivate func firstIndex(after time: TimeInterval) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The speech without words.
  package var wordless: [ClosedRange<TimeInterval>] {
    filter { $0.kind == .wordless }.map { $0.start...Swift.max($0.start, $0.end) }
  }
}

extension [CoverageSpan.Stretch] {
  /// The speech without words.
  package var wordless: [ClosedRange<TimeInterval>] { filter { $0.kind == .wordless }.map(\.range) }

  /// In the order in which they take precedence: gaps first, then text, which counts even where the recognizer also failed,
  /// then failures, pending audio, speech without words and other sound. The failure on one channel counts where another channel has text.
  package var inOrderOfWeight: [CoverageSpan.Stretch] {
    let kinds: [CoverageSpan.Kind] = [.gap, .transcribed, .failed, .pending, .wordless, .nonspeech, .silent]
    func isOfChannel(_ stretch: CoverageSpan.Stretch) -> Bool {
      stretch.kind == .failed && stretch.reason.hasPrefix("channel ")
    }
    return filter(isOfChannel) + kinds.flatMap { kind in filter { $0.kind == kind && !isOfChannel($0) } }
  }
}

extension ClosedRange<TimeInterval> {
  /// The parts of the range outside of `spans`, in order.
  package func parts(outside spans: [CoverageSpan]) -> [Self] {
    spans.reduce([self]) { parts, span in parts.flatMap { $0.parts(outside: span) } }
      .filter { $0.upperBound > $0.lowerBound }
  }

  private func parts(outside span: CoverageSpan) -> [Self] {
    guard span.start < upperBound, lowerBound < span.end else { return [self] }
    var parts: [Self] = []
    if lowerBound < span.start { parts.append(lowerBound...span.start) }
    if span.end < upperBound { parts.append(span.end...upperBound) }
    return parts
  }
}
