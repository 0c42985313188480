import Foundation
import LanguageModeling
import LonghandTranscripts
import SentenceFormatting

/// Finds out whether a quote was said, by the alignment and the rules of `TextAudit`.
package struct QuoteCheck: Sendable {
  /// What the evidence says of a quote, the best first.
  package enum Verdict: String, Sendable, CaseIterable, Comparable {
    /// Its words were recognized, whatever their marks, capitals and numbers.
    case said
    /// It may have been said: the recognizer is not sure where they differ, or of its words.
    case unclear = "not-heard-clearly"
    /// Other words were recognized in a passage that is mostly the same.
    case heardOtherwise = "heard-otherwise"
    /// No passage is like it.
    case notSaid = "not-said"

    package static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// Where a quote and a passage differ.
  package struct Difference: Sendable, Equatable {
    /// The words of the quote; empty if it leaves some out.
    package var quoted: String
    /// What was recognized; empty if nothing was.
    package var heard: String
    package var verdict: Verdict
    /// Seconds from the start of the audio.
    package var start: TimeInterval
    /// Seconds from the start of the audio.
    package var end: TimeInterval
    /// How sure the recognizer is of its words, 0 to 1.
    package var confidence: Double?
    /// Why, in words.
    package var reason: String
  }

  /// A passage that is like a quote.
  package struct Place: Sendable, Equatable {
    package var verdict: Verdict
    /// The keys of its segments, in order; never empty.
    package var segments: [Int]
    /// Seconds from the start of the audio.
    package var start: TimeInterval
    /// Seconds from the start of the audio.
    package var end: TimeInterval
    /// The words that were recognized.
    package var heard: String
    /// The IDs of the speakers that are known, each once.
    package var speakers: [String]
    /// The mean confidence of its words, 0 to 1.
    package var confidence: Double?
    package var differences: [Difference]
    /// The share of the quote that is in it, 0 to 1.
    package var share: Double
  }

  private enum Limit {
    /// The share of a quote that a passage has at least, by letters. With half of it, common words alone made passages of other
    /// recordings like a quote.
    static let share = 0.6
    /// The share of the words that may be missing before it is looked at what sounds alike.
    static let missing = 0.7
    /// As in `TextAudit`: the confidence from which a word contradicts the quote, and that from which words were said.
    static let contradiction = 0.8
    static let speech = 0.6
  }

  /// The words of the quote. Writing without spaces has a word for each character.
  private let words: [ClaimedText.Word]
  /// The words before which the quote says that it leaves something out.
  private let omissions: Set<Int>

  /// - Parameter quote: as it is written, with marks or without.
  package init(_ quote: String) {
    var (words, omissions): ([ClaimedText.Word], Set<Int>) = ([], [])
    let plain = quote.replacing("...", with: "…").replacing("…", with: " … ")
    for word in plain.split(whereSeparator: \.isWhitespace).flatMap({ String($0).unspacedParts }) {
      // "&" and "%" are words in English.
      if TextComparison.spoken.words(in: word).isEmpty {
        if word.contains("…") { omissions.insert(words.count) }
      } else {
        words.append(.init(text: word))
      }
    }
    (self.words, self.omissions) = (words, omissions)
  }

  /// Whether there are no words.
  package var isEmpty: Bool { words.isEmpty }
  /// The number of words, or of characters in writing without spaces.
  package var count: Int { words.count }

  /// The passages of segments that follow each other and are like the quote, the best first.
  /// - Parameters:
  ///   - segments: with their speakers.
  ///   - spans: what became of the audio.
  ///   - locale: the language of segments that have none of their own.
  package func places(in segments: [Segment], _ spans: [CoverageSpan], locale: String) -> [Place] {
    // People on several channels may speak at once.
    let channels = Dictionary(grouping: segments, by: \.channel).values
    return channels.flatMap { segments -> [Place] in
      let text = QuotedText(segments, locale: segments.lazy.compactMap(\.language).first ?? locale)
      let wanted = TextUnit.units(words.map(\.text)[...], text.language)
      let passages = WordAlignment.passages(
        like: wanted.map(\.text), in: text.units.map(\.text), maxCost: Limit.missing)
      return passages.compactMap { place(text.passage($0, like: wanted), in: text, spans, wanted) }
    }.sorted { ($0.verdict, -$0.share, $0.start) < ($1.verdict, -$1.share, $1.start) }
  }

  private func place(
    _ passage: Range<Int>, in text: QuotedText, _ spans: [CoverageSpan], _ wanted: [TextUnit]
  ) -> Place? {
    guard let first = passage.first, let last = passage.last else { return nil }
    let heard = text.words[passage]
    let range = heard[first].word.start...max(heard[first].word.start, heard[last].word.end)
    let transcript = text.transcript(of: passage, spans)
    let claim = ClaimedText(parts: [.init(words: words)])
    let findings = TextAudit(claim, heard: transcript).report().findings.filter {
      !($0.words.isEmpty && omissions.contains($0.words.lowerBound))
    }
    // The share of the letters, so that common short words make no passage.
    let different = findings.filter { !$0.words.isEmpty && !areAlike($0, heard, text.language) }
      .reduce(into: Set<Int>()) { $0.formUnion($1.words) }
    let lost = wanted.reduce(0) { different.isDisjoint(with: $1.owners) ? $0 : $0 + $1.length }
    let share = 1 - lost / max(1, wanted.reduce(0) { $0 + $1.length })
    guard share >= Limit.share else { return nil }
    let differences = findings.map { finding in
      Difference(
        quoted: words[finding.words].map(\.text).joinedWords(),
        heard: heard.dropFirst(finding.heardWords.lowerBound).prefix(finding.heardWords.count)
          .map(\.word.text).joinedWords(),
        verdict: finding.kind.isFinding || leavesOut(finding) ? .heardOtherwise : .unclear,
        start: finding.start, end: finding.end, confidence: finding.confidence,
        reason: leavesOut(finding) ? "the quote leaves this out" : finding.reason)
    }
    let values = heard.compactMap(\.confidence)
    let confidence = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    let isSure = (confidence ?? 1) >= Limit.speech
    return Place(
      verdict: differences.map(\.verdict).max() ?? (isSure ? .said : .unclear),
      segments: heard.map(\.segment.id).eachOnce, start: range.lowerBound, end: range.upperBound,
      heard: heard.map(\.word.text).joinedWords(), speakers: heard.compactMap(\.word.speaker).eachOnce,
      confidence: confidence, differences: differences, share: share)
  }

  /// In a whole text a word more may be a mistake of the recognizer; in a quote it is "not" that was left out.
  private func leavesOut(_ finding: AuditReport.Finding) -> Bool {
    finding.words.isEmpty && finding.confidence ?? 0 >= Limit.contradiction
  }

  private func areAlike(
    _ finding: AuditReport.Finding, _ heard: ArraySlice<QuotedText.Spoken>, _ language: NumberLanguage?
  ) -> Bool {
    let said = heard.dropFirst(finding.heardWords.lowerBound).prefix(finding.heardWords.count)
    return TextUnit.areAlike(
      TextUnit.units(words[finding.words].map(\.text)[...], language)[...],
      TextUnit.units(said.map(\.word.text)[...], language)[...])
  }
}

/// The words of a channel in which quotes are looked for.
private struct QuotedText {
  struct Spoken {
    var word: Word
    var segment: Segment

    /// What a person wrote is sure.
    var confidence: Double? { segment.isCorrected ? 1 : word.confidence }
  }

  let words: [Spoken]
  let units: [TextUnit]
  let language: NumberLanguage?
  private let locale: String

  init(_ segments: [Segment], locale: String) {
    self.locale = locale
    language = NumberLanguage(locale)
    words = segments.flatMap { segment in
      var segment = segment
      for index in segment.candidates.indices {
        segment.candidates[index].words = segment.candidates[index].words.flatMap(\.unspacedParts)
      }
      return segment.words.filter { !$0.isEcho }.map { Spoken(word: $0, segment: segment) }
    }
    units = TextUnit.units(words.map(\.word.text)[...], language)
  }

  /// The words of a passage of units, with as many words before and after them, in the same segments, as the quote has that are
  /// not in it.
  func passage(_ units: Range<Int>, like wanted: [TextUnit]) -> Range<Int> {
    let operations = WordAlignment(passagesOf: wanted.map(\.text), and: self.units[units].map(\.text))
      .operations
    let before = operations.prefix { $0 == .deletion }.count
    let after = operations.reversed().prefix { $0 == .deletion }.count
    func segment(_ unit: Int) -> Int { words[self.units[unit].owners.lowerBound].segment.id }
    var (start, end) = (units.lowerBound, units.upperBound)
    guard start < end else { return 0..<0 }
    let limits = (max(0, start - before), min(self.units.count, end + after))
    while start > limits.0, segment(start - 1) == segment(units.lowerBound) { start -= 1 }
    while end < limits.1, segment(end) == segment(units.upperBound - 1) { end += 1 }
    let (first, last) = (self.units[start].owners, self.units[end - 1].owners)
    return first.lowerBound..<max(first.upperBound, last.upperBound)
  }

  /// A transcript of these words alone, from the word before them to the one after them.
  func transcript(of passage: Range<Int>, _ spans: [CoverageSpan]) -> Transcript {
    let start = passage.lowerBound > 0 ? words[passage.lowerBound - 1].word.end : 0
    let end =
      passage.upperBound < words.count ? words[passage.upperBound].word.start : spans.map(\.end).max() ?? 0
    var segments: [Segment] = []
    for spoken in words[passage] {
      if segments.last?.id != spoken.segment.id {
        var segment = spoken.segment
        segment.candidates[segment.selection.index].words = []
        segments.append(segment)
      }
      let last = segments.count - 1
      segments[last].candidates[segments[last].selection.index].words.append(spoken.word)
    }
    return Transcript(
      source: "", locale: locale, engine: "", duration: end, segments: segments,
      spans: spans.filter { $0.end > start && $0.start < end })
  }
}

extension Word {
  /// The characters of writing without spaces, which share the time of the word.
  var unspacedParts: [Word] {
    let parts = text.unspacedParts
    guard parts.count > 1 else { return [self] }
    return Word.sharing(start, max(start, end), parts).map { part in
      var word = self
      (word.text, word.start, word.end) = (part.text, part.start, part.end)
      return word
    }
  }
}
