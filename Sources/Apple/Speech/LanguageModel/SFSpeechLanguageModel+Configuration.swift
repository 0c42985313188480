import Foundation

extension SFSpeechLanguageModel {
  /// Where the files of a prepared model are.
  ///
  /// `@unchecked Sendable`: nothing changes after `init`.
  open class Configuration: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The language model's file.
    open private(set) var languageModel: URL
    /// The vocabulary's file, if there is one.
    open private(set) var vocabulary: URL?
    /// How much the model counts against the general one, 0 to 1; nil is the default.
    open private(set) var weight: NSNumber?

    /// A model without a vocabulary.
    public convenience init(languageModel: URL) { self.init(languageModel: languageModel, vocabulary: nil) }

    /// A model and its vocabulary.
    public convenience init(languageModel: URL, vocabulary: URL?) {
      self.init(languageModel: languageModel, vocabulary: vocabulary, weight: nil)
    }

    /// A model, its vocabulary and its weight, 0 to 1: how likely it is that somebody speaks of its domain. Nil is the
    /// recognizer's default, 0.04; from 0.5 on the domain's words need not be worth more than others.
    public init(languageModel: URL, vocabulary: URL?, weight: NSNumber?) {
      self.languageModel = languageModel
      self.vocabulary = vocabulary
      self.weight = weight
      super.init()
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Reads what `encode(with:)` wrote; nil if it is not that.
    public required init?(coder: NSCoder) {
      guard let model = coder.decodeObject(of: NSURL.self, forKey: "languageModel") else { return nil }
      languageModel = model as URL
      vocabulary = coder.decodeObject(of: NSURL.self, forKey: "vocabulary") as URL?
      weight = coder.decodeObject(of: NSNumber.self, forKey: "weight")
      super.init()
    }

    /// Writes the files' places and the weight.
    open func encode(with coder: NSCoder) {
      coder.encode(languageModel as NSURL, forKey: "languageModel")
      coder.encode(vocabulary as NSURL?, forKey: "vocabulary")
      coder.encode(weight, forKey: "weight")
    }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the files and the weight are the same.
    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Configuration else { return false }
      return languageModel == other.languageModel && vocabulary == other.vocabulary && weight == other.weight
    }

    /// Hashes what `isEqual` compares.
    open override var hash: Int {
      var hasher = Hasher()
      hasher.combine(languageModel)
      hasher.combine(vocabulary)
      return hasher.finalize()
    }
  }
}
