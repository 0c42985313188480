import RecognitionProtocol

/// When a model for whole utterances decodes an unfinished one, and from where.
///
/// Every partial decodes from an anchor to the newest audio. When that window is long, the words in it are kept that
/// are shown, all but the last, and the anchor moves: otherwise the processor time would grow with the square of the
/// utterance's length. The time for partials stays below twice that of decoding the utterance once.
package struct PartialPace {
  private static let rate = 16_000.0
  /// The intervals between partial results.
  package struct Settings: Equatable {
    /// Seconds of new audio that the first partial result with words needs. Together with the length of the window the
    /// intervals keep the pace even: with a longer window the budget runs out, and a partial comes after two seconds.
    package var firstInterval = 0.3
    /// Seconds of new audio that the later ones need.
    package var laterInterval = 0.6
    /// Seconds of a window after which the anchor moves.
    package var window = 1.0
    /// Seconds of kept words that stay in the window then, so that no window begins with half a word; they are not shown twice.
    package var overlap = 0.0
    /// Whether a window takes the same time whatever its length is. Then its time counts, and not that of a second of audio.
    package var hasFixedCost = false
  }

  /// Seconds of a window without words after which the anchor moves.
  private static let emptyWindow = 3.0
  /// Seconds of new audio after windows of fixed cost while no word is shown yet.
  private static let retryInterval = 0.2
  /// Windows after which words are kept that are not shown.
  private static let mostWindows = 2.0
  /// Seconds by which the same word may end elsewhere in another window.
  private static let inexactness = 0.4
  /// Seconds before a word that belong to its window.
  private static let lead = 0.1
  private static let share = 2.0
  /// Seconds of audio that are decoded in advance of the budget, so that the first words come early.
  private static let credit = 1.0

  private let settings: Settings
  /// The index of the first sample of the next window.
  package private(set) var anchor = 0
  /// The words before the window.
  package private(set) var kept: [ServiceHypothesis.Word] = []
  private var lastLength = 0
  private var settled = SettledWords()
  private var hasWords = false
  private var spent = 0.0
  /// Seconds that decoding a second, or a window of fixed cost, takes, as measured; 0 before the first measurement.
  private var cost: Double

  /// - Parameters:
  ///   - settings: the intervals.
  ///   - cost: what a second took in the utterance before.
  package init(_ settings: Settings = Settings(), cost: Double = 0) {
    (self.settings, self.cost) = (settings, cost)
  }

  /// What decoding a second takes.
  package var measuredCost: Double { cost }

  /// Whether to decode now.
  /// - Parameter length: the samples of the utterance so far.
  package func isDue(at length: Int) -> Bool {
    let isFirst = settings.hasFixedCost ? lastLength == 0 : kept.isEmpty
    let later = settings.hasFixedCost && !hasWords ? Self.retryInterval : settings.laterInterval
    let needed = isFirst ? settings.firstInterval : later
    guard Double(length - lastLength) >= needed * Self.rate else { return false }
    // The result is late otherwise, and the time of the process is spent on partial results alone.
    if settings.hasFixedCost { return Double(length - lastLength) >= 1.2 * cost * Self.rate }
    let next = cost * Double(length - anchor) / Self.rate
    return spent + next <= Self.share * cost * (Double(length) / Self.rate + Self.credit)
  }

  /// A window was decoded.
  /// - Parameters:
  ///   - words: its words, with times in the utterance.
  ///   - length: the samples of the utterance.
  ///   - seconds: how long it took.
  /// - Returns: the words of the utterance so far that are shown.
  package mutating func add(_ words: [ServiceHypothesis.Word], length: Int, seconds: Double)
    -> [ServiceHypothesis
    .Word]
  {
    let window = Double(length - anchor) / Self.rate
    spent += seconds
    lastLength = length
    if window > 0 {
      let now = settings.hasFixedCost ? seconds : seconds / window
      cost = cost == 0 ? now : 0.7 * cost + 0.3 * now
    }
    let words = Array(words.dropFirst(known(words)))
    let shown = settled.shown(of: kept + words, duration: Double(length) / Self.rate)
    hasWords = hasWords || !shown.isEmpty
    let settledCount = window < Self.mostWindows * settings.window ? shown.count - kept.count : words.count
    let sure = min(settledCount, words.count - 1)
    if window >= settings.window, sure > 0 {
      kept += words[..<sure]
      let end = words[sure - 1].end
      let start = settings.overlap > 0 ? end - settings.overlap : max(words[sure].start - Self.lead, end)
      anchor = max(anchor, min(length, Int(start * Self.rate)))
    } else if words.isEmpty, window >= Self.emptyWindow {
      anchor = max(anchor, length - Int(Self.rate))
    }
    return shown
  }

  /// How many words at the beginning of a window are kept already: those until the last kept word, or, if the window does not
  /// have that, until its end. A window begins within speech, so its first words may be none.
  private func known(_ words: [ServiceHypothesis.Word]) -> Int {
    guard settings.overlap > 0, let last = kept.last else { return 0 }
    let same = words.indices.filter {
      words[$0].text.letters == last.text.letters && abs(words[$0].end - last.end) < Self.inexactness
    }
    let nearest = same.min { abs(words[$0].end - last.end) < abs(words[$1].end - last.end) }
    return nearest.map { $0 + 1 } ?? words.prefix { $0.start + $0.end < 2 * last.end }.count
  }
}
