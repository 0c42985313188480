import CPocketSphinx
import Foundation
import LanguageModeling

extension Decoder {
  private static let generalSearch = "general"
  private static let interpolatedSearch = "interpolated"
  /// The general model's name among those of an interpolation.
  private static let generalModel = "general"
  /// The weight of a custom language model that asks for none, and that of contextual strings: the least at
  /// which the worst of ordinary clips stays as it is (README, "A domain's words").
  private static let usualWeight = 0.04
  /// The least share of the models beside the general one in an utterance that is of their domain.
  private static let shareInDomain = 0.3

  /// A model beside the general one, and how much it counts: 0 to 1.
  private typealias Part = (model: OpaquePointer, weight: Double)

  /// Puts the custom language model and a model of the contextual strings beside the general one. Words that
  /// the dictionary lacks are added to it.
  func useModels() throws(DecoderError) {
    var parts: [Part] = []
    defer { for part in parts { ngram_model_free(part.model) } }
    if let custom = configuration.languageModel {
      if let vocabulary = custom.vocabulary { try addWords(of: vocabulary) }
      let model = try read(custom.model)
      parts.append((model, custom.weight ?? Self.usualWeight))
      for place in 0..<Int32(ngram_model_get_counts(model)[0]) {
        guard let word = ngram_word(model, place).map({ String(cString: $0) }) else { continue }
        // What stands for unknown words, and for the beginning and the end, is not spoken.
        if !word.hasPrefix("<") { _ = isPronounceable(word) }
      }
    }
    if let phrases = try modelOfPhrases() { parts.append((phrases, Self.usualWeight)) }
    if let former = interpolation { ngram_model_free(former) }
    interpolation = nil
    domainWeight = parts.reduce(0) { $0 + $1.weight }
    guard domainWeight > 0 else { return try searchByGeneralModel() }
    let model = try interpolated(parts)
    interpolation = model
    guard ps_add_lm(handle, Self.interpolatedSearch, model) == 0 else {
      throw .decodingFailed("use a language model")
    }
    try searchByAllModels()
  }

  /// Decodes what follows by the general model and those beside it.
  func searchByAllModels() throws(DecoderError) {
    guard ps_activate_search(handle, Self.interpolatedSearch) == 0 else {
      throw .decodingFailed("choose a language model")
    }
  }

  /// Decodes what follows by the general model alone. Its search is built when it is first needed, since that
  /// takes long.
  func searchByGeneralModel() throws(DecoderError) {
    guard ps_get_lm(handle, Self.generalSearch) != nil || ps_add_lm(handle, Self.generalSearch, general) == 0,
      ps_activate_search(handle, Self.generalSearch) == 0
    else { throw .decodingFailed("choose a language model") }
  }

  /// How much the models beside the general one raise the score of `words`, in PocketSphinx's units.
  func gain(of words: [String]) -> Int {
    guard let model = interpolation else { return 0 }
    defer { ngram_model_set_interp(model, nil, nil) }
    func score() -> Int {
      // The word before, then the one before that.
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

  private func interpolated(_ parts: [Part]) throws(DecoderError) -> OpaquePointer {
    let names = [strdup(Self.generalModel)] + parts.indices.map { strdup("domain\($0)") }
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

  /// A model of the contextual strings; nil if they hold nothing that could be said.
  private func modelOfPhrases() throws(DecoderError) -> OpaquePointer? {
    var counts = NGramCounts()
    for phrase in configuration.contextualStrings {
      try? counts.add(SpokenWords.words(of: phrase).filter(isPronounceable))
    }
    guard !counts.isEmpty else { return nil }
    let file = NSTemporaryDirectory() + "/speech-service-\(getpid())-\(UUID().uuidString).arpa"
    defer { unlink(file) }
    var text = Data()
    NGramModel(counts, smoothing: .wittenBell).writeARPA(
      shareAfterUnknown: NGramModel.standardShareAfterUnknown
    ) { text.append($0) }
    guard FileManager.default.createFile(atPath: file, contents: text, attributes: [.posixPermissions: 0o600])
    else {
      throw .decodingFailed("write a model of the contextual strings")
    }
    return try read(file)
  }

  /// Adds the words of a dictionary file that the decoder's own dictionary lacks.
  private func addWords(of path: String) throws(DecoderError) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .languageModelUnreadable(path: path)
    }
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { throw .languageModelUnreadable(path: path) }
      let word = String(parts[0])
      // Further pronunciations of a word have its number behind them: they follow a first that was added.
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

  /// Whether the dictionary has a word; one that it lacks is added if its spelling says how it sounds.
  private func isPronounceable(_ word: String) -> Bool {
    if isKnown(word) { return true }
    guard let phones = pronouncer?.phones(of: word) else { return false }
    return ps_add_word(handle, word, phones, 0) >= 0
  }
}
