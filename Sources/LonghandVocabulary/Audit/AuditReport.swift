import Foundation

/// Where a transcript that someone else made and the audio do not agree.
package struct AuditReport: Sendable {
  /// What is wrong with a place.
  package enum Kind: String, Sendable, CaseIterable {
    /// Words of the text that nobody said.
    case notSaid = "not-said"
    /// Speech that is not in the text.
    case notInText = "not-in-text"
    /// Words that are heard otherwise.
    case heardOtherwise = "heard-otherwise"
    /// A part of the text has other times than its words.
    case time
    /// The text changes the speaker inside a sentence.
    case speaker
    /// The text and the recognizer differ, and the recognizer is not sure.
    case unclear = "not-heard-clearly"

    /// Whether something is wrong for certain enough that people should look at it.
    package var isFinding: Bool { self != .unclear }
    /// Whether words are wrong for certain enough.
    package var isOfWords: Bool { isFinding && self != .time && self != .speaker }
  }

  /// A place where they differ.
  package struct Finding: Sendable, Equatable {
    package var kind: Kind
    /// Seconds from the start of the audio.
    package var start: TimeInterval
    /// Seconds from the start of the audio.
    package var end: TimeInterval
    /// The words of the text; empty if it has none there.
    package var claimed = ""
    /// What was recognized; empty if nothing was.
    package var heard = ""
    /// How sure the recognizer is of its words, 0 to 1.
    package var confidence: Double?
    /// Why, in words.
    package var reason: String
    /// The indices of the words of the text; empty, at the place, if it has none there.
    package var words: Range<Int>
    /// The indices of the recognized words.
    var heardWords = 0..<0
    /// Whether a number or a name is different.
    package var isNumberOrName = false
  }

  /// What the text is, for a part of the audio.
  package enum State: String, Sendable, CaseIterable {
    /// The words that were recognized are in the text.
    case supported
    /// Other words were recognized.
    case contradicted
    /// Speech that was not recognized clearly.
    case unclear = "not-heard-clearly"
    case noSpeech = "no-speech"
    /// Recognized words that the text leaves out.
    case notInText = "not-in-text"
  }

  /// A part of the audio.
  package struct Span: Sendable, Equatable {
    /// Seconds from the start of the audio.
    package var start: TimeInterval
    /// Seconds from the start of the audio.
    package var end: TimeInterval
    package var state: State
  }

  /// The words of the text.
  package var words: [ClaimedText.Word]
  /// The indices of the words at which captions or paragraphs begin.
  package var starts: [Int]
  /// The places, in the order of the text.
  package var findings: [Finding]
  /// The whole audio, in order.
  package var spans: [Span]
  /// The recording.
  package var source: String
  package var duration: TimeInterval
  package var locale: String
  package var model: String?

  /// What is wrong: numbers and names, other words, times and speakers, and what is not clear; each in the order of the audio.
  package var ordered: [Finding] {
    func rank(_ finding: Finding) -> Int {
      switch finding.kind {
      case .heardOtherwise where finding.isNumberOrName: 0
      case .heardOtherwise, .notSaid, .notInText: 1
      case .time, .speaker: 2
      case .unclear: 3
      }
    }
    return findings.enumerated().sorted {
      (rank($0.element), $0.element.start, $0.offset) < (rank($1.element), $1.element.start, $1.offset)
    }.map(\.element)
  }

  /// Whether anything is wrong.
  package var hasFindings: Bool { findings.contains { $0.kind.isFinding } }

  /// The number of places of a kind.
  package func count(_ kind: Kind) -> Int { findings.count { $0.kind == kind } }

  /// The seconds of a state.
  package func seconds(_ state: State) -> TimeInterval {
    spans.reduce(0) { $1.state == state ? $0 + ($1.end - $1.start) : $0 }
  }
}
