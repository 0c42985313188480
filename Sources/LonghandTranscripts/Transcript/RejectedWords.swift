import Foundation

/// Words that were recognized and are not in the transcript, because a rule removed them.
public struct RejectedWords: Sendable, Hashable {
  /// Why words were removed.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Nobody speaks there.
    case noSpeech = "no-speech"
    /// A word by itself of which the recognizer is unsure, where it is not certain that somebody speaks.
    case loneWord = "lone-word"
    /// Fewer words than anybody says in that much speech.
    case fewWords = "few-words"
    /// The recognizer is hardly sure of any of them.
    case unsure
    /// The recognizer wrote the same words again and again.
    case loop
    /// They repeat the words before, and the audio has no room for them.
    case repetition

    /// As a part of a sentence.
    var reason: String {
      switch self {
      case .noSpeech: "no speech"
      case .loneWord: "an unsure word by itself"
      case .fewWords: "too few words"
      case .unsure: "unsure words"
      case .loop: "the same words again and again"
      case .repetition: "a repetition without room"
      }
    }
  }

  /// The words.
  public var text: String
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// Why they were removed.
  public var rule: Rule

  package init(text: String, start: TimeInterval, end: TimeInterval, rule: Rule) {
    (self.text, self.start, self.end, self.rule) = (text, start, end, rule)
  }
}

extension RejectedWords {
  private static let separator = "; rejected words: "

  /// The part of the audio with these words: speech without words, or no speech where the rule says that nobody speaks.
  package var stretch: CoverageSpan.Stretch {
    (start...max(start, end), rule == .noSpeech ? .nonspeech : .wordless, rule.reason + Self.separator + text)
  }

  /// The words that were rejected in a part of a recording; nil if none were.
  init?(_ span: CoverageSpan) {
    guard let separator = span.reason.range(of: Self.separator),
      let rule = Rule.allCases.first(where: { $0.reason == span.reason[..<separator.lowerBound] })
    else { return nil }
    self.init(
      text: String(span.reason[separator.upperBound...]), start: span.start, end: span.end, rule: rule)
  }

  /// The words that a warning says were left out; nil if it says something else.
  init?(_ warning: TranscriptWarning) {
    guard warning.code == .repetition, let text = warning.leftOut else { return nil }
    self.init(text: text, start: warning.start, end: warning.end, rule: .repetition)
  }
}

extension Transcript {
  /// The words that were recognized and removed, in the order of the audio.
  public var rejected: [RejectedWords] {
    (spans.compactMap(RejectedWords.init) + warnings.compactMap(RejectedWords.init)).sorted {
      ($0.start, $0.end) < ($1.start, $1.end)
    }
  }
}
