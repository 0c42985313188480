import CPocketSphinx
import Foundation
import LanguageModeling
import SpeechServiceProtocol

/// A word of the domain, and how it sounds.
struct DomainTerm {
  var text: String
  var phones: [Int]
}

extension Decoder {
  /// The most words that were written for a term.
  private static let maxRun = 4
  /// The probability of the words in a term's place, at most: a recognizer that does not know a term is seldom sure of others.
  private static let maxProbability = (short: 0.6, long: 0.5)
  /// Terms that are compared with the audio, at most. Each costs an alignment.
  private static let maxTerms = 3
  /// How much worse than the words in its place a term may fit the audio; a term of a long list must fit better. Measured with
  /// 1,000 words that were not said (docs/research-log.md, "Terms of long lists by their sound").
  private static let maxLoss = (short: 1.0, long: -0.5)
  /// The probability of a word that everyday language has so often that it is no term.
  private static let common = 1e-4
  /// Shorter words sound like too much else.
  private static let minLetters = 4

  /// Words in whose place a term may have been said.
  private struct Run {
    var range: Range<Int>
    var phones: [Int]
    var text: String
  }

  /// How little a term may be like the words in its place: its phones, less twice the difference.
  private static let minLikeness: Float = -2

  /// A term in the place of some words.
  private struct Proposal {
    var term: DomainTerm
    var run: Range<Int>
    /// The phones of the term, less twice the difference.
    var likeness: Float
  }

  func terms(in words: [ServiceHypothesis.Word]) throws(DecoderError) -> [ServiceHypothesis] {
    let samples = takeUtterance()
    defer { needsSearch = true }
    let texts = words.map(\.text)
    let proposals = proposals(for: words)
    guard !proposals.isEmpty, let plain = try align(texts, with: samples).score else { return [] }
    let maxLoss = configuration.expectsLongList ? Self.maxLoss.long : Self.maxLoss.short
    var kept: [(proposal: Proposal, score: Double)] = []
    for proposal in proposals {
      let score = try align(Self.text(texts, with: [proposal]), with: samples).score
      if let score, score > plain - maxLoss { kept.append((proposal, score)) }
    }
    var chosen: [Proposal] = []
    for (proposal, _) in kept.sorted(by: { $0.score > $1.score })
    where !chosen.contains(where: { $0.run.overlaps(proposal.run) }) { chosen.append(proposal) }
    guard !chosen.isEmpty else { return [] }
    var found = try align(Self.text(texts, with: chosen), with: samples)
    guard !found.words.isEmpty else { return [] }
    found.source = .domain
    for index in found.words.indices {
      found.words[index].isOfDomain = chosen.contains { $0.term.text == found.words[index].text }
    }
    return [found]
  }

  private static func text(_ texts: [String], with proposals: [Proposal]) -> [String] {
    var texts = texts
    for proposal in proposals.sorted(by: { $0.run.lowerBound > $1.run.lowerBound }) {
      texts.replaceSubrange(proposal.run, with: [proposal.term.text])
    }
    return texts
  }

  /// The terms that sound most like words that another recognizer is unsure of, each in the place where it does.
  private func proposals(for words: [ServiceHypothesis.Word]) -> [Proposal] {
    let spoken = words.map { SpokenForms.all(of: $0.text).first ?? [] }
    let maxProbability = configuration.expectsLongList ? Self.maxProbability.long : Self.maxProbability.short
    var runs: [Run] = []
    for first in words.indices {
      var probability = 1.0
      var phones: [Int] = []
      var text = ""
      for last in first..<min(words.count, first + Self.maxRun) {
        probability *= words[last].confidence ?? 0
        phones += spoken[last].flatMap(self.phones)
        text += spoken[last].joined()
        if probability <= maxProbability {
          runs.append(Run(range: first..<last + 1, phones: phones, text: text))
        }
      }
    }
    guard !runs.isEmpty else { return [] }
    let terms = knownTerms ?? wordsOfDomain()
    knownTerms = terms
    let found = terms.compactMap { nearest(to: $0, among: runs) }
    return Array(
      found.filter { $0.likeness >= Self.minLikeness }.sorted { $0.likeness > $1.likeness }.prefix(
        Self.maxTerms))
  }

  /// The run that sounds most like a term; nil if none is about as long, or if it is the term.
  private func nearest(to term: DomainTerm, among runs: [Run]) -> Proposal? {
    var best: (run: Run, share: Float, likeness: Float)?
    let length = term.phones.count
    for run in runs where run.phones.count * 2 >= length && run.phones.count <= length * 2 {
      let difference = distance(run.phones, term.phones)
      let share = difference / Float(max(run.phones.count, length))
      if share < best?.share ?? .infinity { best = (run, share, Float(length) - 2 * difference) }
    }
    guard let best, best.run.text != term.text else { return nil }
    return Proposal(term: term, run: best.run.range, likeness: best.likeness)
  }

  /// The words of the domain that everyday language seldom has.
  private func wordsOfDomain() -> [DomainTerm] {
    let phrases = configuration.contextualStrings.flatMap { SpokenWords.words(of: $0) }
    var words = Set(phrases)
    if let custom {
      for number in 0..<Int32(ngram_model_get_counts(custom)[0]) {
        if let word = ngram_word(custom, number) { words.insert(String(cString: word)) }
      }
    }
    return words.sorted().filter { $0.count >= Self.minLetters && !$0.hasPrefix("<") && !isCommon($0) }
      .map { DomainTerm(text: $0, phones: phones(of: $0)) }.filter { !$0.phones.isEmpty }
  }

  private func isCommon(_ word: String) -> Bool {
    var used: Int32 = 0
    let number = ngram_wid(general, word)
    guard number != ngram_unknown_wid(general) else { return false }
    return logmath_exp(ps_get_logmath(handle), ngram_ng_prob(general, number, nil, 0, &used)) > Self.common
  }

  private func phones(of word: String) -> [Int] {
    guard isPronounceable(word), let phones = ps_lookup_word(handle, word) else { return [] }
    defer { free(phones) }
    return distance.numbers(of: String(cString: phones))
  }
}
