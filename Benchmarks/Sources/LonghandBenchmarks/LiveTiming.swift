/// How soon an analyzer told what was said: arithmetic on what was noted, in seconds.
struct LiveTiming {
  /// Some times, and how many of the things that were to be timed had none.
  struct Measured {
    var times: Distribution
    var missing: Int
  }

  /// Seconds by which a word may seem to end after the speech that it is of, while it may still change.
  private static let tolerance = 0.1

  var trace: LiveTrace
  /// Seconds between which each utterance is heard.
  var utterances: [ClosedRange<Double>]

  /// From where the first word of an utterance begins, by the final results, to the first volatile result that has
  /// it. Utterances in which no word was heard at all are `missing` too.
  var firstOfUtterances: Measured { first(in: utterances) }

  /// The same for every stretch that the detector calls speech: those after short pauses too.
  var firstOfStretches: Measured { first(in: trace.speech.filter { !words(in: $0).isEmpty }) }

  /// How long somebody spoke from one volatile result to the next, or to the last word's end, within each stretch of
  /// speech. Only the time of words counts: in a breath there is nothing to tell. The wait for the first result of a
  /// stretch is not among them.
  var gaps: Distribution {
    Distribution(
      trace.speech.flatMap { stretch -> [Double] in
        let words = words(in: stretch)
        guard let onset = words.first?.lowerBound, let end = words.last?.upperBound else { return [] }
        let arrivals = trace.volatiles.filter { $0.arrival < end && $0.heardTo > onset }.map(\.arrival)
        let times = arrivals.filter { $0 > onset } + [end]
        return zip(times, times.dropFirst()).map { Self.seconds(of: words, within: $0...$1) }
      })
  }

  /// From where the detector says that speech ended to the transcriber's final with the last word of it. Speech in
  /// which no word was heard is `missing`.
  var finals: Measured {
    Self.measured(
      trace.speech.map { stretch in
        let last = trace.finals.last { $0.words.contains { stretch.contains(Self.middle(of: $0)) } }
        return last.map { $0.arrival - stretch.upperBound }
      })
  }

  private func first(in ranges: [ClosedRange<Double>]) -> Measured {
    Self.measured(
      ranges.map { range in
        let words = words(in: range)
        guard let onset = words.first?.lowerBound else { return nil }
        let first = trace.volatiles.first { $0.arrival > onset && $0.heardTo > onset }
        // One that has words of what follows came too late: this speech was told by its final.
        guard let first, first.heardTo <= range.upperBound + Self.tolerance else { return nil }
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
