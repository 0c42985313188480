import Foundation

/// The results of an evaluation, for each clip and in total.
package struct EvaluationReport: Sendable, Hashable {
  /// The results for one recording, or for all.
  package struct Clip: Sendable, Hashable {
    /// The name of the recording.
    package var name: String
    /// The errors of the selected candidates.
    package var wordErrorRate: WordErrorRate
    /// The errors of the recognizer's first choices; nil if only a text is known.
    package var firstChoice: WordErrorRate?
    /// The errors of the best possible selection of candidates; nil if only a text is known.
    package var oracle: WordErrorRate?
    /// The errors of the normalized text; nil if there is none.
    package var normalized: WordErrorRate?
    /// The score of the terms; nil if no terms were given.
    package var terms: TermScore?
    /// The score of the terms in the normalized text; nil if there is no such text or no terms were given.
    package var normalizedTerms: TermScore?
    /// The length of the audio in seconds; nil if it is not known.
    package var audioSeconds: TimeInterval?
    /// The time that the transcription took, in seconds; nil if it was not measured.
    package var processingSeconds: TimeInterval?

    /// Creates results from figures that are known.
    package init(
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

    /// `processingSeconds / audioSeconds`: below 1 is faster than real time. Nil if one of them is not known, or if there
    /// is no audio.
    package var realTimeFactor: Double? {
      guard let audioSeconds, let processingSeconds, audioSeconds > 0 else { return nil }
      return processingSeconds / audioSeconds
    }
  }

  /// The clips, in the order of the manifest.
  package var clips: [Clip]
  /// The names of the clips with more errors than in the baseline; nil before `compare(with:)` is called.
  package var madeWorse: [String]?

  /// Creates a report of these clips.
  package init(clips: [Clip]) { self.clips = clips }

  /// The sum of all clips, named `total`. A figure that is missing for one clip is nil, because the sum would not cover
  /// all clips.
  package var total: Clip {
    Clip(
      name: "total", wordErrorRate: clips.reduce(WordErrorRate()) { $0 + $1.wordErrorRate },
      firstChoice: Self.sum(clips.map(\.firstChoice), +), oracle: Self.sum(clips.map(\.oracle), +),
      normalized: Self.sum(clips.map(\.normalized), +), terms: Self.sum(clips.map(\.terms), +),
      normalizedTerms: Self.sum(clips.map(\.normalizedTerms), +),
      audioSeconds: Self.sum(clips.map(\.audioSeconds), +),
      processingSeconds: Self.sum(clips.map(\.processingSeconds), +))
  }

  /// Sets `madeWorse` to the clips with more errors than the clip of the same name in `baseline`. Clips that are not in the
  /// baseline are not compared. If several clips have the same name, the first is compared with the first, and so on.
  package mutating func compare(with baseline: EvaluationReport) {
    var errors = Dictionary(grouping: baseline.clips, by: \.name).mapValues {
      $0.map(\.wordErrorRate.errors)[...]
    }
    madeWorse = clips.filter { clip in
      guard let before = errors[clip.name]?.popFirst() else { return false }
      return clip.wordErrorRate.errors > before
    }.map(\.name)
  }

  /// The names of the clips with more errors than the recognizer's first choices; nil if these are not known.
  package var madeWorseByReranking: [String]? {
    worse(than: \.firstChoice) { $0.wordErrorRate }
  }

  /// The names of the clips whose normalized text has more errors than the transcript; nil if there is no such text.
  package var madeWorseByNormalization: [String]? {
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

/// The JSON also has `realTimeFactor`; figures that are nil are absent.
extension EvaluationReport.Clip: Codable {
  private enum Derived: String, CodingKey { case realTimeFactor }

  /// Writes the figures and `realTimeFactor`, which is calculated again when they are read.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(wordErrorRate, forKey: .wordErrorRate)
    try container.encodeIfPresent(firstChoice, forKey: .firstChoice)
    try container.encodeIfPresent(oracle, forKey: .oracle)
    try container.encodeIfPresent(normalized, forKey: .normalized)
    try container.encodeIfPresent(terms, forKey: .terms)
    try container.encodeIfPresent(normalizedTerms, forKey: .normalizedTerms)
    try container.encodeIfPresent(audioSeconds, forKey: .audioSeconds)
    try container.encodeIfPresent(processingSeconds, forKey: .processingSeconds)
    var derived = encoder.container(keyedBy: Derived.self)
    try derived.encodeIfPresent(realTimeFactor, forKey: .realTimeFactor)
  }
}
