import Foundation

/// What an evaluation found, clip by clip and in total.
public struct EvaluationReport: Sendable, Hashable {
  /// The figures of one recording, or of all.
  public struct Clip: Sendable, Hashable {
    /// The recording's name.
    public var name: String
    /// The errors of the text that was chosen.
    public var wordErrorRate: WordErrorRate
    /// The errors of the recognizer's own first choices, nil where only a text is known.
    public var firstChoice: WordErrorRate?
    /// The errors of the best choice among the alternatives, nil where only a text is known.
    public var oracle: WordErrorRate?
    /// The errors of the normalized text, nil where there is none.
    public var normalized: WordErrorRate?
    /// The terms that were heard, nil when none were asked for.
    public var terms: TermScore?
    /// The terms of the normalized text, nil where there is none or none were asked for.
    public var normalizedTerms: TermScore?
    /// The length of the audio in seconds, where it is known.
    public var audioSeconds: TimeInterval?
    /// The seconds that it took to transcribe, where they were measured.
    public var processingSeconds: TimeInterval?

    /// Each field by its name.
    public init(
      name: String, wordErrorRate: WordErrorRate, firstChoice: WordErrorRate? = nil,
      oracle: WordErrorRate? = nil, normalized: WordErrorRate? = nil, terms: TermScore? = nil,
      normalizedTerms: TermScore? = nil, audioSeconds: TimeInterval? = nil,
      processingSeconds: TimeInterval? = nil
    ) {
      self.name = name
      self.wordErrorRate = wordErrorRate
      self.firstChoice = firstChoice
      self.oracle = oracle
      self.normalized = normalized
      self.terms = terms
      self.normalizedTerms = normalizedTerms
      self.audioSeconds = audioSeconds
      self.processingSeconds = processingSeconds
    }

    /// `processingSeconds / audioSeconds`: below 1 is faster than the speech. Nil unless both are known and there is
    /// audio.
    public var realTimeFactor: Double? {
      guard let audioSeconds, let processingSeconds, audioSeconds > 0 else { return nil }
      return processingSeconds / audioSeconds
    }
  }

  /// The clips, in the order of the manifest.
  public var clips: [Clip]
  /// The names of the clips with more errors than in the baseline; nil unless `compare(with:)` was called.
  public var madeWorse: [String]?

  /// A report of these clips.
  public init(clips: [Clip]) { self.clips = clips }

  /// All clips as one, named `total`. A figure that not every clip has is nil, since a sum over some of them would not
  /// be one over all.
  public var total: Clip {
    Clip(
      name: "total", wordErrorRate: clips.reduce(WordErrorRate()) { $0 + $1.wordErrorRate },
      firstChoice: Self.sum(clips.map(\.firstChoice), +), oracle: Self.sum(clips.map(\.oracle), +),
      normalized: Self.sum(clips.map(\.normalized), +), terms: Self.sum(clips.map(\.terms), +),
      normalizedTerms: Self.sum(clips.map(\.normalizedTerms), +),
      audioSeconds: Self.sum(clips.map(\.audioSeconds), +),
      processingSeconds: Self.sum(clips.map(\.processingSeconds), +))
  }

  /// Notes which clips have more errors than the clip of the same name in `baseline`. Clips that the baseline does not
  /// have are not compared. Of several clips with one name the first is compared with the first, and so on.
  public mutating func compare(with baseline: EvaluationReport) {
    var errors = Dictionary(grouping: baseline.clips, by: \.name).mapValues {
      $0.map(\.wordErrorRate.errors)[...]
    }
    madeWorse = clips.filter { clip in
      guard let before = errors[clip.name]?.popFirst() else { return false }
      return clip.wordErrorRate.errors > before
    }.map(\.name)
  }

  /// The names of the clips with more errors than the recognizer's own first choices; nil where those are not known.
  public var madeWorseByReranking: [String]? {
    worse(than: \.firstChoice) { $0.wordErrorRate }
  }

  /// The names of the clips whose normalized text has more errors than the transcript; nil where there is none.
  public var madeWorseByNormalization: [String]? {
    worse(than: \.wordErrorRate) { $0.normalized }
  }

  private func worse(
    than before: (Clip) -> WordErrorRate?, _ after: (Clip) -> WordErrorRate?
  ) -> [String]? {
    let known = clips.compactMap { clip in
      before(clip).flatMap { before in after(clip).map { (clip, before, $0) } }
    }
    return known.isEmpty ? nil : known.filter { $2.errors > $1.errors }.map(\.0.name)
  }

  private static func sum<Value>(_ values: [Value?], _ add: (Value, Value) -> Value) -> Value? {
    guard let first = values.first, var sum = first else { return nil }
    for value in values.dropFirst() {
      guard let value else { return nil }
      sum = add(sum, value)
    }
    return sum
  }
}
