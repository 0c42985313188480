import Foundation

/// How a candidate of a segment was selected, so that the choice can be explained and undone.
package struct CandidateSelectionRecord: Sendable, Hashable, Codable {
  /// What a language model answered.
  package enum Judgement: String, Sendable, Hashable, Codable {
    /// It chose a candidate, possibly the first.
    case answered
    /// It could not decide.
    case undecided
    /// It refused to answer, with and without context.
    case refused
    /// Its answer is not the index of a candidate.
    case unreadable
    /// It failed.
    case failed
    /// It did not answer in time.
    case timedOut = "timed-out"
    /// It was not asked, because it was still answering for an earlier segment.
    case busy
    /// The task that asked was cancelled.
    case cancelled
  }

  /// A candidate that could be selected, for the log.
  package struct Preview: Sendable, Hashable, Codable {
    /// The index in the recognizer's candidates.
    package var index: Int
    /// The start of its text.
    package var text: String
    /// The recognizer's confidence, 0 to 1; nil if the recognizer reports none.
    package var confidence: Double?
    /// How the recognizer came to it where that is not its own best path.
    package var source: String?
  }

  /// The index in the recognizer's candidates, and the name of the rule.
  package var selection: Segment.Selection
  /// The rule that selected the candidate.
  package var rule: RerankingRule
  /// The number of candidates that could be selected: each text once, and with word times if the first has them.
  package var candidateCount: Int
  /// These candidates in the recognizer's order, for the log.
  package var previews: [Preview]
  /// What a language model answered; nil if none was asked.
  package var judgement: Judgement?

  /// One line for the log.
  package var summary: String {
    let judged = judgement.map { ", language model \($0.rawValue)" } ?? ""
    let candidates = previews.map { preview in
      let source = preview.source.map { " \($0)" } ?? ""
      return "[\(preview.index)] \(preview.confidence.twoDecimals)\(source) \"\(preview.text)\""
    }
    return "\(rule.rawValue): \(selection.index) of \(candidateCount)\(judged); "
      + candidates.joined(separator: ", ")
  }
}

extension CandidateSelectionRecord {
  private static let maxPreviewLength = 60

  /// - Parameters:
  ///   - position: the index in `choices` of the selected candidate.
  ///   - choices: the candidates that could be selected, all of them from `candidates`.
  package init(
    _ position: Int, by rule: RerankingRule, among choices: [CandidateWords], of candidates: [Candidate],
    judgement: Judgement? = nil
  ) {
    let index = choices.indices.contains(position) ? choices[position].index : 0
    // The first choice needs no other rule, even if a rule confirmed it.
    let rule = index == 0 ? .recognizer : rule
    selection = Segment.Selection(index: index, rule: rule.rawValue, judgement: judgement)
    self.rule = rule
    candidateCount = choices.count
    previews = choices.map { choice in
      Preview(
        index: choice.index, text: Self.preview(choice.text),
        confidence: candidates[choice.index].confidence, source: candidates[choice.index].source)
    }
    self.judgement = judgement
  }

  private static func preview(_ text: String) -> String {
    // Bytes are many times faster than characters.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 }) {
      return text.utf8.count <= maxPreviewLength ? text : Substring(text.utf8.prefix(maxPreviewLength)) + "…"
    }
    let line = String(text.unicodeScalars.prefix(maxPreviewLength))
    let ending = line.utf8.count == text.utf8.count ? "" : "…"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ") + ending
  }
}

/// The rule that selected a candidate. The names are stored and never change.
///
/// | name | what it does |
/// | --- | --- |
/// | `recognizer` | keeps the recognizer's first choice |
/// | `editorial-formatting` | the same words, with compounds written as a short list requires |
/// | `redundant-name` | the same words without the start of a name that was recognized twice |
/// | `contextual-phrase` | the same words except for a phrase that the surrounding words decide |
/// | `language-model` | a language model chose another candidate before the deadline |
/// | `user` | a person chose it |
/// | `correction` | a person wrote it, or confirmed it word by word; it is no candidate of the recognizer |
/// | `paragraph` | a person wrote it as the text of a paragraph, with its marks; it is no candidate of the recognizer |
package enum RerankingRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// The recognizer's first choice.
  case recognizer
  /// The same words, with compounds written as a short list requires.
  case editorialFormatting = "editorial-formatting"
  /// The same words without the start of a name that was recognized twice.
  case redundantName = "redundant-name"
  /// The same words except for a phrase that the surrounding words decide.
  case contextualPhrase = "contextual-phrase"
  /// A language model chose another candidate before the deadline, see `CandidateJudge`.
  case languageModel = "language-model"
  /// A person chose it, see `TranscriptStore.choose(_:of:in:)`.
  case user
  /// A person wrote it, see `TranscriptStore.correct(_:to:of:in:)`.
  case correction
  /// A person wrote it as the text of a paragraph, with its marks and capitals, see `TranscriptStore.edit(_:to:in:)`.
  case paragraph

  /// Whether a person wrote the text.
  package var isPersons: Bool { self == .correction || self == .paragraph }
}

extension Double? {
  /// A confidence for a reader; `?` if there is none.
  package var twoDecimals: String { map { String(format: "%.2f", $0) } ?? "?" }
}
