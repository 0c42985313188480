import Foundation

/// A stretch of speech between two pauses: what the recognizer offered for it, and which of that was chosen.
public struct Segment: Sendable, Hashable, Codable, Identifiable {
  /// Which candidate was chosen, and by which rule.
  public struct Selection: Sendable, Hashable, Codable {
    /// The index into `candidates`.
    public var index: Int
    /// The rule's name, see `RerankingRule`.
    public var rule: String

    /// What became of the question to a language model; nil if it was not put.
    public var judgement: CandidateSelectionRecord.Judgement?

    /// Each field by its name.
    public init(index: Int, rule: String, judgement: CandidateSelectionRecord.Judgement? = nil) {
      self.index = index
      self.rule = rule
      self.judgement = judgement
    }

    /// The recognizer's own first choice.
    public static let recognizer = Selection(index: 0, rule: "recognizer")
  }

  /// The place in the transcript, from 0.
  public var id: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// What the recognizer offered, its first choice first; never empty.
  public var candidates: [Candidate]
  /// What was chosen of it.
  public var selection: Selection
  /// 0 for the first text; one more for every correction.
  public var revision: Int

  /// Each field by its name.
  public init(
    id: Int, start: TimeInterval, end: TimeInterval, candidates: [Candidate],
    selection: Selection = .recognizer, revision: Int = 0
  ) {
    precondition(candidates.indices.contains(selection.index), "the selection must be one of the candidates")
    self.id = id
    self.start = start
    self.end = end
    self.candidates = candidates
    self.selection = selection
    self.revision = revision
  }

  /// The candidate that was chosen.
  public var chosen: Candidate { candidates[selection.index] }
  /// The text that was chosen.
  public var text: String { chosen.text }
  /// The words that were chosen, with their times.
  public var words: [Word] { chosen.words }
  /// How sure the recognizer is of the text that was chosen, 0 to 1.
  public var confidence: Double { chosen.confidence }
}
