import CPocketSphinx
import Foundation
import LanguageModeling

extension Decoder {
  private static let generalSearch = "general"
  private static let interpolatedSearch = "interpolated"
  /// The weight of a custom language model that asks for none.
  private static let usualWeight = 0.3
  /// The weight of contextual strings.
  private static let phraseWeight = 0.1

  /// A model beside the general one, and how much it counts: 0 to 1.
  private typealias Part = (model: OpaquePointer, weight: Double)

  /// Puts the custom language model and a model of the contextual strings beside the general one. Words that the
  /// dictionary lacks are added to it.
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
    if let phrases = try modelOfPhrases() { parts.append((phrases, Self.phraseWeight)) }
    if !parts.isEmpty {
      try use(try interpolated(parts), as: Self.interpolatedSearch)
    } else if ps_get_lm(handle, Self.generalSearch) == nil {
      try use(ngram_model_retain(general), as: Self.generalSearch)
    } else if ps_activate_search(handle, Self.generalSearch) != 0 {
      throw .decodingFailed("choose a language model")
    }
  }

  /// Builds a search over `model`, which is let go, and chooses it.
  private func use(_ model: OpaquePointer, as search: String) throws(DecoderError) {
    defer { ngram_model_free(model) }
    guard ps_add_lm(handle, search, model) == 0, ps_activate_search(handle, search) == 0 else {
      throw .decodingFailed("use a language model")
    }
  }

  private func interpolated(_ parts: [Part]) throws(DecoderError) -> OpaquePointer {
    let names = (0...parts.count).map { strdup("model\($0)") }
    defer { for name in names { free(name) } }
    var nameList = names
    var models: [OpaquePointer?] = [general] + parts.map(\.model)
    let weightOfGeneral = parts.reduce(1) { $0 - $1.weight }
    let weights = ([max(weightOfGeneral, 1e-6)] + parts.map { max($0.weight, 1e-6) }).map(Float.init)
    guard
      let set = ngram_model_set_init(ps_get_config(handle), &models, &nameList, weights, Int32(models.count))
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
      shareAfterUnknown: NGramModel.usualShareAfterUnknown
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
