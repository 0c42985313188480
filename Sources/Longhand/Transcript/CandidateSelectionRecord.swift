import Foundation

/// How it was decided which candidate of a segment stands, so that it can be explained and undone.
public struct CandidateSelectionRecord: Sendable, Hashable, Codable {
  /// What became of the question to a language model.
  public enum Judgement: String, Sendable, Hashable, Codable {
    /// It named a candidate, be it the first.
    case answered
    /// It could not tell.
    case undecided
    /// It would not read this, with or without context.
    case refused
    /// It answered with what is no candidate.
    case unreadable
    /// It failed.
    case failed
    /// It did not answer in time.
    case timedOut = "timed-out"
    /// It was not asked, because it still thinks about an earlier segment.
    case busy
    /// Whoever asked was cancelled.
    case cancelled
  }

  /// A candidate that could be chosen, for the log.
  public struct Preview: Sendable, Hashable, Codable {
    /// The index into the recognizer's candidates.
    public var index: Int
    /// The beginning of its text.
    public var text: String
    /// How sure the recognizer is, 0 to 1.
    public var confidence: Double
  }

  /// The index into the recognizer's candidates, and the rule's name.
  public var selection: Segment.Selection
  /// The rule.
  public var rule: RerankingRule
  /// How many candidates could be chosen: each text once, with word times where the first has them.
  public var candidateCount: Int
  /// Those candidates, in the recognizer's order, for the log.
  public var previews: [Preview]
  /// What became of the question to a language model; nil if it was not put.
  public var judgement: Judgement?

  /// One line for the log.
  public var summary: String {
    let judged = judgement.map { ", language model \($0.rawValue)" } ?? ""
    let candidates = previews.map { preview in
      "[\(preview.index)] \(String(format: "%.2f", preview.confidence)) \"\(preview.text)\""
    }
    return "\(rule.rawValue): \(selection.index) of \(candidateCount)\(judged); "
      + candidates.joined(separator: ", ")
  }
}

extension CandidateSelectionRecord {
  private static let longestPreview = 60

  /// - Parameter place: into `readings`, which are of `candidates`.
  init(
    _ place: Int, by rule: RerankingRule, among readings: [CandidateWords], of candidates: [Candidate],
    judgement: Judgement? = nil
  ) {
    let index = readings.indices.contains(place) ? readings[place].index : 0
    // The first choice stands on its own authority, whoever agrees.
    let rule = index == 0 ? .recognizer : rule
    selection = Segment.Selection(index: index, rule: rule.rawValue, judgement: judgement)
    self.rule = rule
    candidateCount = readings.count
    previews = readings.map { reading in
      Preview(
        index: reading.index, text: Self.preview(reading.text),
        confidence: candidates[reading.index].confidence)
    }
    self.judgement = judgement
  }

  private static func preview(_ text: String) -> String {
    // Bytes are many times faster than characters.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 }) {
      return text.utf8.count <= longestPreview ? text : Substring(text.utf8.prefix(longestPreview)) + "…"
    }
    let line = String(text.unicodeScalars.prefix(longestPreview))
    let ending = line.utf8.count == text.utf8.count ? "" : "…"
    return line.split(whereSeparator: \.isNewline).joined(separator: " ") + ending
  }
}
