import Foundation
import LonghandTranscripts

/// Writes a second text of a transcript, in the spelling of its domain, and lists the names in it. The transcript itself
/// stays as it is.
///
/// Declared corrections come first, then names that the recognizer did not know. If there is a language model, it gets the
/// text with these changes and may change the rest of it: capitals, punctuation, and names that sound alike. It can undo no
/// correction and no name. Its text is used only if it arrives before the deadline and says the same as the transcript.
///
/// ```swift
/// var vocabulary = Vocabulary(name: "chess")
/// vocabulary.corrections = [Vocabulary.Correction(recognized: "when our", text: "Winawer")]
/// vocabulary.entities = ["Benoni"]
/// let normalizer = TranscriptNormalizer(vocabulary)
/// let normalized = await normalizer.normalize("the when our, not the ban on e")
/// print(normalized.text)  // the Winawer, not the Benoni
/// print(normalized.extractedTerms)  // ["Benoni"]
/// ```
public final class TranscriptNormalizer: Sendable {
  /// The instructions for a language model. The corrections of the vocabulary follow.
  public static let instructions = """
    You are given the transcript of speech. Write it with the capitals, the punctuation and the spellings of its \
    domain. Replace words that were misheard for one of the names by that name. Add no word, leave none out and change \
    no other. Then list the names that were said, exactly as they are given.
    """
  /// The most characters of corrections that follow the instructions: a model on a small machine reads slowly.
  private static let maxCorrections = 2_000

  /// What the second text is written by, without the language model.
  package let spellings: Vocabulary
  /// Whether a language model is asked.
  package var hasModel: Bool { model != nil }
  /// How long the language model may take for each chunk of text.
  let deadline: Duration
  private let instructions: String
  private let matcher: EntityMatcher
  /// The number of the matcher's first names that may be extracted.
  private let extractedCount: Int
  private let corrections: CorrectionTable
  private let normalizationGuard: NormalizationGuard
  private let model: (any NormalizationModel)?
  private let clock: any Clock<Duration>
  private let isCommonWord: @Sendable (String) -> Bool
  private let call = DeadlinedCall()

  /// Creates a normalizer without a vocabulary file.
  /// - Parameters:
  ///   - corrections: known mistakes of the recognizer.
  ///   - entities: the names that may be extracted, in their correct spelling.
  ///   - entityIDs: the IDs of names in the reader's database, by the names.
  ///   - terms: further names, in their correct spelling. They are extracted if there are no entities.
  ///   - locale: the language. Names match by their sounds in English, and exactly in other languages, except for capitals.
  ///   - model: a language model; nil for none.
  ///   - deadline: how long the language model may take.
  ///   - clock: measures the deadline.
  ///   - isCommonWord: whether a word, in plain lower-case letters, is common, see `EntityMatcher`.
  public init(
    corrections: [Vocabulary.Correction] = [], entities: [String] = [], entityIDs: [String: String]? = nil,
    terms: [String] = [], locale: Locale = Locale(identifier: "en-US"),
    model: (any NormalizationModel)? = nil,
    deadline: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock(),
    isCommonWord: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    matcher = EntityMatcher(
      entities + terms, comparesSounds: locale.isEnglish, isCommonWord: isCommonWord)
    extractedCount = entities.isEmpty ? terms.count : entities.count
    var spellings = Vocabulary(name: "names")
    spellings.locale = locale.identifier(.bcp47)
    spellings.corrections = corrections
    spellings.entities = entities
    spellings.entityIDs = entityIDs
    spellings.terms = terms.map { Vocabulary.Term(text: $0) }
    self.spellings = spellings
    self.isCommonWord = isCommonWord
    self.corrections = CorrectionTable(corrections)
    instructions = Self.instructions(corrections)
    normalizationGuard = NormalizationGuard(
      matcher: matcher, corrections: corrections, comparesSounds: locale.isEnglish)
    self.model = model
    self.deadline = deadline
    self.clock = clock
  }

  /// Creates a normalizer with the corrections, entities and terms of a vocabulary.
  /// - Parameters:
  ///   - vocabulary: the vocabulary.
  ///   - model: a language model; nil for none.
  ///   - deadline: how long the language model may take.
  ///   - clock: measures the deadline.
  public convenience init(
    _ vocabulary: Vocabulary, model: (any NormalizationModel)? = nil, deadline: Duration = .seconds(30),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      corrections: vocabulary.corrections, entities: vocabulary.entities, entityIDs: vocabulary.entityIDs,
      terms: vocabulary.terms.map(\.text), locale: Locale(identifier: vocabulary.locale), model: model,
      deadline: deadline, clock: clock)
  }

  /// The same normalizer, which extracts only these names. Its other names are still written in their spelling.
  /// - Parameters:
  ///   - names: names in the spelling of the reader's database; empty to change nothing.
  ///   - ids: their IDs there, by the names.
  public func extracting(_ names: [String], ids: [String: String]? = nil) -> TranscriptNormalizer {
    guard !names.isEmpty else { return self }
    let known = Set(names)
    let others = (spellings.entities + spellings.terms.map(\.text)).filter { !known.contains($0) }
    return TranscriptNormalizer(
      corrections: spellings.corrections, entities: names, entityIDs: ids, terms: others,
      locale: Locale(identifier: spellings.locale), model: model, deadline: deadline, clock: clock,
      isCommonWord: isCommonWord)
  }

  /// Waits as long as the language model may take for one chunk of text.
  package func waitForDeadline() async throws { try await clock.sleep(for: deadline) }

  /// Normalizes with the vocabulary alone, without a language model.
  public func normalizeLocally(_ text: String) -> NormalizedTranscript {
    normalizeLocally([text], isForeign: [])
  }

  /// Normalizes with the vocabulary alone, without a language model.
  /// - Parameter language: the language of the text (BCP 47); nil for that of the vocabulary.
  package func normalizeLocally(_ text: String, language: String?) -> NormalizedTranscript {
    normalizeLocally([text], isForeign: Self.areForeign([language]))
  }

  /// - Parameter isForeign: for each text whether it is in another language than English; empty if none is.
  private func normalizeLocally(_ texts: [String], isForeign: [Bool]) -> NormalizedTranscript {
    var edits = TextEdits(texts.joined(separator: " "))
    corrections.correct(&edits)
    let corrected = edits.applied()
    let matches = matcher.matches(
      in: SpokenText(corrected.text), foreign: Self.foreign(texts, isForeign, in: corrected.spans))
    for match in matches { apply(match, corrected.spans, &edits) }
    let (result, spans) = edits.applied()
    return NormalizedTranscript(
      text: result, occurrences: occurrences(of: matches, through: corrected.spans), spans: spans)
  }

  /// Normalizes with the vocabulary and, if there is one, the language model.
  /// - Parameter text: the text of a transcript. If it is too long for the model, it is cut between words.
  public func normalize(_ text: String) async -> NormalizedTranscript { await normalize(segments: [text]) }

  /// Normalizes with the vocabulary and, if there is one, the language model.
  ///
  /// A text that is too long for the model is cut between segments, and the model gets the last words before each chunk.
  /// The deadline counts for each chunk. Where the model gives no usable answer, the text of the vocabulary is used.
  /// - Parameters:
  ///   - texts: the texts of the segments, in order. The result's text has a space between them.
  ///   - alternatives: what else the recognizer offered for each segment. A name in it may replace words of the segment.
  ///   - progress: called after each chunk with the part of the text that is done, 0 to 1.
  public func normalize(
    segments texts: [String], alternatives: [[String]] = [], progress: @Sendable (Double) -> Void = { _ in }
  ) async -> NormalizedTranscript {
    await normalize(segments: texts, alternatives: alternatives, unsure: [], progress: progress)
  }

  /// - Parameters:
  ///   - unsure: the words of each segment of which the recognizer was unsure. One that sounds like a name may become it.
  ///   - languages: the language of each segment (BCP 47); nil for that of the vocabulary.
  func normalize(
    segments texts: [String], alternatives: [[String]], unsure: [Set<String>], languages: [String?] = [],
    progress: @Sendable (Double) -> Void = { _ in }
  ) async -> NormalizedTranscript {
    let text = texts.joined(separator: " ")
    let isForeign = Self.areForeign(languages)
    let local = normalizeLocally(texts, isForeign: isForeign)
    guard let model, !text.allSatisfy(\.isWhitespace) else { return local }
    let (names, instructions) = (matcher.names, instructions)
    let ends = Self.ends(of: texts, in: local.spans)
    let offered = SegmentAlternatives(
      ends: ends, texts: alternatives, unsure: unsure, isForeign: isForeign, matcher: matcher)
    let chunks = NormalizationChunks(
      local.text, maxBytes: model.maxLength(entities: names, instructions: instructions),
      ends: ends, whole: local.spans.map(\.target))
    var (changes, terms): ([NormalizedTranscript.Span], [String]) = ([], [])
    var hasAnswer = false
    for range in chunks.ranges where !Task.isCancelled {
      let (chunk, context) = (chunks.text(range), chunks.context(range))
      let outcome = await call.run(within: deadline, clock: clock) {
        try await model.normalize(chunk, after: context, entities: names, instructions: instructions)
      }
      if case .returned(let answer) = outcome,
        let more = self.changes(answer, to: chunk, at: range.lowerBound, local.spans, offered)
      {
        changes += more
        terms += answer.extractedTerms
        hasAnswer = true
      }
      progress(Double(range.upperBound) / Double(max(local.text.utf8.count, 1)))
    }
    return hasAnswer ? merged(changes, terms, into: local, of: texts, isForeign) : local
  }

  /// Whether languages are others than English; empty if none is.
  private static func areForeign(_ languages: [String?]) -> [Bool] {
    var known: [String: Bool] = [:]
    let areForeign = languages.map { language in
      guard let language else { return false }
      let isForeign = known[language] ?? !Locale(identifier: language).isEnglish
      known[language] = isForeign
      return isForeign
    }
    return areForeign.contains(true) ? areForeign : []
  }

  /// The ranges of the texts in other languages than English in the text with the replacements, as offsets into its UTF-8.
  private static func foreign(
    _ texts: [String], _ isForeign: [Bool], in spans: [NormalizedTranscript.Span]
  ) -> [Range<Int>] {
    guard !isForeign.isEmpty else { return [] }
    var start = 0
    return zip(ends(of: texts, in: spans), isForeign).compactMap { end, isForeign in
      let range = start..<max(start, end)
      start = range.upperBound
      return isForeign ? range : nil
    }
  }

  /// The ends of the segments in the text with the replacements, as offsets into its UTF-8.
  private static func ends(of texts: [String], in spans: [NormalizedTranscript.Span]) -> [Int] {
    var (end, shift, next) = (-1, 0, 0)
    return texts.map { text in
      end += text.utf8.count + 1
      while next < spans.count, spans[next].source.upperBound <= end {
        shift = spans[next].target.upperBound - spans[next].source.upperBound
        next += 1
      }
      return end + shift
    }
  }

  private static func instructions(_ corrections: [Vocabulary.Correction]) -> String {
    var pairs = ""
    for correction in corrections {
      let pair = "\n\(correction.recognized) → \(correction.text)"
      guard pairs.count + pair.count <= maxCorrections else { break }
      pairs += pair
    }
    return pairs.isEmpty ? instructions : instructions + "\nCorrections that are already made:" + pairs
  }

  /// Replaces the words that match a name, unless a correction wrote exactly these words.
  private func apply(_ match: EntityMatch, _ spans: [NormalizedTranscript.Span], _ edits: inout TextEdits) {
    guard let source = TextEdits.source(of: match.range, through: spans) else { return }
    let name = matcher.names[match.entity]
    let corrected = spans.first { $0.source.overlaps(source) }
    if corrected?.source == source, match.isExact { return }
    guard edits.original(source) != name || corrected != nil else { return }
    let provenance: NormalizedTranscript.Provenance =
      match.isExact ? (corrected == nil ? .exactMatch : .declaredCorrection) : .fuzzyMatch
    edits.replace(
      .init(
        source: source, text: name, provenance: provenance,
        score: provenance == .declaredCorrection ? nil : match.score))
  }

  /// The names to extract among matches in a text that differs from the transcript by `spans`.
  private func occurrences(
    of matches: [EntityMatch], through spans: [NormalizedTranscript.Span]
  ) -> [NormalizedTranscript.Occurrence] {
    matches.filter { $0.entity < extractedCount }.map { match in
      let name = matcher.names[match.entity]
      return .init(
        term: name, source: TextEdits.source(around: match.range, through: spans),
        id: spellings.entityIDs?[name])
    }
  }

  /// The changes that a model made to a chunk; nil if its text does not say the same.
  /// - Parameters:
  ///   - answer: what the model made of `chunk`.
  ///   - chunk: a part of the text of the vocabulary.
  ///   - offset: where the chunk begins.
  ///   - declared: what the vocabulary wrote. It stays.
  ///   - alternatives: what else the recognizer offered, and of which words it was unsure.
  private func changes(
    _ answer: NormalizationModelAnswer, to chunk: String, at offset: Int,
    _ declared: [NormalizedTranscript.Span], _ alternatives: SegmentAlternatives
  ) -> [NormalizedTranscript.Span]? {
    func isDeclared(_ range: Range<Int>) -> Bool { declared.contains { $0.target.overlaps(range) } }
    let source = SpokenText(chunk)
    let target = SpokenText(answer.normalizedText)
    func bytes(_ words: Range<Int>) -> Range<Int> {
      let (first, last) = (source.byteRanges[words.lowerBound], source.byteRanges[words.upperBound - 1])
      return first.lowerBound + offset..<last.upperBound + offset
    }
    guard
      let allowed = normalizationGuard.changes(
        from: source, to: target, isFixed: { isDeclared(bytes($0)) },
        names: { alternatives.names(at: bytes($0)) },
        isUnsure: { alternatives.isUnsure(of: $0.map(source.word), at: bytes($0)) },
        isEnglish: { !alternatives.isForeign(at: bytes($0)) })
    else { return nil }
    let spans = allowed.spans(chunk, source, answer.normalizedText, target).compactMap { span in
      var change = span
      change.source = span.source.lowerBound + offset..<span.source.upperBound + offset
      return isDeclared(change.source) ? nil : change
    }
    // Nothing of what the model wanted is left.
    return spans.isEmpty && !allowed.refused.isEmpty ? nil : spans
  }

  /// The model's changes together with those of the vocabulary.
  /// - Parameters:
  ///   - changes: the model's changes, with their ranges in the text of `local`.
  ///   - terms: what the model extracted.
  ///   - local: the transcript, normalized with the vocabulary.
  ///   - texts: the texts of the segments.
  ///   - isForeign: for each of them whether it is in another language than English; empty if none is.
  private func merged(
    _ changes: [NormalizedTranscript.Span], _ terms: [String], into local: NormalizedTranscript,
    of texts: [String], _ isForeign: [Bool]
  ) -> NormalizedTranscript {
    var edits = TextEdits(texts.joined(separator: " "))
    for span in local.spans {
      edits.replace(
        .init(source: span.source, text: span.text, provenance: span.provenance, score: span.score))
    }
    for change in changes {
      guard let range = TextEdits.source(of: change.source, through: local.spans) else { continue }
      edits.replace(.init(source: range, text: change.text, provenance: .languageModel, score: change.score))
    }
    let (result, spans) = edits.applied()
    let said =
      matcher.names.isEmpty
      ? Self.said(terms, in: SpokenText(result), through: spans)
      : occurrences(
        of: matcher.matches(in: SpokenText(result), foreign: Self.foreign(texts, isForeign, in: spans))
          .filter(\.isExact), through: spans)
    return NormalizedTranscript(
      text: result, occurrences: said.isEmpty ? local.occurrences : said, spans: spans,
      by: .vocabularyAndLanguageModel)
  }

  /// Where the terms occur in a text that differs from the transcript by `spans`.
  private static func said(
    _ terms: [String], in text: SpokenText, through spans: [NormalizedTranscript.Span]
  ) -> [NormalizedTranscript.Occurrence] {
    Set(terms).flatMap { term in
      EntityMatcher([term]).matches(in: text).filter(\.isExact).map { match in
        .init(term: term, source: TextEdits.source(around: match.range, through: spans))
      }
    }.sorted { ($0.source.lowerBound, $0.term) < ($1.source.lowerBound, $1.term) }
  }
}

extension TranscriptNormalizer: Hashable {
  /// Whether both are the same object.
  public static func == (left: TranscriptNormalizer, right: TranscriptNormalizer) -> Bool { left === right }
  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
