import Foundation
import LonghandTranscripts

/// Scores transcripts and texts against reference texts.
///
/// ```swift
/// let evaluator = Evaluator(terms: ["Winawer"])
/// let report = evaluator.report(
///   reference: ScoredText(text: "He played the Winawer."), hypothesis: ScoredText(text: "he played the winner"))
/// print(report.total.wordErrorRate.rate)  // 0.25
/// print(report.total.terms?.recall ?? 1)  // 0.0
/// ```
package struct Evaluator: Sendable {
  /// The terms to count; if it is empty, `Clip.terms` is nil.
  package var terms: [String]
  /// Which differences between two texts are errors.
  package var comparison: TextComparison

  package init(terms: [String] = [], comparison: TextComparison = .spoken) {
    self.terms = terms
    self.comparison = comparison
  }

  /// Scores a transcript and the candidates of its segments.
  ///
  /// - Parameters:
  ///   - name: the name of the clip in the report.
  ///   - reference: the reference text of this recording; the names of its files do not matter. Words with their middle
  ///     in an ignored part are not scored.
  ///   - transcript: the transcript to score.
  ///   - processingSeconds: the time that the transcription took; nil if it was not measured.
  package func clip(
    name: String, reference: ScoredText, transcript: Transcript, processingSeconds: TimeInterval? = nil
  ) -> EvaluationReport.Clip {
    let wanted = comparison.words(in: reference.text)
    let lattice = transcript.segments.map { segment in
      segment.candidates.map {
        comparison.words(words(of: $0, without: reference.ignored), against: wanted)
      }
    }
    let chosen = zip(transcript.segments, lattice).flatMap { $1[$0.selection.index] }
    let rate = WordErrorRate(reference: wanted, hypothesis: chosen)
    let isFirst = transcript.segments.allSatisfy { $0.selection.index == 0 }
    let first = isFirst ? rate : WordErrorRate(reference: wanted, hypothesis: lattice.flatMap { $0[0] })
    // A normalized text has no times, so ignored parts cannot be removed from it.
    let normalized =
      reference.ignored.isEmpty
      ? transcript.normalized.map { comparison.words(comparison.words(in: $0.text), against: wanted) } : nil
    return EvaluationReport.Clip(
      name: name, wordErrorRate: rate, firstChoice: first,
      oracle: WordLattice(segments: lattice).wordErrorRate(reference: wanted),
      normalized: normalized.map { WordErrorRate(reference: wanted, hypothesis: $0) },
      terms: score(wanted, chosen), normalizedTerms: normalized.flatMap { score(wanted, $0) },
      audioSeconds: transcript.duration, processingSeconds: processingSeconds)
  }

  /// Scores a text against a reference text.
  ///
  /// If both are `stm` or `ctm` and one of them has several recordings, each recording is a clip. Recordings are matched by
  /// name, without the extensions of audio files (`talk.wav` is `talk`). All words of a recording that is missing from the
  /// hypothesis count as deletions; all words of one that is missing from the reference count as insertions, unless the
  /// reference ignores them. Otherwise each text as a whole is the clip. Words with their middle in an ignored part of an
  /// `stm` are not scored; a `txt` has no times, so all its words are scored.
  ///
  /// - Parameters:
  ///   - reference: the correct text.
  ///   - hypothesis: the text to score.
  ///   - name: the name of the clip if there is only one.
  package func report(reference: ScoredText, hypothesis: ScoredText, name: String = "text")
    -> EvaluationReport
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
    let scored = hypothesis.utterances.filter { utterance in
      hypothesis.format == .txt || !Self.isIgnored(utterance.start, utterance.end, ignored)
    }
    // A rule may be about several words, which are one by one in a ctm.
    let wanted = comparison.words(in: reference.map(\.text).joined(separator: " "))
    let said = comparison.words(in: scored.map(\.text).joined(separator: " "))
    let found = comparison.words(said, against: wanted)
    return EvaluationReport.Clip(
      name: name, wordErrorRate: WordErrorRate(reference: wanted, hypothesis: found),
      terms: score(wanted, found))
  }

  private func score(_ reference: [String], _ hypothesis: [String]) -> TermScore? {
    terms.isEmpty
      ? nil
      : TermScore(phrases: terms.map(comparison.words(in:)), reference: reference, hypothesis: hypothesis)
  }

  private func words(of candidate: Candidate, without ignored: [ScoredText.Utterance]) -> [String] {
    // The text is scored; the words are needed only for their times.
    guard !ignored.isEmpty, !candidate.words.isEmpty else { return comparison.words(in: candidate.text) }
    let scored = candidate.words.filter { !Self.isIgnored($0.start, $0.end, ignored) }
    return comparison.words(in: scored.map(\.text).joined(separator: " "))
  }

  private static func isIgnored(
    _ start: TimeInterval, _ end: TimeInterval, _ ignored: [ScoredText.Utterance]
  ) -> Bool {
    let middle = (start + end) / 2
    return ignored.contains { $0.start <= middle && middle < $0.end }
  }

  /// The name of a recording without the extension of an audio file.
  private static func recording(_ file: String) -> String {
    let extensions: Set = [
      "wav", "flac", "mp3", "m4a", "mp4", "aac", "ogg", "opus", "webm", "mkv", "aif", "aiff", "caf", "sph",
    ]
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex,
      extensions.contains(file[file.index(after: dot)...].lowercased())
    else { return file }
    return String(file[..<dot])
  }
}
