import CPocketSphinx
import Foundation
import RecognitionProtocol

extension Decoder {
  private static let alignmentSearch = "alignment"

  func align(_ texts: [[String]]) throws(DecoderError) -> [ServiceHypothesis] {
    let samples = takeUtterance()
    defer { needsSearch = true }
    var aligned: [ServiceHypothesis] = []
    for text in texts { aligned.append(try align(text, with: samples)) }
    return aligned
  }

  /// The words with their times and a score; no words if the audio cannot be these words.
  func align(_ text: [String], with samples: [Int16]) throws(DecoderError) -> ServiceHypothesis {
    let none = ServiceHypothesis(words: [], confidence: nil)
    let grammar = WordGrammar(text, isPronounceable: isPronounceable)
    guard samples.count >= Self.shortest, !grammar.isEmpty else { return none }
    try search(grammar)
    try decodeWhole(samples)
    guard let score, let times = grammar.times(of: words(ps_seg_iter(handle))) else { return none }
    let words = zip(text, times).map { word, time in
      ServiceHypothesis.Word(text: word, start: time.start, end: time.end, confidence: nil)
    }
    var hypothesis = ServiceHypothesis(words: words, confidence: nil)
    hypothesis.score = natural(score) * Self.acousticScale
    return hypothesis
  }

  /// Searches for the words of a grammar alone from now on.
  private func search(_ grammar: WordGrammar) throws(DecoderError) {
    // The sandbox has no paths, so that the library reads memory.
    var text = Array(grammar.machine.utf8)
    let model: OpaquePointer? = text.withUnsafeMutableBytes { bytes in
      guard let file = fmemopen(bytes.baseAddress, bytes.count, "r") else { return nil }
      defer { fclose(file) }
      return fsg_model_read(file, ps_get_logmath(handle), 1)
    }
    guard let model else { throw .decodingFailed("read a grammar") }
    defer { fsg_model_free(model) }
    guard ps_add_fsg(handle, Self.alignmentSearch, model) == 0,
      ps_activate_search(handle, Self.alignmentSearch) == 0
    else { throw .decodingFailed("choose a grammar") }
  }
}
