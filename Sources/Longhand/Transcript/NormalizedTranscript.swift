/// A transcript's text as its domain writes it: a second text, labelled, that never takes the place of the first.
public struct NormalizedTranscript: Sendable, Hashable, Codable {
  /// What made it.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// Declared corrections and names.
    case vocabulary
    /// Those, and a language model that stayed with what was said.
    case vocabularyAndLanguageModel = "vocabulary+language model"
  }

  /// Why a place reads as it does.
  public enum Provenance: String, Sendable, Hashable, Codable, CaseIterable {
    /// A correction says so.
    case declaredCorrection
    /// A name was said as it is written, but for capitals and marks.
    case exactMatch
    /// A name sounds and is written much like what was heard.
    case fuzzyMatch
    /// A language model wrote it.
    case languageModel
  }

  /// A place that reads otherwise than the transcript.
  public struct Span: Sendable, Hashable, Codable {
    /// Why.
    public var provenance: Provenance
    /// The place in the transcript's text, as offsets into its UTF-8.
    public var source: Range<Int>
    /// The place in `text`, as offsets into its UTF-8.
    public var target: Range<Int>
    /// What stands in the transcript.
    public var heard: String
    /// What stands in `text`.
    public var text: String
    /// How well they fit, 0 to 1, where it is a match.
    public var score: Double?

    /// Each field by its name.
    public init(
      provenance: Provenance, source: Range<Int>, target: Range<Int>, heard: String, text: String,
      score: Double? = nil
    ) {
      self.provenance = provenance
      self.source = source
      self.target = target
      self.heard = heard
      self.text = text
      self.score = score
    }
  }

  /// The text. Outside of `spans` it is the transcript's, byte for byte.
  public var text: String
  /// The names that were said, as they were declared, in order of appearance, each once.
  public var extractedTerms: [String]
  /// Where `text` differs from the transcript, in order; they do not overlap.
  public var spans: [Span]
  /// What made it.
  public var by: Method

  /// Each field by its name.
  public init(text: String, extractedTerms: [String] = [], spans: [Span] = [], by: Method = .vocabulary) {
    self.text = text
    self.extractedTerms = extractedTerms
    self.spans = spans
    self.by = by
  }
}
