import CPocketSphinx
import Foundation
import LanguageModeling
import Sandboxing
import RecognitionProtocol

extension Decoder {
  /// How much a search looks at.
  enum Width {
    case wide
    /// A reading of a whole utterance for another recognizer needs the terms of the domain, and of the other words only that they are
    /// worse or better. Its search costs a fraction: fewer paths are followed, and no second search goes over their words.
    case narrow

    /// The names of the search by the general model, and of that by all models.
    fileprivate var general: String { self == .wide ? "general" : "general, narrow" }
    fileprivate var interpolated: String { self == .wide ? "interpolated" : "interpolated, narrow" }
  }
  /// How much less likely than the likeliest path one may be that a narrow search follows: any path, one that enters a phone, and
  /// one that enters a word. PocketSphinx's own values are 1e-48, 1e-48 and 7e-29.
  private static let narrowBeams = ["beam": 1e-40, "pbeam": 1e-40, "wbeam": 1e-24]

  /// The name of the general model in an interpolation.
  private static let generalModel = "general"
  /// The name of a domain model in an interpolation.
  private static func domainModel(_ index: Int) -> String { "domain\(index)" }
  /// The default weight of a custom language model and of contextual strings: the value at which ordinary speech is not
  /// recognized worse (docs/measurements.md, "Vocabularies").
  private static let usualWeight = 0.04
  /// The smallest share of the domain models for an utterance of their domain.
  private static let shareInDomain = 0.3

  /// A domain model and its weight, from 0 to 1.
  private typealias Part = (model: OpaquePointer, weight: Double)

  /// Loads the custom language model if it is not loaded yet, and builds a model of the contextual strings. Words that are
  /// not in the dictionary are added to it.
  func useModels() throws(DecoderError) {
    var parts: [Part] = []
    defer { for part in parts { ngram_model_free(part.model) } }
    if let wanted = configuration.languageModel {
      if custom == nil { custom = try loaded(wanted) }
      guard let model = custom else { throw .languageModelUnreadable(path: wanted.model) }
      parts.append((ngram_model_retain(model), wanted.weight ?? Self.usualWeight))
    }
    if let phrases = try modelOfPhrases() { parts.append((phrases, Self.usualWeight)) }
    if let former = interpolation { ngram_model_free(former) }
    interpolation = nil
    domainWeight = parts.reduce(0) { $0 + $1.weight }
    for width in [Width.wide, .narrow] { ps_remove_search(handle, width.interpolated) }
    needsSearch = true
    if domainWeight > 0 { interpolation = try interpolated(parts) }
  }

  /// Reads a custom language model, and adds its words to the dictionary.
  private func loaded(_ custom: ServiceConfiguration.LanguageModel) throws(DecoderError) -> OpaquePointer {
    if let vocabulary = custom.vocabulary { try addWords(of: vocabulary) }
    let model = try read(custom.model)
    for number in 0..<Int32(ngram_model_get_counts(model)[0]) {
      guard let word = ngram_word(model, number).map({ String(cString: $0) }) else { continue }
      // The symbols for unknown words, start and end are not spoken.
      if !word.hasPrefix("<") { _ = isPronounceable(word) }
    }
    return model
  }

  /// Uses the models of the configuration from now on.
  func searchByModels() throws(DecoderError) {
    try domainWeight > 0 ? searchByAllModels(.wide) : searchByGeneralModel(.wide)
    needsSearch = false
  }

  /// Uses the general model together with the domain models from now on.
  func searchByAllModels(_ width: Width) throws(DecoderError) {
    guard let interpolation else { throw .decodingFailed("choose a language model") }
    try search(by: interpolation, width.interpolated, width)
  }

  /// Uses the general model alone from now on.
  func searchByGeneralModel(_ width: Width) throws(DecoderError) {
    try search(by: general, width.general, width)
  }

  /// A search is built when it is first needed: that takes long, and 30 MB.
  private func search(by model: OpaquePointer, _ name: String, _ width: Width) throws(DecoderError) {
    if ps_get_lm(handle, name) == nil {
      let settings = ps_get_config(handle)
      let beams = Self.narrowBeams.map { ($0.key, ps_config_float(settings, $0.key)) }
      if width == .narrow {
        for (beam, value) in Self.narrowBeams { ps_config_set_float(settings, beam, value) }
        ps_config_set_bool(settings, "fwdflat", 0)
      }
      defer {
        for (beam, value) in beams { ps_config_set_float(settings, beam, value) }
        ps_config_set_bool(settings, "fwdflat", 1)
      }
      guard ps_add_lm(handle, name, model) == 0 else { throw .decodingFailed("use a language model") }
    }
    guard ps_activate_search(handle, name) == 0 else { throw .decodingFailed("choose a language model") }
  }

  /// The difference that the domain models make to the score of `words`, in PocketSphinx's units.
  func gain(of words: [String]) -> Int {
    guard let model = interpolation else { return 0 }
    defer { ngram_model_set_interp(model, nil, nil) }
    func score() -> Int {
      // The previous word, then the one before it.
      var history = [ngram_wid(model, "<s>")]
      var total = 0
      for word in words + ["</s>"] {
        var used: Int32 = 0
        let number = ngram_wid(model, word)
        total += Int(ngram_ng_score(model, number, &history, Int32(history.count), &used) >> Self.scoreShift)
        history = [number, history[0]]
      }
      return total
    }
    let interpolated = score()
    ngram_model_set_select(model, Self.generalModel)
    return interpolated - score()
  }

  /// Whether a domain model has a word.
  func isOfDomain(_ word: String) -> Bool {
    guard let interpolation else { return false }
    return (0..<Int(ngram_model_set_count(interpolation)) - 1).contains { index in
      guard let model = ngram_model_set_lookup(interpolation, Self.domainModel(index)) else { return false }
      return ngram_wid(model, word) != ngram_unknown_wid(model)
    }
  }

  private func interpolated(_ parts: [Part]) throws(DecoderError) -> OpaquePointer {
    let names = [strdup(Self.generalModel)] + parts.indices.map { strdup(Self.domainModel($0)) }
    defer { for name in names { free(name) } }
    var nameList = names
    var models: [OpaquePointer?] = [general] + parts.map(\.model)
    let share = min(1, max(domainWeight, Self.shareInDomain))
    let weights = [1 - share] + parts.map { share * $0.weight / domainWeight }
    guard
      let set = ngram_model_set_init(
        ps_get_config(handle), &models, &nameList, weights.map { Float(max($0, 1e-6)) }, Int32(models.count))
    else { throw .decodingFailed("interpolate language models") }
    return set
  }

  private func read(_ path: String) throws(DecoderError) -> OpaquePointer {
    guard
      let model = ngram_model_read(
        ps_get_config(handle), path, NGRAM_ARPA, logmath_retain(ps_get_logmath(handle)))
    else { throw .languageModelUnreadable(path: path) }
    return model
  }

  /// A model of the contextual strings; nil if they have no words with a pronunciation.
  private func modelOfPhrases() throws(DecoderError) -> OpaquePointer? {
    var counts = NGramCounts()
    for phrase in configuration.contextualStrings {
      try? counts.add(SpokenWords.words(of: phrase).filter(isPronounceable))
    }
    guard !counts.isEmpty else { return nil }
    var text = Data()
    NGramModel(counts, smoothing: .wittenBell).writeARPA(
      shareAfterUnknown: NGramModel.standardShareAfterUnknown
    ) { text.append($0) }
    guard let file = MemoryFile(text) else {
      throw .decodingFailed("write a model of the contextual strings")
    }
    return try read(file.path)
  }

  /// Adds the words of a dictionary file that are not in the decoder's own dictionary.
  private func addWords(of path: String) throws(DecoderError) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .languageModelUnreadable(path: path)
    }
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { throw .languageModelUnreadable(path: path) }
      let word = String(parts[0])
      // Further pronunciations end with their number, and follow the first pronunciation of the word.
      let isFurther = word.hasSuffix(")")
      let base = isFurther ? String(word.prefix { $0 != "(" }) : word
      if isFurther ? addedWords.contains(base) : !isKnown(word),
        ps_add_word(handle, word, String(parts[1]), 0) >= 0
      {
        addedWords.insert(base)
      }
    }
  }

  private func isKnown(_ word: String) -> Bool {
    guard let known = ps_lookup_word(handle, word) else { return false }
    free(known)
    return true
  }

  /// Whether the dictionary has a word. A missing word is added with the pronunciations that its spelling may have.
  func isPronounceable(_ word: String) -> Bool {
    if isKnown(word) { return true }
    let spelled = SpelledPronunciation.phones(of: word)
    guard let derived = pronouncer?.phones(of: word) ?? spelled, ps_add_word(handle, word, derived, 0) >= 0
    else { return false }
    if let spelled, spelled != derived { ps_add_word(handle, "\(word)(2)", spelled, 0) }
    return true
  }

  /// The phones of each pronunciation of a word, separated by spaces.
  func pronunciations(of word: String) -> [String] {
    var found: [String] = []
    while let phones = ps_lookup_word(handle, found.isEmpty ? word : "\(word)(\(found.count + 1))") {
      found.append(String(cString: phones))
      free(phones)
    }
    return found
  }
}
