import CPocketSphinx
import Foundation
import LanguageModeling
import Sandboxing
import RecognitionProtocol

/// A word of the domain, and how it sounds.
struct DomainTerm {
  var text: String
  /// One for each pronunciation.
  var phones: [[Int]]
}

extension Decoder {
  typealias Word = ServiceHypothesis.Word

  /// The most words that were written for a term.
  private static let maxRun = 4
  /// Terms that are compared with the audio, at most. Each costs an alignment.
  private static let maxTerms = 3
  /// A word with a higher probability in everyday language is not looked for by its sound: other recognizers know it.
  private static let common = 3e-6
  /// The share of words of the domain from which an utterance with words in doubt is read as a whole.
  private static let minShareToRead = 1.0 / 3
  /// The share of words of the domain from which most are.
  private static let mostly = 0.5
  /// How many words a reading may replace where the other recognizer is sure of all.
  private static let replaced = 2
  private static let termSearch = "terms"
  /// How likely a term is compared with any sounds, at least, if it is compared with the words in its place.
  private static let leastOfTerm = 1e-20
  /// How many seconds of a word a term must cover to be heard in its place.
  private static let leastOverlap = 0.05
  /// Shorter words sound like too much else.
  private static let minLetters = 4

  /// Words in whose place a term may have been said.
  private struct Run {
    var range: Range<Int>
    var phones: [Int]
    var text: String
  }

  /// Words that are heard again, and their audio.
  private struct Stretch: Equatable {
    /// Words before and after those in doubt, so that the audio does not begin or end with them.
    private static let margin = 2
    /// Samples before the first and after the last word, if nothing else is said there.
    private static let pause = 3_200
    /// The share of an utterance from which it is heard as a whole.
    private static let most = 0.7

    var words: Range<Int>
    var samples: Range<Int>
    /// Seconds of the utterance before it.
    var start: Double { Double(samples.lowerBound) / 16_000 }

    /// The stretches around some places, in order and apart from each other; the whole utterance if they are most of it.
    static func all(around places: [Range<Int>], of words: [Word], _ whole: Stretch) -> [Stretch] {
      let count = whole.samples.count
      var ranges: [Range<Int>] = []
      for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        let wide = max(0, place.lowerBound - margin)..<min(words.count, place.upperBound + margin)
        if let last = ranges.last, last.upperBound >= wide.lowerBound {
          ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, wide.upperBound)
        } else {
          ranges.append(wide)
        }
      }
      let found = ranges.map { Stretch(words: $0, samples: samples(of: $0, in: words, count)) }
      let heard = found.reduce(0) { $0 + $1.samples.count }
      // Words without times have no stretch of their own.
      let isWhole =
        Double(heard) > most * Double(count) || found.contains { $0.samples.count < Decoder.shortest }
      return isWhole ? [whole] : found
    }

    /// From the middle of the pause before the words to the middle of the one after them.
    private static func samples(of range: Range<Int>, in words: [Word], _ count: Int) -> Range<Int> {
      func sample(_ seconds: Double) -> Int { Int(min(max(0, seconds * 16_000), Double(count))) }
      let (first, last) = (sample(words[range.lowerBound].start), sample(words[range.upperBound - 1].end))
      var (start, end) = (0, count)
      if range.lowerBound > 0 {
        start = max(first - pause, (sample(words[range.lowerBound - 1].end) + first) / 2)
      }
      if range.upperBound < words.count {
        end = min(last + pause, (sample(words[range.upperBound].start) + last) / 2)
      }
      return start..<max(start, end)
    }
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

    static func term(_ text: String, for run: Range<Int>, likeness: Float, isRead: Bool) -> Proposal {
      var word = Word(text: text, start: 0, end: 0, confidence: nil)
      word.isOfDomain = true
      return Proposal(words: [word], run: run, likeness: likeness, isRead: isRead)
    }

    func isAlike(_ other: Proposal) -> Bool {
      run == other.run && words.map(\.text) == other.words.map(\.text)
    }
  }

  func terms(in words: [Word]) throws(DecoderError) -> [ServiceHypothesis] {
    let samples = takeUtterance()
    defer { needsSearch = true }
    let (alike, toRead) = bySound(in: words)
    let isRead = !configuration.expectsLongList && !words.contains { $0.isOfDomain == true }
    let isInDomain = isRead && mayBeInDomain(words, isInDoubt: !toRead.isEmpty)
    // Each word costs time: only the words near those in doubt are heard again.
    let doubtful = isInDomain ? [words.indices] : isRead ? toRead : []
    let places = doubtful + alike.prefix(Self.maxTerms).map(\.run)
    let whole = Stretch(words: words.indices, samples: samples.indices)
    let stretches = Stretch.all(around: places, of: words, whole)
    var kept: [Heard] = []
    var possible: [ServiceHypothesis] = []
    for stretch in stretches {
      let sound = Array(samples[stretch.samples])
      var isRead = doubtful.contains { stretch.words.overlaps($0) }
      // Not `||`, which throws any error.
      if isRead, !isInDomain { isRead = try mayHaveTerms(sound, in: stretch, of: words) }
      let width = isInDomain ? Width.narrow : .wide
      let read = isRead ? ofReading(try reading(of: sound, width), in: words, stretch.words) : []
      let others = alike.filter { new in
        new.run.clamped(to: stretch.words) == new.run && !read.contains { $0.isAlike(new) }
      }
      let found = try heard(read + others.prefix(Self.maxTerms), in: stretch, of: words, sound)
      kept += found.kept
      possible += found.possible
    }
    if stretches != [whole] {
      // In less audio, more sounds alike: what replaces words must also fit all of it.
      kept = try heard(kept.map(\.proposal), in: whole, of: words, samples).kept
    }
    var chosen: [Proposal] = []
    for (proposal, _) in kept.sorted(by: { $0.gain > $1.gain })
    where !chosen.contains(where: { $0.run.overlaps(proposal.run) }) { chosen.append(proposal) }
    guard !chosen.isEmpty else { return possible }
    let joined = Self.joined(words, with: chosen)
    let found = try align(joined.map(\.text), with: samples)
    guard found.words.count == joined.count else { return possible }
    return [ServiceHypothesis(words: Self.timed(joined, as: found), confidence: nil, source: .domain)]
      + possible
  }

  /// Words that fit the audio better than what was written, and by how much.
  private typealias Heard = (proposal: Proposal, gain: Double)

  /// Of some proposals those that replace words, and texts of the utterance that another recognizer may be asked about.
  /// - Parameter samples: the audio of the stretch.
  private func heard(
    _ proposals: [Proposal], in stretch: Stretch, of words: [Word], _ samples: [Int16]
  ) throws(DecoderError) -> (kept: [Heard], possible: [ServiceHypothesis]) {
    guard !proposals.isEmpty,
      let plain = try align(words[stretch.words].map(\.text), with: samples).score
    else { return ([], []) }
    var (kept, possible): ([Heard], [ServiceHypothesis]) = ([], [])
    for var proposal in proposals {
      var joined: [Word] { Self.joined(words, with: [proposal]) }
      let own = stretch.words.lowerBound..<stretch.words.upperBound + joined.count - words.count
      let aligned = try align(joined[own].map(\.text), with: samples)
      guard let score = aligned.score else { continue }
      let evidence = ReplacementEvidence(
        against: words[proposal.run], gain: score - plain, likeness: proposal.likeness)
      let isEnough = probability(of: proposal, in: words, evidence)
      guard let probability = isEnough ?? evidence.probabilityIfHeard else { continue }
      for index in proposal.words.indices { proposal.words[index].probability = probability }
      if isEnough != nil {
        kept.append((proposal, score - plain))
      } else {
        var text = ServiceHypothesis(words: joined, confidence: nil)
        let heard = Self.timed(Array(text.words[own]), as: aligned, later: stretch.start)
        text.words.replaceSubrange(own, with: heard)
        text.putInOrder()
        possible.append(text)
      }
    }
    return (kept, possible)
  }

  /// The words at the times of an alignment.
  /// - Parameter offset: the seconds before the aligned audio.
  private static func timed(_ words: [Word], as aligned: ServiceHypothesis, later offset: Double = 0)
    -> [Word]
  {
    zip(words, aligned.words).map { word, place in
      var word = word
      (word.start, word.end) = (place.start + offset, place.end + offset)
      return word
    }
  }

  /// The share of words that are of the domain.
  private func shareOfDomain(in words: some Collection<Word>) -> Double {
    Double(countOfDomain(in: words)) / Double(max(1, words.count))
  }

  private func countOfDomain(in words: some Collection<Word>) -> Int {
    words.count { isOfDomain($0.text.letters) }
  }

  /// The probability of words of the domain that replace others; nil if the evidence is too little.
  private func probability(
    of proposal: Proposal, in words: [Word], _ evidence: ReplacementEvidence
  ) -> Double? {
    let count = configuration.expectedCount
    guard proposal.isRead else { return evidence.probability(for: .sound(count: count)) }
    let others = words.indices.filter { !proposal.run.contains($0) }.map { words[$0] }
    return evidence.probability(
      for: .reading(count: count, isInDomain: shareOfDomain(in: others) > Self.mostly))
  }

  /// Whether an utterance is read as a whole. Where the other recognizer is sure of all words, a reading replaces some only if most
  /// of the others are of the domain.
  private func mayBeInDomain(_ words: [Word], isInDoubt: Bool) -> Bool {
    guard !isInDoubt else { return shareOfDomain(in: words) >= Self.minShareToRead }
    return Double(countOfDomain(in: words)) > Self.mostly * Double(max(1, words.count - Self.replaced))
  }

  private static func joined(_ words: [Word], with proposals: [Proposal]) -> [Word] {
    var words = words
    for proposal in proposals.sorted(by: { $0.run.lowerBound > $1.run.lowerBound }) {
      words.replaceSubrange(proposal.run, with: proposal.words)
    }
    return words
  }

  /// Whether a term may have been said in a stretch: the likeliest one that is heard there, in place of any sounds, must pass the
  /// rule of a reading. That takes a small part of the time of a reading, which also knows what else people say.
  private func mayHaveTerms(
    _ samples: [Int16], in stretch: Stretch, of words: [Word]
  ) throws(DecoderError) -> Bool {
    guard samples.count >= Self.shortest else { return false }
    // Where the words have no times, the terms have no place.
    guard words[stretch.words].contains(where: { $0.end > $0.start }), searchesForTerms() else {
      return true
    }
    try decodeWhole(samples)
    guard let spotted = spotted(in: stretch, of: words) else { return false }
    return try !heard([spotted], in: stretch, of: words, samples).kept.isEmpty
  }

  /// The likeliest term that the search for them just found in a stretch, in the place of the words of its time. It is judged as if
  /// it were read.
  private func spotted(in stretch: Stretch, of words: [Word]) -> Proposal? {
    var best: (proposal: Proposal, evidence: Double)?
    var segment = ps_seg_iter(handle)
    while let current = segment {
      defer { segment = ps_seg_next(current) }
      var (first, last): (Int32, Int32) = (0, 0)
      ps_seg_frames(current, &first, &last)
      let start = stretch.start + Double(first) / Self.frameRate
      let end = stretch.start + Double(last + 1) / Self.frameRate
      let places = stretch.words.filter {
        min(words[$0].end, end) - max(words[$0].start, start) > Self.leastOverlap
      }
      // A further pronunciation has its number after the word, and the search writes a space after each.
      let text = String(String(cString: ps_seg_word(current)).prefix { $0 != "(" && $0 != " " })
      guard let from = places.first, let to = places.last,
        let term = knownTerms?.first(where: { $0.text == text })
      else { continue }
      let own = phones(of: words[from...to])
      let likeness = term.phones.map { self.likeness(of: $0, to: own) }.max() ?? 0
      let evidence = ReplacementEvidence(against: words[from...to], gain: 0, likeness: likeness)
      guard evidence.isWorthReading, evidence.total > best?.evidence ?? -.infinity else { continue }
      best = (.term(text, for: from..<to + 1, likeness: likeness, isRead: true), evidence.total)
    }
    return best?.proposal
  }

  /// Searches for terms in place of any sounds from now on.
  /// - Returns: false if PocketSphinx cannot search for them.
  private func searchesForTerms() -> Bool {
    if !hasSearchForTerms {
      let pronunciations = (knownTerms ?? []).flatMap { term in
        term.phones.indices.map { $0 == 0 ? term.text : "\(term.text)(\($0 + 1))" }
      }
      let list = pronunciations.map { "\($0) /\(Self.leastOfTerm)/\n" }.joined()
      // The sandbox has no paths.
      guard let file = MemoryFile(Data(list.utf8)), ps_add_kws(handle, Self.termSearch, file.path) == 0 else {
        return false
      }
      hasSearchForTerms = true
    }
    return ps_activate_search(handle, Self.termSearch) == 0
  }

  /// What PocketSphinx recognizes with the domain; nothing if everyday language explains the utterance as well.
  private func reading(of samples: [Int16], _ width: Width) throws(DecoderError) -> [Word] {
    guard samples.count >= Self.shortest, domainWeight > 0 else { return [] }
    try searchByAllModels(width)
    try decodeWhole(samples)
    let ranked = try rankedHypotheses(width, ofDomainOnly: true) { () throws(DecoderError) in
      try decodeWhole(samples)
    }
    return ranked.first?.words ?? []
  }

  /// The places where a reading of some of the words has words of the domain and the text has others.
  private func ofReading(_ reading: [Word], in words: [Word], _ read: Range<Int>) -> [Proposal] {
    WordDifference.all(of: words[read].map(\.text), and: reading.map(\.text)).compactMap { difference in
      let new = Array(reading[difference.others])
      let letters = new.reduce(0) { $0 + ($1.isOfDomain == true ? $1.text.count : 0) }
      guard letters >= Self.minLetters else { return nil }
      let run = difference.words.lowerBound + read.lowerBound..<difference.words.upperBound + read.lowerBound
      return Proposal(
        words: new, run: run, likeness: likeness(of: phones(of: new), to: phones(of: words[run])),
        isRead: true)
    }
  }

  /// The phones of a term, less twice the difference from those of other words.
  private func likeness(of phones: [Int], to others: [Int]) -> Float {
    Float(phones.count) - 2 * distance(others, phones)
  }

  /// The terms that sound most like words of the text, each in the place where it does and may be enough.
  /// - Returns: them, and the places of such words in which any term may be, so that they are read.
  private func bySound(in words: [Word]) -> (proposals: [Proposal], toRead: [Range<Int>]) {
    let spoken = words.map(Self.spoken)
    var runs: [Run] = []
    for first in words.indices {
      var phones: [Int] = []
      var text = ""
      for last in first..<min(words.count, first + Self.maxRun) {
        guard words[last].isOfDomain != true else { break }
        phones += spoken[last].flatMap(self.phones)
        text += spoken[last].joined()
        runs.append(Run(range: first..<last + 1, phones: phones, text: text))
      }
    }
    guard !runs.isEmpty else { return ([], []) }
    var likeness = [Float](repeating: -.infinity, count: runs.count)
    let terms = knownTerms ?? wordsOfDomain()
    if knownTerms == nil { knownTerms = terms }
    let known = Set(terms.map(\.text))
    let found = terms.compactMap { nearest(to: $0, among: runs, of: words, &likeness) }
      .filter { !known.contains($0.run.text) && $0.likeness >= Self.minLikeness }
    let proposals = found.sorted { $0.likeness > $1.likeness }.flatMap { found in
      // The same words may have been written for it elsewhere.
      runs.filter { $0.phones == found.run.phones }.map { run in
        Proposal.term(found.term.text, for: run.range, likeness: found.likeness, isRead: false)
      }
    }
    let toRead = zip(runs, likeness).filter { run, likeness in
      ReplacementEvidence(against: words[run.range], gain: 0, likeness: likeness).isWorthReading
    }
    return (proposals, toRead.map(\.0.range))
  }

  /// The run that sounds most like a term, of those in whose place it may be; nil if none is about as long.
  private func nearest(
    to term: DomainTerm, among runs: [Run], of words: [Word], _ most: inout [Float]
  ) -> (term: DomainTerm, run: Run, likeness: Float)? {
    var best: (run: Run, share: Float, likeness: Float)?
    for phones in term.phones {
      let length = phones.count
      for (index, run) in runs.enumerated()
      where run.phones.count * 2 >= length && run.phones.count <= length * 2 {
        let difference = distance(run.phones, phones)
        let share = difference / Float(max(run.phones.count, length))
        let likeness = Float(length) - 2 * difference
        most[index] = max(most[index], likeness)
        guard share < best?.share ?? .infinity,
          ReplacementEvidence(against: words[run.range], gain: 0, likeness: likeness).canBeEnough
        else { continue }
        best = (run, share, likeness)
      }
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
      .map { word in
        let all = isPronounceable(word) ? pronunciations(of: word).map(distance.numbers) : []
        return DomainTerm(text: word, phones: all.filter { !$0.isEmpty })
      }.filter { !$0.phones.isEmpty }
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
