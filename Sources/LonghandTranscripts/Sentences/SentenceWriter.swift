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
    var written: [String] = []
  }

  private var formatter: SentenceFormatter
  private var language: String
  private let names: [String: String]
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
    language = locale
    self.names = Self.spellings(names)
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
    if let other = segment.language, other != language {
      if let last = formatter.finish() { take(last) }
      language = other
      formatter = SentenceFormatter(language: other, names: names)
    }
    var draft = Draft(segment: segment, text: TimedText(segment))
    let isFragment = sinceWritten < Self.memory && !segment.isOfEmbedded
    sinceWritten = segment.isWrittenByRecognizer ? 0 : min(Self.memory, sinceWritten + 1)
    if isFragment || segment.isWritten(draft.text) {
      let goesOn = segment.isWrittenByRecognizer && segment.goesOn(from: speaker, draft.text)
      if let last = formatter.finish(goesOn: goesOn) { take(last) }
      draft.written = draft.text.tokens.map { segment.isCorrected ? $0.text : spelled($0.text) }
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
    drafts[index].written.append((isKept ? word : output.word) + output.mark.rawValue)
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

  /// How single words are written, by the words in lower case. A common word within a term has no capital elsewhere.
  private static func spellings(_ names: [String]) -> [String: String] {
    let words = names.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    return words.reduce(into: [:]) { spellings, word in
      let lower = word.lowercased()
      if word != lower, word.allSatisfy({ $0.isLetter || $0 == "'" }), !CommonWords.all.contains(lower) {
        spellings[lower] = word
      }
    }
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
