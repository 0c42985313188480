import Foundation

/// Scores transcripts and texts against references.
public struct Evaluator: Sendable {
  /// The terms to look for; without any, `Clip.terms` is nil.
  public var terms: [String]
  /// What makes the texts comparable.
  public var normalizer: TextNormalizer

  /// Each field by its name.
  public init(terms: [String] = [], normalizer: TextNormalizer = TextNormalizer()) {
    self.terms = terms
    self.normalizer = normalizer
  }

  /// Scores a transcript with the alternatives of its segments.
  ///
  /// - Parameters:
  ///   - name: names the clip in the report.
  ///   - reference: what was said in this one recording, whatever its files are called. Words in the middle of one of
  ///     its ignored stretches are not scored.
  ///   - transcript: what was written down.
  ///   - processingSeconds: how long that took, where it was measured.
  public func clip(
    name: String, reference: ScoredText, transcript: Transcript, processingSeconds: TimeInterval? = nil
  ) -> EvaluationReport.Clip {
    let wanted = normalizer.words(in: reference.text)
    let lattice = transcript.segments.map { segment in
      segment.candidates.map { words(of: $0, without: reference.ignored) }
    }
    let chosen = zip(transcript.segments, lattice).flatMap { $1[$0.selection.index] }
    let rate = WordErrorRate(reference: wanted, hypothesis: chosen)
    let isFirst = transcript.segments.allSatisfy { $0.selection.index == 0 }
    let first = isFirst ? rate : WordErrorRate(reference: wanted, hypothesis: lattice.flatMap { $0[0] })
    // A second text has no times, so that nothing that is ignored can be taken out of it.
    let normalized =
      reference.ignored.isEmpty ? transcript.normalized.map { normalizer.words(in: $0.text) } : nil
    return EvaluationReport.Clip(
      name: name, wordErrorRate: rate, firstChoice: first,
      oracle: WordLattice(segments: lattice).wordErrorRate(reference: wanted),
      normalized: normalized.map { WordErrorRate(reference: wanted, hypothesis: $0) },
      terms: score(wanted, chosen), normalizedTerms: normalized.flatMap { score(wanted, $0) },
      audioSeconds: transcript.duration, processingSeconds: processingSeconds)
  }

  /// Scores a text against another.
  ///
  /// Where both are `stm` or `ctm` and one of them has several recordings, each recording is a clip; recordings go by
  /// their names, without the ends of sound files (`talk.wav` is `talk`). One that the hypothesis lacks has all
  /// its words missing, one that the reference lacks has all its words invented, unless the reference ignores it.
  /// Otherwise both texts are a clip as a whole. Ignored stretches of an `stm` take out the words of a hypothesis
  /// with times whose middle is in them; a `txt` has no times, so that nothing is taken out.
  ///
  /// - Parameters:
  ///   - reference: what was said.
  ///   - hypothesis: what was written down.
  ///   - name: names the clip in the report where there is only one.
  public func report(reference: ScoredText, hypothesis: ScoredText, name: String = "text") -> EvaluationReport
  {
    let isGrouped =
      reference.format != .txt && hypothesis.format != .txt
      && max(reference.files.count, hypothesis.files.count) > 1
    guard isGrouped else {
      return EvaluationReport(clips: [
        clip(name, reference.utterances, hypothesis, ignored: reference.ignored)
      ])
    }
    let wanted = Dictionary(grouping: reference.utterances) { Self.recording($0.file) }
    let found = Dictionary(grouping: hypothesis.utterances) { Self.recording($0.file) }
    let ignored = Dictionary(grouping: reference.ignored) { Self.recording($0.file) }
    let names = Set(wanted.keys).union(found.keys).union(ignored.keys).sorted()
    return EvaluationReport(
      clips: names.map { name in
        let own = ScoredText(format: hypothesis.format, utterances: found[name] ?? [])
        return clip(name, wanted[name] ?? [], own, ignored: ignored[name] ?? [])
      })
  }

  private func clip(
    _ name: String, _ reference: [ScoredText.Utterance], _ hypothesis: ScoredText,
    ignored: [ScoredText.Utterance]
  ) -> EvaluationReport.Clip {
    let heard = hypothesis.utterances.filter { utterance in
      hypothesis.format == .txt || !Self.isIgnored(utterance.start, utterance.end, ignored)
    }
    let wanted = reference.flatMap { normalizer.words(in: $0.text) }
    let found = heard.flatMap { normalizer.words(in: $0.text) }
    return EvaluationReport.Clip(
      name: name, wordErrorRate: WordErrorRate(reference: wanted, hypothesis: found),
      terms: score(wanted, found))
  }

  private func score(_ reference: [String], _ hypothesis: [String]) -> TermScore? {
    terms.isEmpty
      ? nil : TermScore(terms: terms, reference: reference, hypothesis: hypothesis, normalizer: normalizer)
  }

  private func words(of candidate: Candidate, without ignored: [ScoredText.Utterance]) -> [String] {
    // The text is what is scored; the words are needed only for their times.
    guard !ignored.isEmpty, !candidate.words.isEmpty else { return normalizer.words(in: candidate.text) }
    return candidate.words.filter { !Self.isIgnored($0.start, $0.end, ignored) }
      .flatMap { normalizer.words(in: $0.text) }
  }

  private static func isIgnored(
    _ start: TimeInterval, _ end: TimeInterval, _ ignored: [ScoredText.Utterance]
  ) -> Bool {
    let middle = (start + end) / 2
    return ignored.contains { $0.start <= middle && middle < $0.end }
  }

  /// A recording's name without the end of a sound file.
  private static func recording(_ file: String) -> String {
    let ends: Set = [
      "wav", "flac", "mp3", "m4a", "mp4", "aac", "ogg", "opus", "webm", "mkv", "aif", "aiff", "caf", "sph",
    ]
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex,
      ends.contains(file[file.index(after: dot)...].lowercased())
    else { return file }
    return String(file[..<dot])
  }
}
