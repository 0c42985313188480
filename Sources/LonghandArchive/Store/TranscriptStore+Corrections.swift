import Foundation
import LonghandTranscripts

/// Corrections by hand. Each is a revision of its segment with a candidate that is labelled as a person's, so that it is
/// never taken for the recognizer's; `undo(in:)` and `restore(_:of:in:)` undo it.
extension TranscriptStore {
  /// The most characters of a correction.
  public static let maxCorrectionLength = 500

  /// A word of a session.
  package struct WordPlace: Sendable, Hashable {
    /// The ID of the segment.
    package var segment: Int
    /// The number of the segment in the order, from 0.
    package var number: Int
    /// The indices of the words in the segment.
    package var words: Range<Int>
  }

  /// Replaces words of a segment by what a person wrote, as a new revision. A new decoding does not replace it.
  ///
  /// If the text is then that of a candidate of the recognizer, the candidate is chosen instead. The same words as before
  /// confirm them: they have no confidence then, and do not count as unsure.
  ///
  /// ```swift
  /// try store.correct(2..<3, to: "Winawer", of: 7, in: session)
  /// ```
  ///
  /// - Parameters:
  ///   - words: the indices of the words, at least one.
  ///   - text: the words in their place; empty removes them.
  ///   - id: the ID of the segment.
  ///   - session: the ID of the session.
  ///   - expected: the current revision of the segment, as the caller knows it; nil for any.
  /// - Returns: the new version of the segment.
  /// - Throws: `StoreError`; `changed` if the segment has another revision.
  @discardableResult public func correct(
    _ words: Range<Int>, to text: String, of id: Int, in session: String, ifRevision expected: Int? = nil
  ) throws -> Segment {
    try step(of: session) { number, database in
      try self.correct(words, to: text, of: id, number, expected, in: database)
    }
  }

  /// The same in a transaction.
  func correct(
    _ words: Range<Int>, to text: String, of id: Int, _ session: Int, _ expected: Int? = nil,
    in database: StoreDatabase
  ) throws -> Segment {
    guard let old = try current(id, session, in: database)?.1.segment else { throw error(.noSegment(id)) }
    if let expected, try isCorrected(old, from: expected, words, text, session, in: database) { return old }
    try check(expected, old.revision)
    guard !words.isEmpty, words.lowerBound >= 0, words.upperBound <= old.words.count else {
      throw error(.invalid("segment \(id) has no words \(words.lowerBound) to \(words.upperBound)"))
    }
    guard text.count <= Self.maxCorrectionLength,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw error(.invalid("a correction is one line of at most \(Self.maxCorrectionLength) characters"))
    }
    let new = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let candidate = old.replacing(words, with: new) else {
      throw error(.invalid("a segment keeps at least one word"))
    }
    let recognized = old.recognizedCandidates
    let isConfirmed = candidate.text == old.text
    if !isConfirmed, let index = recognized.firstIndex(where: { $0.text == candidate.text }) {
      return try choose(index, of: id, session, in: database)
    }
    return try revise(
      id, session, candidates: recognized + [candidate],
      selection: Segment.Selection(index: recognized.count, rule: old.personsRule.rawValue),
      reason: isConfirmed ? "confirmed by the user" : "corrected by the user", author: .person, in: database)
  }

  /// Whether a correction of a revision is stored already, and is made again because its answer was lost.
  private func isCorrected(
    _ current: Segment, from revision: Int, _ words: Range<Int>, _ text: String, _ session: Int,
    in database: StoreDatabase
  ) throws -> Bool {
    guard current.revision > 0, revision == current.revision - 1,
      let before = try revisions(of: current.id, session, in: database).dropLast().last?.segment,
      words.lowerBound >= 0, words.upperBound <= before.words.count,
      let wanted = before.replacing(words, with: text.split(whereSeparator: \.isWhitespace).map(String.init))
    else { return false }
    return wanted.text == current.text && (wanted.text != before.text || wanted.words == current.words)
  }

  /// The words of a session that may be wrong.
  package struct UnsureWords: Sendable {
    /// Words with less confidence are unsure: they have about half of Whisper's wrong words, and about half of them are wrong. The
    /// page marks the same words.
    package static let confidence = 0.79

    /// The unsure words in order, each with its confidence.
    package var words: [(place: WordPlace, confidence: Double)] = []
    /// The words in order whose speaker is unsure.
    package var turns: [SpeakerRun] = []
    /// How many words are probably wrong, the sure ones too; nil if their confidence is not calibrated.
    package var expectedErrors: ExpectedErrors?

    package init() {}

    /// The next words to review, ten at most, and how many of them are probably wrong.
    /// - Parameter first: the index of the first one.
    package func next(from first: Int = 0) -> (count: Int, wrong: Double) {
      let next = words.dropFirst(first).prefix(10)
      return (next.count, next.reduce(0) { $0 + (1 - $1.confidence) })
    }

    /// How many words are probably wrong, and how many are after the first ones are reviewed, for a reader; nil if that is not known.
    package var summary: String? {
      guard let expectedErrors else { return nil }
      let (count, wrong) = next()
      guard count > 0 else { return "\(expectedErrors)" }
      let rest = Int(clamping: (expectedErrors.count - wrong).rounded())
      let left = rest < 1 ? "hardly any is" : "about \(rest) \(rest == 1 ? "is" : "are")"
      return "\(expectedErrors) Review the first \(count == 1 ? "unsure one" : "\(count) unsure ones"), "
        + "and \(left) left."
    }
  }

  /// The words of a session whose confidence is low, and those whose speaker is unsure. Words that a person wrote or confirmed
  /// have none, and echoes of another channel do not count.
  ///
  /// - Parameters:
  ///   - session: the ID of the session.
  ///   - confidence: words below it are unsure.
  /// - Throws: `StoreError`.
  package func unsureWords(
    of session: String, below confidence: Double = UnsureWords.confidence
  ) throws -> UnsureWords {
    try read { database in
      let number = try self.number(of: session, in: database)
      let stored = try self.session(number, in: database)
      let speakers = try self.speakers(of: number, in: database)
      let segments = try self.currentSegments(of: number, in: database).map(speakers.echoes.marked)
      var unsure = UnsureWords()
      unsure.turns = speakers.unsureRuns(in: segments)
      unsure.expectedErrors = ExpectedErrors(of: segments, model: stored.model?.name, locale: stored.locale)
      for (number, segment) in segments.enumerated() {
        for (index, word) in segment.words.enumerated() where !word.isEcho {
          guard let own = word.confidence, own < confidence else { continue }
          unsure.words.append(
            (WordPlace(segment: segment.id, number: number, words: index..<index + 1), own))
        }
      }
      return unsure
    }
  }
}
