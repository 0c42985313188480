import Foundation
import RecognitionProtocol

extension SFSpeechLanguageModel {
  /// The files of a prepared model, and its weight.
  ///
  /// `@unchecked Sendable`, because the class is open, as on Apple platforms: its properties are set once, before it is used.
  open class Configuration: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The language model's file.
    open private(set) var languageModel: URL
    /// The vocabulary's file; nil if the model has no pronunciations.
    open private(set) var vocabulary: URL?
    /// The weight of the model relative to the general model, from 0 to 1; nil is the default.
    open private(set) var weight: NSNumber?
    /// Whether the words are expected in every language, in others than the model's own by their spelling. Apple's
    /// framework has no such thing.
    package var isForAllLanguages = false

    /// Creates a configuration without a vocabulary.
    public convenience init(languageModel: URL) { self.init(languageModel: languageModel, vocabulary: nil) }

    /// Creates a configuration with a vocabulary and the default weight.
    public convenience init(languageModel: URL, vocabulary: URL?) {
      self.init(languageModel: languageModel, vocabulary: vocabulary, weight: nil)
    }

    /// Creates a configuration with a weight from 0 to 1: how likely an utterance is about the domain. Nil is
    /// the recognizer's default, 0.04. From 0.5 on, the domain's words do not need more evidence than others.
    public init(languageModel: URL, vocabulary: URL?, weight: NSNumber?) {
      self.languageModel = languageModel
      self.vocabulary = vocabulary
      self.weight = weight
      super.init()
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a configuration that `encode(with:)` encoded; nil if the archive has none.
    public required init?(coder: NSCoder) {
      guard let model = coder.decodeObject(of: NSURL.self, forKey: "languageModel") else { return nil }
      languageModel = model as URL
      vocabulary = coder.decodeObject(of: NSURL.self, forKey: "vocabulary") as URL?
      weight = coder.decodeObject(of: NSNumber.self, forKey: "weight")
      super.init()
    }

    /// Encodes the URLs of the files and the weight.
    open func encode(with coder: NSCoder) {
      coder.encode(languageModel as NSURL, forKey: "languageModel")
      coder.encode(vocabulary as NSURL?, forKey: "vocabulary")
      coder.encode(weight, forKey: "weight")
    }

    /// Returns the same object, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the files and the weight are the same.
    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Configuration else { return false }
      return languageModel == other.languageModel && vocabulary == other.vocabulary && weight == other.weight
    }

    /// Hashes the URLs of the files.
    open override var hash: Int {
      var hasher = Hasher()
      hasher.combine(languageModel)
      hasher.combine(vocabulary)
      return hasher.finalize()
    }
  }
}

extension SFSpeechLanguageModel.Configuration {
  /// The model as the speech service needs it.
  /// - Parameter locale: the recognizer's language (BCP 47).
  /// - Throws: `SFSpeechError.malformedSupplementalModel` if the model does not exist or is only for another language.
  func attachment(locale: String) throws -> ServiceConfiguration.LanguageModel {
    let prepared = try PreparedLanguageModel(at: languageModel)
    let isOwn = prepared.header.locale == locale
    guard isOwn || isForAllLanguages else {
      throw SFSpeechError.malformedData(
        "\(languageModel.path) is a language model for \(prepared.header.locale), and the recognizer is for \(locale)."
      )
    }
    if let vocabulary, PreparedLanguageModel.header(of: vocabulary) != prepared.header {
      throw SFSpeechError.malformedData(
        "\(vocabulary.path) is not the vocabulary that was prepared with \(languageModel.path). Prepare both again."
      )
    }
    if let weight, !(0...1).contains(weight.doubleValue) {
      throw SFSpeechError.malformedData(
        "The weight of a language model is \(weight); it must be from 0 to 1.")
    }
    return ServiceConfiguration.LanguageModel(
      model: languageModel.path, vocabulary: isOwn ? vocabulary?.path : nil, weight: weight?.doubleValue,
      digest: prepared.header.digest, wordCount: prepared.wordCount)
  }
}
