import RecognitionCore
import Foundation
import SentenceFormatting
import RecognitionProtocol

/// Writes words as text: as they are, or in sentences with capitals and marks, see `SentenceFormatter`.
///
/// Utterances are written one after another. Written text never changes; the mark after the last word follows when it is
/// certain: with the next word, or by `finish`.
struct TranscriptionWriter {
  /// Seconds of quiet after the last word of an utterance that ended at a pause; an utterance that was split
  /// has less.
  private static let trailingQuiet = 0.2
  /// The words for each mark, the longest first.
  private static let spokenMarks: [(words: [String], mark: String)] = [
    (["new", "paragraph"], "\n\n"), (["new", "line"], "\n"), (["question", "mark"], "?"),
    (["exclamation", "point"], "!"), (["exclamation", "mark"], "!"), (["full", "stop"], "."),
    (["comma"], ","), (["period"], "."), (["colon"], ":"), (["semicolon"], ";"),
  ]

  private(set) var style: TranscriptionStyle
  private(set) var text = ""
  private(set) var segments: [SFTranscriptionSegment] = []
  private var length = 0
  private var isAtLineStart = true
  /// Nil if the words are written as they are.
  private var formatter: SentenceFormatter?
  /// Whether the text that this one continues ends in writing without spaces.
  private var isAfterUnspaced = false
  private var endsUnspaced: Bool { text.unicodeScalars.last?.isUnspaced ?? isAfterUnspaced }
  /// The end of the text that this one continues.
  private var lastBefore: Character?
  /// Whether a spoken mark ended a sentence, so that the next word begins one. The formatter knows that of its own words.
  private var beginsSentence = false

  init(style: TranscriptionStyle) {
    self.style = style
    if style.addsSentenceMarks { formatter = SentenceFormatter(language: style.isEnglish ? "en" : "und") }
  }

  /// The text so far as a transcription.
  var transcription: SFTranscription { SFTranscription(formattedString: text, segments: segments) }

  /// A writer without text that continues as this one would: in the middle of a line it begins with a space.
  var continuing: TranscriptionWriter {
    var next = TranscriptionWriter(style: style)
    next.formatter = formatter
    next.isAtLineStart = isAtLineStart
    next.isAfterUnspaced = endsUnspaced
    next.lastBefore = text.last ?? lastBefore
    next.beginsSentence = beginsSentence
    return next
  }

  /// Goes on in a language (BCP 47); nil for the one of the style.
  mutating func go(onIn language: String?) {
    if let language { style = style.adapted(to: Locale(identifier: language)) }
  }

  /// Writes the words of an utterance.
  /// - Parameter alternatives: what else may have been said in place of the word at an index.
  mutating func write(
    _ words: [RecognizedWord], analytics: UtteranceAnalytics? = nil,
    alternatives: (Int) -> [String] = { _ in [] }
  ) {
    var index = 0
    while index < words.count {
      if style.takesSpokenMarks, let spoken = spokenMark(words[index...]) {
        _ = formatter?.cut()
        if !spoken.mark.hasPrefix("\n") { removeMark() }
        // The mark of the text before is written already.
        if !text.isEmpty || lastBefore.map(String.init) != spoken.mark { mark(spoken.mark) }
        if spoken.mark != ",", spoken.mark != ":", spoken.mark != ";" {
          formatter?.endSentence()
          beginsSentence = style.isPunctuated
        }
        index += spoken.words.count
        continue
      }
      append(words[index], analytics: analytics, alternatives: alternatives(index))
      index += 1
    }
  }

  /// Ends the text: the last word ends a sentence, unless its utterance was split there.
  /// - Parameter end: where the last utterance ends, in seconds; nil for the end of the audio.
  mutating func finish(at end: TimeInterval? = nil) {
    guard let last = segments.last else { return }
    let isSplit = end.map { $0 - last.timestamp - last.duration < Self.trailingQuiet } ?? false
    if let output = isSplit ? formatter?.cut() : formatter?.finish() { mark(output.mark.rawValue) }
  }

  private func spokenMark(_ words: ArraySlice<RecognizedWord>) -> (words: [String], mark: String)? {
    Self.spokenMarks.first { entry in words.prefix(entry.words.count).map(\.text.letters) == entry.words }
  }

  /// A mark that is said takes the place of the one that the recognizer wrote there.
  private mutating func removeMark() {
    guard let last = segments.last, NSMaxRange(last.substringRange) == length,
      let end = last.substring.lastIndex(where: { !$0.isMark })
    else { return }
    let written = last.written(String(last.substring[...end]))
    text.removeLast(last.substring.count - written.substring.count)
    length = NSMaxRange(written.substringRange)
    segments[segments.count - 1] = written
  }

  private mutating func append(_ word: RecognizedWord, analytics: UtteranceAnalytics?, alternatives: [String])
  {
    let spoken = SentenceFormatter.Word(text: word.text, start: word.start, end: word.end)
    if let before = formatter?.append(spoken) { mark(before.mark.rawValue) }
    let isUnspaced =
      endsUnspaced && word.text.unicodeScalars.first?.isUnspaced == true && !word.isSpaced
    if !isAtLineStart, !isUnspaced { add(" ") }
    var written = formatter?.pendingText ?? word.text
    if beginsSentence { written = written.withFirstCapital }
    beginsSentence = false
    let range = NSRange(location: length, length: written.utf16.count)
    add(written)
    isAtLineStart = false
    segments.append(
      SFTranscriptionSegment(
        substring: written, substringRange: range, word: word, alternativeSubstrings: alternatives,
        analytics: analytics))
  }

  private mutating func mark(_ mark: String) {
    guard !mark.isEmpty else { return }
    if mark.hasPrefix("\n") {
      add(mark)
      isAtLineStart = true
      return
    }
    isAtLineStart = false
    add(mark)
    // The mark belongs to the word before it, unless it starts a line or follows another mark.
    if let last = segments.last, NSMaxRange(last.substringRange) == length - mark.utf16.count {
      segments[segments.count - 1] = last.extended(by: mark)
    }
  }

  private mutating func add(_ more: String) {
    text += more
    length += more.utf16.count
  }
}

/// How recognized words are written.
struct TranscriptionStyle: Sendable, Equatable {
  /// Sentences get capitals, full stops and commas by the pauses between words.
  var addsSentenceMarks = false
  /// Spoken marks such as "comma" are written as marks, in English.
  var writesSpokenMarks = false
  /// Whether English is spoken: the spoken marks and the pronoun "I" are English.
  var isEnglish = true
  /// Whether the recognizer writes capitals and marks of its own.
  var isPunctuated = false

  /// Whether words are written in another way than they were recognized.
  var changesWords: Bool { addsSentenceMarks || writesSpokenMarks }

  fileprivate var takesSpokenMarks: Bool { writesSpokenMarks && isEnglish }

  /// The style for a language.
  func adapted(to locale: Locale) -> TranscriptionStyle {
    var style = self
    style.isEnglish = locale.language.languageCode == .english
    return style
  }

  /// The style for what a model writes.
  func adapted(to model: SpeechModel?) -> TranscriptionStyle {
    var style = self
    style.isPunctuated = model?.isPunctuated == true
    if style.isPunctuated { style.addsSentenceMarks = false }
    return style
  }
}
