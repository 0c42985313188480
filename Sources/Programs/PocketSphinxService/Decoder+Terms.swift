import CPocketSphinx
import Foundation
import LanguageModeling
import RecognitionProtocol

/// A word of the domain, and how it sounds.
struct DomainTerm {
  var text: String
  var phones: [Int]
}

extension Decoder {
  typealias Word = ServiceHypothesis.Word

  /// The most words that were written for a term.
  private static let maxRun = 4
  /// The probability of the words in whose place a term is looked for by its sound, at most.
  private static let maxProbability = 0.9
  /// Terms that are compared with the audio, at most. Each costs an alignment.
  private static let maxTerms = 3
  /// A word with a higher probability in everyday language is not looked for by its sound: other recognizers know it.
  private static let common = 3e-6
  /// How much a term sounds like words of which the other recognizer is not sure, at least, if the utterance is read. Measured on 120
  /// sentences with terms: with 2, one of 125 is lost that is found with -2, with 4 five are; with *tiny.en*, one of 12 with 2.
  private static let likenessToRead: Float = 0
  /// The share of words of the domain from which an utterance is read even if none sounds like an unsure one.
  private static let minShareToRead = 1.0 / 3
  /// Shorter words sound like too much else.
  private static let minLetters = 4

  /// Words in whose place a term may have been said.
  private struct Run {
    var range: Range<Int>
    var phones: [Int]
    var text: String
  }

  /// How little a term may be like the words in its place.
  private static let minLikeness: Float = -2

  /// Words of the domain that may replace some words.
  private struct Proposal {
    var words: [Word]
    var run: Range<Int>
    /// The phones of its words, less twice the difference from those in its place.
    var likeness: Float
    /// Whether it is recognized; otherwise only its sound is known.
    var isRead: Bool

    func isAlike(_ other: Proposal) -> Bool {
      run == other.run && words.map(\.text) == other.words.map(\.text)
    }
  }

  func terms(in words: [Word]) throws(DecoderError) -> [ServiceHypothesis] {
    let samples = takeUtterance()
    defer { needsSearch = true }
    let (alike, likeness) = bySound(in: words)
    var proposals: [Proposal] = []
    if !configuration.expectsLongList, !words.contains(where: { $0.isOfDomain == true }),
      likeness >= Self.likenessToRead || shareOfDomain(in: words) >= Self.minShareToRead
    {
      proposals = ofReading(try reading(of: samples), in: words)
    }
    proposals += alike.filter { new in !proposals.contains { $0.isAlike(new) } }.prefix(Self.maxTerms)
    guard !proposals.isEmpty, let plain = try align(words.map(\.text), with: samples).score else { return [] }
    var (kept, possible): ([(proposal: Proposal, score: Double)], [ServiceHypothesis]) = ([], [])
    for var proposal in proposals {
      var joined: [Word] { Self.joined(words, with: [proposal]) }
      let aligned = try align(joined.map(\.text), with: samples)
      guard let score = aligned.score else { continue }
      let evidence = ReplacementEvidence(
        against: words[proposal.run], gain: score - plain, likeness: proposal.likeness)
      if let probability = probability(of: proposal, in: words, evidence) {
        for index in proposal.words.indices { proposal.words[index].probability = probability }
        kept.append((proposal, score))
      } else if let probability = evidence.probabilityIfHeard {
        for index in proposal.words.indices { proposal.words[index].probability = probability }
        possible.append(ServiceHypothesis(words: Self.timed(joined, as: aligned), confidence: nil))
      }
    }
    var chosen: [Proposal] = []
    for (proposal, _) in kept.sorted(by: { $0.score > $1.score })
    where !chosen.contains(where: { $0.run.overlaps(proposal.run) }) { chosen.append(proposal) }
    guard !chosen.isEmpty else { return possible }
    let joined = Self.joined(words, with: chosen)
    let found = try align(joined.map(\.text), with: samples)
    guard found.words.count == joined.count else { return possible }
    return [ServiceHypothesis(words: Self.timed(joined, as: found), confidence: nil, source: .domain)]
      + possible
  }

  /// The words at the times of an alignment.
  private static func timed(_ words: [Word], as aligned: ServiceHypothesis) -> [Word] {
    zip(words, aligned.words).map { word, place in
      var word = word
      (word.start, word.end) = (place.start, place.end)
      return word
    }
  }

  /// The share of words that are of the domain.
  private func shareOfDomain(in words: some Collection<Word>) -> Double {
    Double(words.count { isOfDomain($0.text.letters) }) / Double(max(1, words.count))
  }

  /// The probability of words of the domain that replace others; nil if the evidence is too little.
  private func probability(
    of proposal: Proposal, in words: [Word], _ evidence: ReplacementEvidence
  ) -> Double? {
    let count = configuration.expectedCount
    guard proposal.isRead else { return evidence.probability(for: .sound(count: count)) }
    let others = words.indices.filter { !proposal.run.contains($0) }.map { words[$0] }
    return evidence.probability(for: .reading(count: count, isInDomain: shareOfDomain(in: others) > 0.5))
  }

  private static func joined(_ words: [Word], with proposals: [Proposal]) -> [Word] {
    var words = words
    for proposal in proposals.sorted(by: { $0.run.lowerBound > $1.run.lowerBound }) {
      words.replaceSubrange(proposal.run, with: proposal.words)
    }
    return words
  }

  /// What PocketSphinx recognizes with the domain; nothing if everyday language explains the utterance as well.
  private func reading(of samples: [Int16]) throws(DecoderError) -> [Word] {
    guard samples.count >= Self.shortest else { return [] }
    try searchByModels()
    try decodeWhole(samples)
    return
      try rankedHypotheses(ofDomainOnly: true) { () throws(DecoderError) in try decodeWhole(samples) }
      .first?.words ?? []
  }

  /// The places where a reading has words of the domain and the text has others.
  private func ofReading(_ reading: [Word], in words: [Word]) -> [Proposal] {
    WordDifference.all(of: words.map(\.text), and: reading.map(\.text)).compactMap { difference in
      let new = Array(reading[difference.others])
      let letters = new.reduce(0) { $0 + ($1.isOfDomain == true ? $1.text.count : 0) }
      guard letters >= Self.minLetters else { return nil }
      let phones = phones(of: new)
      return Proposal(
        words: new, run: difference.words,
        likeness: Float(phones.count) - 2 * distance(self.phones(of: words[difference.words]), phones),
        isRead: true)
    }
  }

  /// The terms that sound most like words that another recognizer is unsure of, each in the place where it does.
  /// - Returns: them, and how much any term sounds like such words.
  private func bySound(in words: [Word]) -> (proposals: [Proposal], likeness: Float) {
    let spoken = words.map(Self.spoken)
    var runs: [Run] = []
    for first in words.indices {
      var probability = 1.0
      var phones: [Int] = []
      var text = ""
      for last in first..<min(words.count, first + Self.maxRun) {
        probability *= words[last].confidence ?? 0
        phones += spoken[last].flatMap(self.phones)
        text += spoken[last].joined()
        let isFound = words[first...last].contains { $0.isOfDomain == true }
        if probability <= Self.maxProbability, !isFound {
          runs.append(Run(range: first..<last + 1, phones: phones, text: text))
        }
      }
    }
    var likeness = -Float.infinity
    guard !runs.isEmpty else { return ([], likeness) }
    let terms = knownTerms ?? wordsOfDomain()
    knownTerms = terms
    let known = Set(terms.map(\.text))
    let found = terms.compactMap { nearest(to: $0, among: runs, of: words, &likeness) }
      .filter { !known.contains($0.run.text) && $0.likeness >= Self.minLikeness }
    let proposals = found.sorted { $0.likeness > $1.likeness }.flatMap { found in
      var word = Word(text: found.term.text, start: 0, end: 0, confidence: nil)
      word.isOfDomain = true
      // The same words may have been written for it elsewhere.
      return runs.filter { $0.phones == found.run.phones }.map { run in
        Proposal(words: [word], run: run.range, likeness: found.likeness, isRead: false)
      }
    }
    return (proposals, likeness)
  }

  /// The run that sounds most like a term, of those in whose place it may be; nil if none is about as long.
  private func nearest(
    to term: DomainTerm, among runs: [Run], of words: [Word], _ most: inout Float
  ) -> (term: DomainTerm, run: Run, likeness: Float)? {
    var best: (run: Run, share: Float, likeness: Float)?
    let length = term.phones.count
    for run in runs where run.phones.count * 2 >= length && run.phones.count <= length * 2 {
      let difference = distance(run.phones, term.phones)
      let share = difference / Float(max(run.phones.count, length))
      let likeness = Float(length) - 2 * difference
      most = max(most, likeness)
      guard share < best?.share ?? .infinity,
        ReplacementEvidence(against: words[run.range], gain: 0, likeness: likeness).canBeEnough
      else { continue }
      best = (run, share, likeness)
    }
    return best.map { (term, $0.run, $0.likeness) }
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

  private static func spoken(_ word: Word) -> [String] { SpokenForms.all(of: word.text).first ?? [] }

  private func phones(of words: some Sequence<Word>) -> [Int] { words.flatMap(Self.spoken).flatMap(phones) }

  private func phones(of word: String) -> [Int] {
    guard isPronounceable(word), let phones = ps_lookup_word(handle, word) else { return [] }
    defer { free(phones) }
    return distance.numbers(of: String(cString: phones))
  }
}
