/// How a speech service decodes the utterances that follow.
public struct ServiceConfiguration: Sendable, Equatable, Codable {
  /// How the audio of an utterance arrives.
  public enum Mode: String, Sendable, Codable {
    /// Whole utterances of a recording, in any order.
    case recording
    /// Audio as it is spoken, with partial results while it comes. What is known of the voice is carried from
    /// utterance to utterance.
    case stream
  }

  /// A language model of one domain.
  public struct LanguageModel: Sendable, Equatable, Codable {
    /// The path of an n-gram model in ARPA's format.
    public var model: String
    /// The path of a dictionary, a word and its phones a line, and lines that begin with `#`; nil if there is
    /// none.
    public var vocabulary: String?
    /// The probability that an utterance is of the domain, 0 to 1; nil is the recognizer's default. Below 0.5
    /// each utterance needs evidence for the domain.
    public var weight: Double?
    /// A digest of the sources. Another model at the same path has another digest.
    public var digest: String
    /// How many words the model has.
    public var wordCount: Int

    package init(model: String, vocabulary: String?, weight: Double?, digest: String, wordCount: Int) {
      (self.model, self.vocabulary, self.weight) = (model, vocabulary, weight)
      (self.digest, self.wordCount) = (digest, wordCount)
    }
  }

  /// The language, such as `en-US` (BCP 47).
  public var locale: String
  /// Whether a recognizer of several languages writes each utterance in the one that it sounds like. The locale then names the
  /// likeliest one, which counts where the sound is not clear.
  public var detectsLanguage = false
  /// Whether the recognizer writes in English what is said in another language.
  public var translates = false
  /// The model and its recognizer.
  public var model: ModelReference
  /// How the audio arrives.
  public var mode: Mode
  /// How many hypotheses an utterance may have, at least 1.
  public var alternatives: Int
  /// Phrases that are likely to be said, at most `maxPhrases`.
  public var contextualStrings: [String]
  /// The most phrases that a service takes.
  public static let maxPhrases = 1000
  /// The number of phrases that makes a list long.
  private static let longList = 500

  /// A language model to use beside the general one.
  public var languageModel: LanguageModel?

  /// The number of phrases that are expected, with the words of a domain.
  package var expectedCount: Int { contextualStrings.count + (languageModel?.wordCount ?? 0) }

  /// Whether so many phrases are expected that most of them are not said.
  package var expectsLongList: Bool { expectedCount >= Self.longList }

  package init(
    locale: String = "en-US", model: ModelReference, mode: Mode = .recording, alternatives: Int = 5,
    contextualStrings: [String] = [], languageModel: LanguageModel? = nil
  ) {
    (self.locale, self.model) = (locale, model)
    (self.mode, self.alternatives) = (mode, alternatives)
    (self.contextualStrings, self.languageModel) = (contextualStrings, languageModel)
  }
}
