/// Computes how soon results arrived, in seconds, from a trace.
struct LiveTiming {
  /// The times, and how many items have no time.
  struct Measured {
    var times: Distribution
    var missing: Int
  }

  /// How many seconds a word in a volatile result may end after its speech.
  private static let tolerance = 0.1

  var trace: LiveTrace
  /// The time range of each utterance in seconds.
  var utterances: [ClosedRange<Double>]

  /// From the start of the first word of an utterance, by the final results, to the first volatile result that has it.
  /// Utterances without recognized words are `missing` too.
  var firstOfUtterances: Measured { first(in: utterances) }

  /// The same for every range that the detector reports as speech, also after short pauses.
  var firstOfStretches: Measured { first(in: trace.speech.map(\.range).filter { !words(in: $0).isEmpty }) }

  /// How much speech lies between two volatile results, or between the last one and the end of the last word, within each
  /// range of speech. Only the time of words counts, not that of breaths. The time to the first result of a range does not
  /// count.
  var gaps: Distribution {
    Distribution(
      trace.speech.map(\.range).flatMap { range -> [Double] in
        let words = words(in: range)
        guard let onset = words.first?.lowerBound, let end = words.last?.upperBound else { return [] }
        let arrivals = trace.volatiles.filter { $0.arrival < end && $0.end > onset }.map(\.arrival)
        let times = arrivals.filter { $0 > onset } + [end]
        return zip(times, times.dropFirst()).map { Self.seconds(of: words, within: $0...$1) }
      })
  }

  /// How many words volatile results show that the one before did not, and how many of them the final text does not have there.
  var shownWords: (all: Int, changed: Int) {
    var (all, changed) = (0, 0)
    var before: [String] = []
    let said = trace.finals.flatMap { zip($0.words, $0.texts) }
    for volatile in trace.volatiles {
      let last = said.filter { range, _ in
        range.upperBound > volatile.start - Self.tolerance && range.lowerBound < volatile.end + Self.tolerance
      }
      let known = zip(volatile.texts, before).prefix { $0 == $1 }.count
      all += volatile.texts.count - known
      for case .remove(let offset, _, _) in last.map(\.1).difference(from: volatile.texts)
      where offset >= known {
        changed += 1
      }
      before = volatile.texts
    }
    return (all, changed)
  }

  /// From the end of speech, by the detector, to the transcriber's final result with the last word of it. Speech without
  /// recognized words is `missing`.
  var finals: Measured { finals(since: { $0.range.upperBound }) }

  /// The same, from when the detector reports the end.
  var finalsAfterPauses: Measured { finals(since: \.arrival) }

  private func finals(since time: (LiveTrace.Speech) -> Double) -> Measured {
    Self.measured(
      trace.speech.map { speech in
        let last = trace.finals.last { $0.words.contains { speech.range.contains(Self.middle(of: $0)) } }
        return last.map { $0.arrival - time(speech) }
      })
  }

  private func first(in ranges: [ClosedRange<Double>]) -> Measured {
    Self.measured(
      ranges.map { range in
        let words = words(in: range)
        guard let onset = words.first?.lowerBound else { return nil }
        let first = trace.volatiles.first { $0.arrival > onset && $0.end > onset }
        // A result with words after this range came too late: the final result came first.
        guard let first, first.end <= range.upperBound + Self.tolerance else { return nil }
        return first.arrival - onset
      })
  }

  private func words(in range: ClosedRange<Double>) -> [ClosedRange<Double>] {
    trace.finals.flatMap(\.words).filter { range.contains(Self.middle(of: $0)) }
  }

  private static func middle(of word: ClosedRange<Double>) -> Double {
    (word.lowerBound + word.upperBound) / 2
  }

  private static func seconds(of words: [ClosedRange<Double>], within time: ClosedRange<Double>) -> Double {
    words.filter(time.overlaps).map { $0.clamped(to: time) }.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  private static func measured(_ times: [Double?]) -> Measured {
    Measured(times: Distribution(times.compactMap { $0 }), missing: times.count(where: { $0 == nil }))
  }
}
