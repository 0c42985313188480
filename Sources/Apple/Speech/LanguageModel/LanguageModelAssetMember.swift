/// The members of a file of custom language model data.
enum LanguageModelAssetMember {
  static let information = "asset_info.json"
  /// W3C's Pronunciation Lexicon Specification 1.0.
  static let pronunciations = "custom-prons"
  /// A count, a tab, a phrase and a line feed, again and again.
  static let phrases = "phrase-count"
}
