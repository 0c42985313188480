import Foundation
import NeuralRecognition

/// A network that says which of some English texts the audio supports.
final class WhisperWitness {
  /// Tokens after the last one that differs which are compared, too: what follows is likelier after the right word.
  private static let after = 8

  private let model: WhisperModel
  private lazy var encoder = TokenEncoder((0..<Int(model.facts.end_of_text)).map { model.bytes($0) })

  /// What stands before a text.
  private let prompt: [Int]

  init(_ model: WhisperModel) {
    self.model = model
    let facts = model.facts
    let english = model.languages.firstIndex(of: "en").map {
      [Int(facts.first_language) + $0, Int(facts.transcribe)]
    }
    prompt = [Int(facts.start)] + (english ?? []) + [Int(facts.no_timestamps)]
  }

  /// How much likelier than the first text each text is, as a logarithm.
  /// - Parameter frames: the length of the encoder's context.
  /// - Returns: nil if a text cannot be compared.
  func evidence(for texts: [String], in samples: [Float], frames: Int) throws(NeuralError) -> [Double]? {
    let tokens = texts.compactMap { encoder.tokens(of: $0) }
    guard let first = tokens.first, tokens.count == texts.count,
      tokens.allSatisfy({ !$0.isEmpty && $0.count < Int(model.facts.text_tokens) / 2 }),
      frames <= Int(model.facts.audio_frames)
    else { return nil }
    let ranges = tokens.dropFirst().map { Self.difference(first, $0) }
    guard let start = ranges.map(\.first.lowerBound).min(), let end = ranges.map(\.first.upperBound).max()
    else {
      return [0]
    }
    try model.encode(samples, frames: frames)
    let known = try logProbabilities(of: first, at: start...end)
    var evidence: [Double] = [0]
    for (other, range) in zip(tokens.dropFirst(), ranges) {
      let places = range.first.lowerBound - start...range.first.upperBound - start
      let sum = try logProbabilities(of: other, at: range.other).reduce(0, +)
      evidence.append(sum - known[places].reduce(0, +))
    }
    return evidence
  }

  /// The places of the tokens of each text in which they differ, and of those after them. The place after the last token is
  /// that of the end.
  private static func difference(
    _ first: [Int], _ other: [Int]
  ) -> (first: ClosedRange<Int>, other: ClosedRange<Int>) {
    let start = zip(first, other).prefix { $0 == $1 }.count
    let most = min(first.count, other.count) - start
    let equal = zip(first.reversed(), other.reversed()).prefix(most).prefix { $0 == $1 }.count
    let tail = max(0, equal - after)
    return (start...first.count - tail, start...other.count - tail)
  }

  /// The logarithms of the probabilities of some tokens of a text.
  private func logProbabilities(of text: [Int], at places: ClosedRange<Int>) throws(NeuralError) -> [Double] {
    model.remove(0)
    let end = Int(model.facts.end_of_text)
    // What comes after the last place does not change what is said of it.
    let steps = (prompt + text).prefix(prompt.count + places.upperBound).enumerated()
      .map { TokenStep(token: $0.element, position: $0.offset) }
    let wanted = steps.indices.map { places.contains($0 + 1 - prompt.count) }
    let rows = try model.next(steps, lengths: wanted.map { $0 ? end + 1 : 0 })
    return zip(places, rows).map { Double($1[$0 < text.count ? text[$0] : end]) }
  }
}
