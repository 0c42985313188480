import Foundation
import SentenceFormatting

/// Writes segments as sentences, with capitals and marks: a layer over the words, which it does not change.
///
/// Segments are appended in order, and come back with the texts of their selected candidates as they are written. What
/// came back never changes, so that a live transcript reads as the stored one.
///
/// A segment that has marks already is not changed: a model or a person wrote it. Only terms that a model wrote in small letters
/// get their spelling: the model that finds the terms of a domain may write none. What a model that writes them left without,
/// between its other segments, is in the middle of its sentence. Where a person corrected some words of a recognizer that
/// writes none, the others are written, and the person's capitals stay.
package struct SentenceWriter {
  private struct Draft {
    let segment: Segment
    let text: TimedText
    /// The spellings of tokens that belong to a term of several words, by their numbers.
    let terms: [Int: String]
    var written: [String] = []
  }

  private var formatter: SentenceFormatter
  /// The language of segments that have none of their own.
  private let locale: String
  private var language: String
  private let spellings: TermSpellings
  /// The spellings of words by themselves in the language.
  private var names: [String: String]
  private var drafts: [Draft] = []
  /// Whether a segment is written by rules depends on no more segments before it than these.
  package static let memory = 4
  /// Segments since the last one in which the recognizer wrote capitals and marks, at most `memory`.
  private var sinceWritten = memory
  /// Who said the last word.
  private var speaker: String?

  /// - Parameters:
  ///   - locale: the language of segments that have none of their own, such as `en-US`.
  ///   - names: terms in the spelling of their domain.
  package init(locale: String, names: [String] = []) {
    self.locale = locale
    language = locale
    spellings = TermSpellings(names)
    self.names = spellings.words(in: locale)
    formatter = SentenceFormatter(language: locale, names: self.names)
  }

  /// Reads the tables of English words, which takes some milliseconds, before the first segment needs them.
  package static func prepare() {
    var formatter = SentenceFormatter(language: "en")
    for word in ["so", "it"] { _ = formatter.append(.init(text: word, start: 0, end: 0)) }
  }

  /// Appends a segment.
  /// - Returns: the segments whose marks are certain now.
  package mutating func append(_ segment: Segment) -> [Segment] {
    // A text that was removed ends no sentence.
    let other = segment.language ?? (segment.text.isEmpty ? language : locale)
    if other != language {
      if let last = formatter.finish() { take(last) }
      language = other
      names = spellings.words(in: other)
      formatter = SentenceFormatter(language: other, names: names)
    }
    let text = TimedText(segment)
    var draft = Draft(
      segment: segment, text: text, terms: spellings.terms(in: text.tokens.map(\.text), language))
    let isFragment = sinceWritten < Self.memory && !segment.isOfEmbedded
    sinceWritten = segment.isWrittenByRecognizer ? 0 : min(Self.memory, sinceWritten + 1)
    if isFragment || segment.isWritten(draft.text) {
      let goesOn = segment.isWrittenByRecognizer && segment.goesOn(from: speaker, draft.text)
      if let last = formatter.finish(goesOn: goesOn) { take(last) }
      draft.written = text.tokens.enumerated().map { index, token in
        if segment.isCorrected { return token.text }
        return draft.terms[index].map { token.text.written(as: $0) } ?? spelled(token.text)
      }
      drafts.append(draft)
      speaker = segment.speakers(of: draft.text).last ?? speaker
    } else {
      drafts.append(draft)
      let isBeginning = draft.text.tokens.first?.text.isCommonWithCapital == true
      for (index, (token, other)) in zip(draft.text.tokens, segment.speakers(of: draft.text)).enumerated() {
        // Another speaker begins another sentence, and so does a word that has a capital nowhere else.
        if other != speaker || isBeginning && index == 0, let last = formatter.finish() { take(last) }
        speaker = other
        let word = SentenceFormatter.Word(
          text: token.text, start: token.start.seconds, end: token.end.seconds, voice: token.voice,
          marks: token.marks)
        if let before = formatter.append(word) { take(before) }
      }
    }
    return written()
  }

  /// The segments that were appended and did not come back yet.
  package var pending: [Segment] { drafts.map(\.segment) }

  /// There are no more segments.
  /// - Parameter isOpen: whether more may follow; the last word then has no mark.
  /// - Returns: the rest of them.
  package mutating func finish(isOpen: Bool = false) -> [Segment] {
    if let last = isOpen ? formatter.cut() : formatter.finish() { take(last) }
    return written()
  }

  private mutating func take(_ output: SentenceFormatter.Output) {
    guard let index = drafts.firstIndex(where: { $0.written.count < $0.text.tokens.count }) else { return }
    let draft = drafts[index]
    let word = draft.text.tokens[draft.written.count].text
    let isKept = draft.segment.isCorrected && word.hasCapital
    let written = draft.terms[draft.written.count].map { output.word.written(as: $0) } ?? output.word
    drafts[index].written.append((isKept ? word : written) + output.mark.rawValue)
  }

  /// A word of a model in the spelling of its domain, if it has small letters only.
  private func spelled(_ word: String) -> String {
    guard !names.isEmpty, let first = word.firstIndex(where: \.isLetter) else { return word }
    let bare = word[first...].prefix { $0.isLetter || $0 == "'" }
    return names[String(bare)].map { word.replacingCharacters(in: bare.startIndex..<bare.endIndex, with: $0) }
      ?? word
  }

  private mutating func written() -> [Segment] {
    let done = drafts.prefix { $0.written.count == $0.text.tokens.count }
    drafts.removeFirst(done.count)
    return done.map { $0.segment.written(as: $0.written, $0.text) }
  }
}

/// How terms are written.
private struct TermSpellings {
  /// The words of all terms, by the words in lower case.
  private let ofAll: [String: String]
  /// The terms of one word, by the words in lower case.
  private let ofSingle: [String: String]
  /// The words of terms of several words, by the first one in lower case; the longest term first.
  private let several: [String: [[String]]]

  init(_ names: [String]) {
    let terms = names.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    ofAll = Self.words(terms.flatMap(\.self))
    ofSingle = Self.words(terms.filter { $0.count == 1 }.flatMap(\.self))
    let long = terms.filter { $0.count > 1 }.map { $0.map { String($0[$0.bareRange]) } }
    several = Dictionary(grouping: long) { $0[0].lowercased() }.mapValues { terms in
      terms.sorted { $0.count > $1.count }
    }
  }

  /// How words are written by themselves, by the words in lower case. In English, words of longer terms have their capitals
  /// everywhere, unless they are common; which words are common in other languages is not known.
  func words(in language: String) -> [String: String] {
    Locale(identifier: language).isEnglish ? ofAll : ofSingle
  }

  /// The spellings of the tokens of a text in small letters that are together a term of several words, by their numbers. None in
  /// English, where each word has its own.
  func terms(in tokens: [String], _ language: String) -> [Int: String] {
    guard !several.isEmpty, !Locale(identifier: language).isEnglish else { return [:] }
    let bare = tokens.map { $0[$0.bareRange] }
    var found: [Int: String] = [:]
    var start = 0
    while start < tokens.count {
      let term = several[String(bare[start])]?.first { term in
        term.count <= tokens.count - start
          && term.enumerated().allSatisfy { offset, word in
            let (token, own) = (tokens[start + offset], bare[start + offset])
            // A mark within the words separates them.
            return own == word.lowercased() && (offset == 0 || own.startIndex == token.startIndex)
              && (offset == term.count - 1 || own.endIndex == token.endIndex)
          }
      }
      for (offset, word) in (term ?? []).enumerated() where word != word.lowercased() {
        found[start + offset] = word
      }
      start += term?.count ?? 1
    }
    return found
  }

  /// A common word within a term has no capital elsewhere.
  private static func words(_ words: [String]) -> [String: String] {
    words.reduce(into: [:]) { spellings, word in
      let lower = word.lowercased()
      if word != lower, word.allSatisfy({ $0.isLetter || $0 == "'" }), !CommonWords.all.contains(lower) {
        spellings[lower] = word
      }
    }
  }
}

extension String {
  /// The range without the marks before and after the word; all of it if there is no word.
  fileprivate var bareRange: Range<String.Index> {
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    guard let first = firstIndex(where: isPart), let last = lastIndex(where: isPart) else {
      return startIndex..<endIndex
    }
    return first..<index(after: last)
  }

  /// The word in another spelling, with its marks.
  fileprivate func written(as spelling: String) -> String {
    replacingCharacters(in: bareRange, with: spelling)
  }
}

extension Segment {
  /// The speaker of each token of its text; nil if unknown.
  fileprivate func speakers(of text: TimedText) -> [String?] {
    let runs = speakerRuns
    let own = speaker?.speaker ?? channel.map(SessionSpeakers.id(ofChannel:))
    guard runs.count > 1, text.isTimed else { return text.tokens.map { _ in runs.first?.speaker ?? own } }
    let said = words.indices.filter { !LineText.of(words[$0].text).isEmpty }
    return said.map { index in runs.first { $0.words.contains(index) }.map(\.speaker) ?? own }
  }
}

extension StringProtocol {
  /// Whether a model wrote capitals or marks.
  package var hasMarksOrCapitals: Bool {
    split(whereSeparator: \.isWhitespace).contains { $0.hasMark || $0.hasCapital }
  }

  /// Whether any word has one.
  var hasMarks: Bool { split(whereSeparator: \.isWhitespace).contains(where: \.hasMark) }

  fileprivate var hasMark: Bool {
    first == "[" || last == "]" || endsSentence || endsClause || last?.isMark == true
  }
  /// Whether a capital shows that a sentence begins.
  var isCommonWithCapital: Bool {
    first?.isUppercase == true && hasCapital && CommonWords.function.contains(lowercased())
  }
  /// "I" alone is none.
  fileprivate var hasCapital: Bool {
    // Most words are of small letters of ASCII, which is quickly seen.
    utf8.contains { $0 >= 0x80 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
      && self != "I" && !hasPrefix("I'") && self != lowercased()
  }
}

extension Segment {
  /// Whether the recognizer's small letter shows that the speaker's sentence goes on.
  fileprivate func goesOn(from last: String?, _ text: TimedText) -> Bool {
    guard let first = text.tokens.first?.text.first(where: \.isLetter), speakers(of: text).first == last
    else {
      return false
    }
    return first.isLowercase
  }

  /// Whether a model or a person wrote marks.
  fileprivate func isWritten(_ text: TimedText) -> Bool {
    let tokens = text.tokens.map(\.text)
    // A removed text ends no sentence.
    if selection.rule == RerankingRule.paragraph.rawValue { return !tokens.isEmpty }
    return tokens.contains(where: \.hasMark)
      || isCorrected && recognizedCandidates.first?.text.hasMarks == true
  }

  /// Whether the recognizer that writes no marks found the words in speech in which the other one found none.
  fileprivate var isOfEmbedded: Bool { recognizedCandidates.first?.source == "embedded" }

  /// Whether the recognizer wrote capitals and marks. Words of one that writes none may end in a full stop, such as "m.".
  fileprivate var isWrittenByRecognizer: Bool {
    guard let words = recognizedCandidates.first?.text.split(whereSeparator: \.isWhitespace), !isOfEmbedded
    else { return false }
    return words.contains(where: \.hasMark) && words.contains(where: \.hasCapital)
  }

  /// The segment with the tokens of its text written as sentences.
  fileprivate func written(as parts: [String], _ text: TimedText) -> Segment {
    var candidate = chosen
    candidate.text = TimedText.text(
      zip(text.tokens, parts).map { token, part in
        var token = token
        token.text = part
        return token
      })
    if text.isTimed {
      var rest = parts[...]
      for index in candidate.words.indices where !LineText.of(candidate.words[index].text).isEmpty {
        candidate.words[index].text = rest.popFirst() ?? candidate.words[index].text
      }
    }
    var written = self
    written.candidates[selection.index] = candidate
    return written
  }
}

extension Transcript {
  /// The transcript with the texts and the words of the selected candidates written as sentences, with capitals and marks.
  /// The words stay the same, and so do their times.
  ///
  /// English has full stops, commas, question marks, and capitals of sentences and names. Other languages have full stops
  /// at long pauses and capitals after them; writing without capitals stays as it is, and so does text that has marks
  /// already.
  ///
  /// - Parameter names: terms in the spelling of their domain, such as the names of a vocabulary.
  public func writtenInSentences(names: [String] = []) -> Transcript {
    var writer = SentenceWriter(
      locale: locale, names: names + self.names + (normalized?.extractedTerms ?? []))
    var written = self
    written.segments = segments.flatMap { writer.append($0) } + writer.finish()
    written.normalized = normalizedInSentences(as: written)
    return written
  }
}
