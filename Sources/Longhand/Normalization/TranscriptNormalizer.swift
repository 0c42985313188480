import Foundation

/// Writes a transcript as its domain does and names what it speaks of, beside the transcript and never in its place.
///
/// There is always an answer: declared corrections first, then names that were misheard; and a language model where
/// there is one, answers in time and stays with what was said.
///
/// ```swift
/// let normalizer = TranscriptNormalizer(vocabulary)
/// let normalized = await normalizer.normalize(transcript.text)
/// print(normalized.text, normalized.extractedTerms)
/// ```
public final class TranscriptNormalizer: Sendable {
  /// What a language model is told, whatever the domain.
  public static let instructions = """
    You are given the transcript of speech. Write it with the capitals, the punctuation and the spellings of its \
    domain. Replace words that were misheard for one of the names by that name. Add no word, leave none out and change \
    no other. Then list the names that were said, exactly as they are given.
    """

  private let matcher: EntityMatcher
  private let corrections: CorrectionTable
  private let normalizationGuard: NormalizationGuard
  private let model: (any NormalizationModel)?
  private let deadline: Duration
  private let clock: any Clock<Duration>
  private let call = DeadlinedCall()

  /// - Parameters:
  ///   - corrections: what is known to be misheard.
  ///   - entities: the names that may be extracted, as they are to be written.
  ///   - model: a language model; nil for none.
  ///   - deadline: how long it may take.
  ///   - clock: what the deadline is told by.
  ///   - isCommonWord: whether a word, in plain lower-case letters, is one that everybody uses, see `EntityMatcher`.
  public init(
    corrections: [Vocabulary.Correction] = [], entities: [String] = [],
    model: (any NormalizationModel)? = nil, deadline: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock(),
    isCommonWord: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    matcher = EntityMatcher(entities, isCommonWord: isCommonWord)
    self.corrections = CorrectionTable(corrections)
    normalizationGuard = NormalizationGuard(matcher: matcher, corrections: corrections)
    self.model = model
    self.deadline = deadline
    self.clock = clock
  }

  /// With a vocabulary's corrections and entities.
  /// - Parameters:
  ///   - model: a language model; nil for none.
  ///   - deadline: how long it may take.
  ///   - clock: what the deadline is told by.
  public convenience init(
    _ vocabulary: Vocabulary, model: (any NormalizationModel)? = nil, deadline: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      corrections: vocabulary.corrections, entities: vocabulary.entities, model: model, deadline: deadline,
      clock: clock)
  }

  /// Normalizes by the vocabulary alone, at once.
  public func normalizeLocally(_ text: String) -> NormalizedTranscript {
    var edits = TextEdits(text)
    corrections.correct(&edits)
    let corrected = edits.applied()
    let matches = matcher.matches(in: corrected.text)
    for match in matches { write(match, corrected.spans, &edits) }
    let (result, spans) = edits.applied()
    return NormalizedTranscript(text: result, extractedTerms: names(of: matches), spans: spans)
  }

  /// Normalizes, with the language model where there is one.
  public func normalize(_ text: String) async -> NormalizedTranscript {
    let local = normalizeLocally(text)
    guard let model, !text.allSatisfy(\.isWhitespace) else { return local }
    let names = matcher.names
    let outcome = await call.run(within: deadline, clock: clock) {
      try await model.normalize(text, entities: names, instructions: Self.instructions)
    }
    guard case .returned(let answer) = outcome else { return local }
    return checked(answer, of: text) ?? local
  }

  /// A name takes the place of the words that were heard for it; where a correction wrote it, that stands.
  private func write(_ match: EntityMatch, _ spans: [NormalizedTranscript.Span], _ edits: inout TextEdits) {
    guard let source = TextEdits.source(of: match.range, through: spans) else { return }
    let name = matcher.names[match.entity]
    let corrected = spans.first { $0.source.overlaps(source) }
    if corrected?.source == source, match.isExact { return }
    guard edits.heard(source) != name || corrected != nil else { return }
    let provenance: NormalizedTranscript.Provenance =
      match.isExact ? (corrected == nil ? .exactMatch : .declaredCorrection) : .fuzzyMatch
    edits.replace(
      .init(
        source: source, text: name, provenance: provenance,
        score: provenance == .declaredCorrection ? nil : match.score))
  }

  private func names(of matches: [EntityMatch]) -> [String] {
    var known: Set<String> = []
    return matches.map { matcher.names[$0.entity] }.filter { known.insert($0).inserted }
  }

  /// What the model wrote, if it stays with the transcript; nil otherwise.
  private func checked(_ answer: NormalizationModelAnswer, of text: String) -> NormalizedTranscript? {
    let heard = SpokenText(text)
    let written = SpokenText(answer.normalizedText)
    guard let replacements = normalizationGuard.replacements(from: heard, to: written) else { return nil }
    let terms =
      matcher.names.isEmpty
      ? Self.said(answer.extractedTerms, in: written)
      : names(of: matcher.matches(in: answer.normalizedText).filter(\.isExact))
    return NormalizedTranscript(
      text: answer.normalizedText, extractedTerms: terms,
      spans: Self.spans(text, heard, answer.normalizedText, written, replacements),
      by: .vocabularyAndLanguageModel)
  }

  /// Of the terms those whose words stand next to each other in the text, in order of appearance, each once.
  private static func said(_ terms: [String], in text: SpokenText) -> [String] {
    var known: Set<String> = []
    return terms.filter { known.insert($0).inserted }
      .compactMap { term in
        EntityMatcher([term]).matches(in: text).first(where: \.isExact).map { (term, $0.range.lowerBound) }
      }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Every place where the model's text differs: the replacements, and between them marks and capitals.
  private static func spans(
    _ text: String, _ heard: SpokenText, _ result: String, _ written: SpokenText,
    _ replacements: [NormalizationGuard.Replacement]
  ) -> [NormalizedTranscript.Span] {
    let old = Array(text.utf8)
    let new = Array(result.utf8)
    var spans: [NormalizedTranscript.Span] = []
    var position = (old: 0, new: 0)
    func add(_ source: Range<Int>, _ target: Range<Int>, _ score: Double?) {
      defer { position = (source.upperBound, target.upperBound) }
      guard old[source] != new[target] else { return }
      spans.append(
        NormalizedTranscript.Span(
          provenance: .languageModel, source: source, target: target,
          heard: String(decoding: old[source], as: UTF8.self),
          text: String(decoding: new[target], as: UTF8.self), score: score))
    }
    var word = (old: 0, new: 0)
    func addWords(upTo end: Int) {
      while word.old < end {
        let (source, target) = (heard.places[word.old], written.places[word.new])
        add(position.old..<source.lowerBound, position.new..<target.lowerBound, nil)
        add(source, target, nil)
        word = (word.old + 1, word.new + 1)
      }
    }
    for replacement in replacements where !replacement.heard.isEmpty && !replacement.written.isEmpty {
      addWords(upTo: replacement.heard.lowerBound)
      let source = heard.places[replacement.heard.lowerBound].lowerBound
      let target = written.places[replacement.written.lowerBound].lowerBound
      add(position.old..<source, position.new..<target, nil)
      add(
        source..<heard.places[replacement.heard.upperBound - 1].upperBound,
        target..<written.places[replacement.written.upperBound - 1].upperBound, replacement.score)
      word = (replacement.heard.upperBound, replacement.written.upperBound)
    }
    addWords(upTo: heard.count)
    add(position.old..<old.count, position.new..<new.count, nil)
    return spans
  }
}
