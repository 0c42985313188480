/// One hypothesis for an utterance.
public struct ServiceHypothesis: Sendable, Equatable, Codable {
  /// How a recognizer came to a hypothesis.
  public enum Source: String, Sendable, Codable {
    /// The recognizer's own best path, or its list of best paths.
    case best
    /// A search over several paths of a recognizer that normally follows one.
    case beam
    /// The same sound, decoded in another window.
    case shifted
    /// The embedded recognizer, where a neural model found no words in speech.
    case embedded
    /// A search that prefers the phrases of the configuration, or the best path with a phrase that this search found. Where a
    /// confidence would count the preference, it is absent.
    case biased
    /// A text of the search that a second network prefers to the likeliest one.
    case elected
    /// The likeliest text of a search, where a second network prefers another one.
    case outvoted
    /// The language model or the phrases of a domain, which explain the speech better than everyday language.
    case domain
  }

  /// One word of a hypothesis.
  public struct Word: Sendable, Equatable, Codable {
    /// The word as the dictionary spells it, without the mark of a second pronunciation.
    public var text: String
    /// Seconds from the start of the utterance.
    public var start: Double
    /// Seconds from the start of the utterance.
    public var end: Double
    /// The posterior of the word, 0 to 1; 0 in a partial result, and nil if the recognizer has none.
    public var confidence: Double?
    /// The probability that the word is right, 0 to 1; nil if the recognizer is not calibrated, so that its confidence is
    /// all that is known.
    public var probability: Double?
    /// The probability that a second network gives the word, 0 to 1; nil if none was asked. Only the service's calibration uses it,
    /// and `Benchmarks/Confidence`, which fits that.
    public var second: Double?
    /// Whether it is a word of the domain; nil if this is not known.
    public var isOfDomain: Bool?
    /// Whether a space is before it, in writing that has none between words; nil elsewhere.
    public var isSpaced: Bool?

    package init(
      text: String, start: Double, end: Double, confidence: Double?, probability: Double? = nil
    ) {
      (self.text, self.start, self.end) = (text, start, end)
      (self.confidence, self.probability) = (confidence, probability)
    }
  }

  /// A language that was recognized by its sound.
  public struct Language: Sendable, Equatable, Codable {
    /// The language (BCP 47), such as `de`.
    public var code: String
    /// The probability that it is this one, 0 to 1.
    public var probability: Double

    package init(code: String, probability: Double) {
      (self.code, self.probability) = (code, probability)
    }
  }

  /// The words in order, without fillers such as silence.
  public var words: [Word]
  /// The posterior of the hypothesis among those offered, 0 to 1; 0 in a partial result, and nil if the recognizer has
  /// none.
  public var confidence: Double?
  /// How the recognizer came to it.
  public var source: Source
  /// How well words that were aligned fit the audio: the logarithm of a likelihood, to be compared with that of other words in
  /// the same audio. Nil for words that were recognized.
  public var score: Double?
  /// Of an elected text: how much likelier than the outvoted one both networks together find it, as a logarithm.
  public var election: Double?
  /// How likely the text is among those that a second network compared, by both networks, 0 to 1; nil if it was not compared. Used
  /// as `Word.second` is.
  public var share: Double?
  /// The language that the utterance sounds like, or, if it is detected, the one in which it is written; nil if the recognizer
  /// does not know. It is also known of an utterance without words.
  public var language: Language?

  package init(words: [Word], confidence: Double?, source: Source = .best) {
    (self.words, self.confidence, self.source) = (words, confidence, source)
  }

  /// Reads a hypothesis. A list of words that is too long is not read to its end.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    words = try values.list(forKey: .words, maxCount: Self.maxWords)
    confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
    source = try values.decodeIfPresent(Source.self, forKey: .source) ?? .best
    language = try values.decodeIfPresent(Language.self, forKey: .language)
    score = try values.decodeIfPresent(Double.self, forKey: .score)
    election = try values.decodeIfPresent(Double.self, forKey: .election)
    share = try values.decodeIfPresent(Double.self, forKey: .share)
  }

  /// The words, separated by spaces.
  public var text: String { words.map(\.text).joined(separator: " ") }

  /// Lets each word begin where the one before it ends, or later: a client refuses other times. Words that were found in
  /// different parts of the audio may overlap a little.
  package mutating func putInOrder() {
    var reached = 0.0
    for index in words.indices {
      words[index].start = max(words[index].start, reached)
      words[index].end = max(words[index].end, words[index].start)
      reached = words[index].end
    }
  }
}
