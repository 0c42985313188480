import Foundation
import SentenceFormatting

/// A stretch of speech between two pauses, or between the ends of sentences: the recognizer's candidates for it, and the one that
/// was selected.
public struct Segment: Sendable, Hashable, Codable, Identifiable {
  /// Which candidate was selected, and by which rule.
  public struct Selection: Sendable, Hashable, Codable {
    /// The index in `candidates`.
    public var index: Int
    /// The name of the rule, see `RerankingRule`.
    public var rule: String
    /// What a language model answered; nil if none was asked.
    package var judgement: CandidateSelectionRecord.Judgement?

    package init(index: Int, rule: String, judgement: CandidateSelectionRecord.Judgement? = nil) {
      self.index = index
      self.rule = rule
      self.judgement = judgement
    }

    /// The recognizer's first choice.
    public static let recognizer = Selection(index: 0, rule: "recognizer")
  }

  /// What a person decided about a paragraph. The names are stored and never change.
  public enum ParagraphEdge: String, Sendable, Hashable, Codable {
    /// A paragraph begins with the segment.
    case begins
    /// The segment goes on with the paragraph before it.
    case continues
  }

  /// The key in the session, which never changes and is never used again. A transcript that is not stored counts from 0 in the
  /// order of the segments; a stored one may have divided segments, whose parts have later keys.
  public var id: Int
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The recognizer's candidates, its first choice first; never empty.
  public var candidates: [Candidate]
  /// The candidate that was selected.
  public var selection: Selection
  /// 0 for the first version; one more for every correction.
  public var revision: Int
  /// The channel of the recording that was recognized, from 0; nil if all channels were mixed.
  public var channel: Int?
  /// Whether a paragraph begins here, where a person decided that; nil where pauses and speakers decide.
  public var paragraph: ParagraphEdge?
  /// Who said most of it; nil if unknown. Each word has its own `speaker`. The store does not keep labels with segments;
  /// it adds them when it reads, see `SessionSpeakers`.
  public var speaker: SpeakerLabel?

  /// Creates a segment.
  /// - Precondition: the selection is the index of a candidate.
  public init(
    id: Int, start: TimeInterval, end: TimeInterval, candidates: [Candidate],
    selection: Selection = .recognizer, revision: Int = 0, channel: Int? = nil
  ) {
    precondition(candidates.indices.contains(selection.index), "the selection must be one of the candidates")
    self.id = id
    self.start = start
    self.end = end
    self.candidates = candidates
    self.selection = selection
    self.revision = revision
    self.channel = channel
  }

  /// The selected candidate.
  public var chosen: Candidate { candidates[selection.index] }
  /// The text of the selected candidate.
  public var text: String { chosen.text }
  /// The words of the selected candidate, with their times.
  public var words: [Word] { chosen.words }
  /// The recognizer's confidence in the selected candidate, 0 to 1; nil if the recognizer reports none.
  public var confidence: Double? { chosen.confidence }
  /// The language (BCP 47), where it was detected for each part of the recording; else nil, and it is that of the transcript.
  public var language: String? { candidates.lazy.compactMap(\.language).first }
}

/// One of the texts that the recognizer offers for a segment.
public struct Candidate: Sendable, Hashable, Codable {
  /// The whole text.
  public var text: String
  /// The words of `text`, in order, with their times.
  public var words: [Word]
  /// The recognizer's confidence, 0 to 1; nil if the recognizer reports none.
  public var confidence: Double?
  /// How the recognizer came to it where that is not its own best path, such as `beam` or `biased`; `Candidate.person` if
  /// a person wrote it.
  public var source: String?
  /// The language (BCP 47), where it was detected for each part of the recording; nil for that of the transcript.
  public var language: String?

  /// The source of a candidate that a person wrote. The recognizer has not produced it.
  public static let person = "person"

  /// Creates a candidate.
  public init(
    text: String, words: [Word], confidence: Double?, source: String? = nil, language: String? = nil
  ) {
    self.text = text
    self.words = words
    self.confidence = confidence
    self.source = source
    self.language = language
  }
}

/// One word of a candidate, with its time.
public struct Word: Sendable, Hashable, Codable {
  /// The word as the recognizer writes it.
  public var text: String
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The recognizer's confidence, 0 to 1; nil if the recognizer reports none.
  public var confidence: Double?
  /// The `Speaker.id` of its speaker; nil if unknown. Only the words of selected candidates have it.
  public var speaker: String?
  /// How probable it is that this speaker said it, 0 to 1; nil for a channel and a person, and where it is not known.
  public var speakerConfidence: Double?
  /// Whether it is the echo of another channel, see `EchoWord`; readers leave it out. The store adds it when it reads.
  public var isEcho = false
  /// How the voice ends the word before a pause; nil where it was not measured.
  package var voice: WordVoice?
  /// How a punctuation model writes the word; nil where none was asked.
  package var marks: WordMarks?

  /// Creates a word.
  public init(text: String, start: TimeInterval, end: TimeInterval, confidence: Double?) {
    self.text = text
    self.start = start
    self.end = end
    self.confidence = confidence
  }
}

extension Segment {
  /// Why the segment cannot be, as the end of a sentence; nil if it can be.
  package var defect: String? {
    guard TimeInterval.arePossible(start, end) else { return "has impossible times" }
    return candidates.lazy.compactMap(\.defect).first
  }
}

extension Candidate {
  /// Why the candidate cannot be, as the end of a sentence; nil if it can be.
  var defect: String? {
    guard words.allSatisfy({ TimeInterval.arePossible($0.start, $0.end) }) else {
      return "has a word with impossible times"
    }
    guard zip(words, words.dropFirst()).allSatisfy({ $0.start <= $1.start }) else {
      return "has words that are not in order"
    }
    return nil
  }
}

extension [Segment] {
  /// Whether a punctuation model wrote any of the words.
  package var areMarked: Bool { contains { $0.words.contains { $0.marks != nil } } }
}

extension TimeInterval {
  /// No audio is longer, in seconds: 31 years. Greater numbers of frames may not fit into an integer.
  package static let longestAudio = 1e9

  /// Whether there can be audio from one time to another, in seconds from the start.
  package static func arePossible(_ start: TimeInterval, _ end: TimeInterval) -> Bool {
    // A comparison with a number that is not one is false.
    0 <= start && start <= end && end <= longestAudio
  }
}
