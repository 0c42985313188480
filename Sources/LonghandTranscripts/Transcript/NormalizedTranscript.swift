/// The text of a transcript in the spelling of its domain: a second, labelled text beside the transcript.
public struct NormalizedTranscript: Sendable, Hashable, Codable {
  /// How the text was made.
  public enum Method: String, Sendable, Hashable, Codable, CaseIterable {
    /// With the corrections and names of a vocabulary.
    case vocabulary
    /// With a vocabulary and a language model.
    case vocabularyAndLanguageModel = "vocabulary+language model"
  }

  /// Why a part of the text differs from the transcript.
  public enum Provenance: String, Sendable, Hashable, Codable, CaseIterable {
    /// A declared correction.
    case declaredCorrection
    /// A name with other capitals or punctuation.
    case exactMatch
    /// A name that sounds and is written much like the words of the transcript.
    case fuzzyMatch
    /// A language model wrote it.
    case languageModel
  }

  /// A part of the text that differs from the transcript.
  public struct Span: Sendable, Hashable, Codable {
    /// Why it differs.
    public var provenance: Provenance
    /// The range in the transcript's text, as offsets into its UTF-8.
    public var source: Range<Int>
    /// The range in `text`, as offsets into its UTF-8.
    public var target: Range<Int>
    /// The words of the transcript.
    public var original: String
    /// The words that replace them.
    public var text: String
    /// How well a name matches, 0 to 1; nil if it is no match.
    public var score: Double?

    package init(
      provenance: Provenance, source: Range<Int>, target: Range<Int>, original: String, text: String,
      score: Double? = nil
    ) {
      self.provenance = provenance
      self.source = source
      self.target = target
      self.original = original
      self.text = text
      self.score = score
    }
  }

  /// The position of a name.
  public struct Occurrence: Sendable, Hashable, Codable {
    /// The name, in its declared spelling.
    public var term: String
    /// The range in the transcript's text, as offsets into its UTF-8.
    public var source: Range<Int>
    /// The name's ID in the reader's database, if that was given.
    public var id: String?

    package init(term: String, source: Range<Int>, id: String? = nil) {
      self.term = term
      self.source = source
      self.id = id
    }
  }

  /// How a name was found: `exactMatch` if the transcript has it, except for capitals and punctuation; `fuzzyMatch` if words
  /// that sound like it were replaced.
  public func provenance(of occurrence: Occurrence) -> Provenance {
    spans.first { $0.source.overlaps(occurrence.source) }?.provenance ?? .exactMatch
  }

  /// The text. Outside of `spans` it is the transcript's, byte for byte.
  public var text: String
  /// The names in the text in their declared spelling, in order of appearance, each once.
  public var extractedTerms: [String] { occurrences.map(\.term).eachOnce }
  /// The names in the text, in order of appearance.
  public var occurrences: [Occurrence]
  /// The differences from the transcript, in order, without overlaps.
  public var spans: [Span]
  /// How the text was made.
  public var by: Method

  package init(
    text: String, occurrences: [Occurrence] = [], spans: [Span] = [], by: Method = .vocabulary
  ) {
    self.text = text
    self.occurrences = occurrences
    self.spans = spans
    self.by = by
  }
}
