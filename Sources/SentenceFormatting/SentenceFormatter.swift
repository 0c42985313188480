import Foundation

/// Writes recognized words as sentences: with capitals, commas, full stops and question marks. It changes no word.
///
/// Where a punctuation model has seen the words, its marks and capitals are written; else rules decide.
///
/// The words of a recording are appended in order. What is written never changes: a word is returned when the mark after it
/// is certain, which is when the next word is known.
///
/// ```swift
/// var formatter = SentenceFormatter(language: "en")
/// _ = formatter.append(.init(text: "hello", start: 0.2, end: 0.6))
/// print(formatter.finish()!.text)  // Hello.
/// ```
package struct SentenceFormatter: Sendable {
  /// A word with its time in seconds from the start of the recording.
  package struct Word: Sendable, Hashable {
    package var text: String
    package var start: TimeInterval
    package var end: TimeInterval
    /// How the voice ends the word; nil where it was not measured.
    package var voice: WordVoice?
    /// How a punctuation model writes the word; nil where none was asked, and the rules write it.
    package var marks: WordMarks?

    package init(
      text: String, start: TimeInterval, end: TimeInterval, voice: WordVoice? = nil, marks: WordMarks? = nil
    ) {
      self.text = text
      self.start = start
      self.end = end
      self.voice = voice
      self.marks = marks
    }
  }

  /// What follows a word.
  package enum Mark: String, Sendable, Hashable, Codable {
    case none = ""
    case comma = ","
    case period = "."
    case question = "?"

    /// Whether a sentence ends here.
    package var endsSentence: Bool { self == .period || self == .question }
  }

  /// A word as it is written.
  package struct Output: Sendable, Hashable {
    /// The word, perhaps with a capital.
    package var word: String
    package var mark: Mark

    /// The word with its mark.
    package var text: String { word + mark.rawValue }
  }

  /// From so many seconds of quiet on, a word is followed by a pause, and its voice counts.
  package static let shortestPause = BoundaryEvidence.shortestPause

  /// The pause that ends a sentence in a language without a model, in seconds.
  private static let sentencePause = 0.8
  /// The probability from which on a sentence ends, and from which on there is a comma. They have the best F1 in
  /// `Benchmarks/Sentences/train.py`.
  private static let endProbability = 0.45
  private static let markProbability = 0.4
  /// A longer sentence is no question.
  private static let maxQuestion = 24
  /// How a word is written depends on no more words before it than these.
  package static let memory = maxQuestion + 3

  private let isEnglish: Bool
  private let names: [String: String]
  private let leading: Set<String>
  private var evidence = BoundaryEvidence()
  /// The words of the sentence so far, in lower case; at most as many as a question can have.
  private var sentence: [String] = []
  /// The word before that whose mark is not certain yet; nil if a sentence ended there.
  private var previous: String?
  /// The word whose mark is not certain yet.
  private var pending: Word?

  /// Creates a formatter for a recording.
  /// - Parameters:
  ///   - language: the code of the language, such as `en` or `en-US`. Other languages than English have full stops at
  ///     long pauses, but not after an article or a preposition, and capitals after them; writing without capitals stays as it is.
  ///   - names: how words are written that have capitals, by the words in lower case.
  package init(language: String, names: [String: String] = [:]) {
    let language = Locale(identifier: language).language
    isEnglish = language.languageCode == .english
    leading = LeadingWords.words(of: language)
    self.names = names
  }

  /// The last word as it is written, while its mark is not certain; nil if it is.
  package var pendingText: String? { pending.map(capitalized) }

  /// A mark that was written otherwise ended a sentence.
  package mutating func endSentence() {
    (pending, previous) = (nil, nil)
    sentence = []
  }

  /// Appends a word.
  /// - Returns: the word before it, unless it was returned already.
  package mutating func append(_ word: Word) -> Output? {
    defer { pending = word }
    return pending.map { write($0, mark: mark(after: $0, next: word)) }
  }

  /// What follows the last word is not known yet.
  /// - Returns: the last word without a mark, unless it was returned already.
  package mutating func cut() -> Output? {
    guard let word = pending else { return nil }
    pending = nil
    return write(word, mark: .none)
  }

  /// The last word ends a sentence, unless it has a mark of its own. Words that follow do not go on with it.
  /// - Parameter goesOn: whether the sentence goes on with words that are written already.
  /// - Returns: the last word, unless it was returned already.
  package mutating func finish(goesOn: Bool = false) -> Output? {
    let last = pending.map { write($0, mark: !goesOn && takesMark($0) ? end(with: $0) : .none) }
    (pending, previous, evidence) = (nil, nil, BoundaryEvidence())
    if goesOn { sentence = [] }
    return last
  }

  private mutating func write(_ word: Word, mark: Mark) -> Output {
    let output = Output(word: capitalized(word), mark: mark)
    previous = mark.endsSentence ? nil : word.text.lowercased()
    if mark.endsSentence {
      sentence = []
    } else if sentence.count < Self.maxQuestion {
      sentence.append(word.text.lowercased())
    }
    return output
  }

  private mutating func mark(after word: Word, next: Word) -> Mark {
    guard takesMark(word) else { return .none }
    guard isEnglish else {
      return next.start - word.end >= Self.sentencePause && !leading.contains(word.text.lowercased())
        ? .period : .none
    }
    let found = evidence.take(word, next: next)
    if let mark = next.marks?.before { return mark }
    let (own, other) = (word.text.lowercased(), next.text.lowercased())
    if LeadingWords.isAdjective(own, after: previous, of: other) { return .none }
    if BoundaryModel.end.probability(of: found) >= Self.endProbability { return end(with: word) }
    return BoundaryModel.mark.probability(of: found) >= Self.markProbability ? .comma : .none
  }

  private func end(with word: Word) -> Mark {
    if let mark = word.marks?.after, mark.endsSentence { return mark }
    let isQuestion =
      isEnglish && sentence.count < Self.maxQuestion
      && QuestionRules.isQuestion(sentence + [word.text.lowercased()])
    return isQuestion ? .question : .period
  }

  /// Whether there can be a mark after a word: not after a mark of its own, and not in writing without capitals, whose
  /// marks are others.
  private func takesMark(_ word: Word) -> Bool {
    guard let last = word.text.last, last.isLetter || last.isNumber else { return false }
    return isEnglish || word.text.contains(where: \.isCased)
  }

  private func capitalized(_ word: Word) -> String {
    let text = word.text
    let lower = text.lowercased()
    if let name = names[lower] { return name }
    if word.marks?.capitals == .all, text.uppercased().lowercased() == lower { return text.uppercased() }
    let isCapital = word.marks.map { $0.capitals != .none } ?? (isEnglish && EnglishCapitals.contains(lower))
    return sentence.isEmpty || isCapital ? text.withFirstCapital : text
  }
}

extension String {
  /// The word with a capital, if its first letter has one.
  package var withFirstCapital: String {
    let first = prefix(1).uppercased()
    // Some letters become two, and others do not come back: the word would be another one.
    guard first.count == 1, first.lowercased() == prefix(1).lowercased() else { return self }
    return first + dropFirst()
  }
}
