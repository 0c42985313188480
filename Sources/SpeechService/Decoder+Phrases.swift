import CPocketSphinx
import Foundation

extension Decoder {
  private static let generalSearch = "_default"
  private static let phraseSearch = "phrases"
  /// The share of the phrases in the interpolated model.
  private static let phraseWeight: Float = 0.1

  /// Makes phrases likelier: words that the dictionary lacks are added to it, and a model of the phrases is
  /// interpolated with the general one.
  func prefer(_ phrases: [String]) throws(DecoderError) {
    let spelled = phrases.map { phrase in
      phrase.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init).filter(isPronounceable)
    }.filter { !$0.isEmpty }
    guard !spelled.isEmpty else {
      guard ps_activate_search(handle, Self.generalSearch) == 0 else {
        throw .decodingFailed("choose a model")
      }
      return
    }
    let file = NSTemporaryDirectory() + "/speech-service-\(getpid())-\(UUID().uuidString).arpa"
    defer { unlink(file) }
    guard
      (try? PhraseModel(phrases: spelled).arpa.write(toFile: file, atomically: false, encoding: .utf8)) != nil
    else { throw .decodingFailed("write a model of the phrases") }
    guard let general = ps_get_lm(handle, Self.generalSearch),
      let special = ngram_model_read(
        ps_get_config(handle), file, NGRAM_ARPA, logmath_retain(ps_get_logmath(handle)))
    else { throw .decodingFailed("read a model of the phrases") }
    defer { ngram_model_free(special) }
    let names: [UnsafeMutablePointer<CChar>?] = [strdup("general"), strdup("phrases")]
    defer { for name in names { free(name) } }
    var models: [OpaquePointer?] = [general, special]
    var nameList = names
    let weights = [1 - Self.phraseWeight, Self.phraseWeight]
    guard let both = ngram_model_set_init(ps_get_config(handle), &models, &nameList, weights, 2) else {
      throw .decodingFailed("interpolate the models")
    }
    defer { ngram_model_free(both) }
    guard ps_add_lm(handle, Self.phraseSearch, both) == 0,
      ps_activate_search(handle, Self.phraseSearch) == 0
    else { throw .decodingFailed("choose a model") }
  }

  /// Whether the dictionary has a word; one that it lacks is added if its spelling says how it sounds.
  private func isPronounceable(_ word: String) -> Bool {
    if let known = ps_lookup_word(handle, word) {
      free(known)
      return true
    }
    guard let phones = pronouncer?.phones(of: word) else { return false }
    return ps_add_word(handle, word, phones, 0) >= 0
  }
}
