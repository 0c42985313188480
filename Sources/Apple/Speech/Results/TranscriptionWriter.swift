import Foundation
import SpeechServiceProtocol

/// Writes words as text: as they are, or with capitals and marks by the pauses between them.
///
/// Utterances are written one after another. Written text never changes.
struct TranscriptionWriter {
  /// Seconds between words that end a sentence. Readers pause half a second at a full stop (Goldman-Eisler
  /// 1968).
  private static let sentencePause = 0.6
  /// Seconds between words that make a comma.
  private static let commaPause = 0.3
  /// Seconds of quiet after the last word of an utterance that ended at a pause; an utterance that was split
  /// has less.
  private static let trailingQuiet = 0.2
  /// The words for each mark, the longest first.
  private static let spokenMarks: [(words: [String], mark: String)] = [
    (["new", "paragraph"], "\n\n"), (["new", "line"], "\n"), (["question", "mark"], "?"),
    (["exclamation", "point"], "!"), (["exclamation", "mark"], "!"), (["full", "stop"], "."),
    (["comma"], ","), (["period"], "."), (["colon"], ":"), (["semicolon"], ";"),
  ]

  let style: TranscriptionStyle
  private(set) var text = ""
  private(set) var segments: [SFTranscriptionSegment] = []
  private var length = 0
  private var isAtSentenceStart = true
  private var isAtLineStart = true
  /// Whether the text that this one goes on ends in writing without spaces.
  private var isAfterUnspaced = false
  private var endsUnspaced: Bool { text.unicodeScalars.last?.isUnspaced ?? isAfterUnspaced }

  init(style: TranscriptionStyle) { self.style = style }

  /// The text so far as a transcription.
  var transcription: SFTranscription { SFTranscription(formattedString: text, segments: segments) }

  /// A writer without text that goes on as this one would: in the middle of a line it begins with a space.
  var continuing: TranscriptionWriter {
    var next = TranscriptionWriter(style: style)
    next.isAtSentenceStart = isAtSentenceStart
    next.isAtLineStart = isAtLineStart
    next.isAfterUnspaced = endsUnspaced
    return next
  }

  /// Writes the words of an utterance.
  /// - Parameters:
  ///   - end: where the utterance ends, in seconds; nil for a hypothesis, which ends nowhere yet.
  ///   - alternatives: what else may have been said in place of the word at an index.
  mutating func write(
    _ words: [RecognizedWord], end: TimeInterval?, analytics: UtteranceAnalytics? = nil,
    alternatives: (Int) -> [String] = { _ in [] }
  ) {
    var index = 0
    while index < words.count {
      if style.takesSpokenMarks, let spoken = spokenMark(words[index...]) {
        mark(spoken.mark)
        index += spoken.words.count
        continue
      }
      let word = words[index]
      append(word, analytics: analytics, alternatives: alternatives(index))
      index += 1
      guard style.addsSentenceMarks else { continue }
      if index < words.count {
        let pause = words[index].start - word.end
        let isMarkNext = style.takesSpokenMarks && spokenMark(words[index...]) != nil
        if !isMarkNext, pause >= Self.commaPause { mark(pause >= Self.sentencePause ? "." : ",") }
      } else if let end, end - word.end >= Self.trailingQuiet {
        mark(".")
      }
    }
  }

  private func spokenMark(_ words: ArraySlice<RecognizedWord>) -> (words: [String], mark: String)? {
    Self.spokenMarks.first { entry in words.prefix(entry.words.count).map(\.text) == entry.words }
  }

  private mutating func append(_ word: RecognizedWord, analytics: UtteranceAnalytics?, alternatives: [String])
  {
    let isUnspaced = endsUnspaced && word.text.unicodeScalars.first?.isUnspaced == true
    if !isAtLineStart, !isUnspaced { add(" ") }
    let written = written(word.text)
    let range = NSRange(location: length, length: written.utf16.count)
    add(written)
    isAtLineStart = false
    isAtSentenceStart = false
    segments.append(
      SFTranscriptionSegment(
        substring: written, substringRange: range, word: word, alternativeSubstrings: alternatives,
        analytics: analytics))
  }

  private func written(_ word: String) -> String {
    guard style.addsSentenceMarks else { return word }
    let isPronoun = style.isEnglish && (word == "i" || word.hasPrefix("i'"))
    guard isAtSentenceStart || isPronoun else { return word }
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  private mutating func mark(_ mark: String) {
    if mark.hasPrefix("\n") {
      add(mark)
      isAtLineStart = true
      isAtSentenceStart = true
      return
    }
    isAtSentenceStart = mark == "." || mark == "?" || mark == "!"
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

  fileprivate var takesSpokenMarks: Bool { writesSpokenMarks && isEnglish }

  /// The style for what the model of a language writes.
  func adapted(to locale: Locale) -> TranscriptionStyle {
    var style = self
    style.isEnglish = locale.language.languageCode == .english
    if addsSentenceMarks, SpeechModel.used(for: locale)?.isPunctuated == true {
      style.addsSentenceMarks = false
    }
    return style
  }
}
