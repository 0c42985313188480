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

  /// Encodes the audio of the texts that are asked about next.
  /// - Parameter frames: the length of the encoder's context.
  /// - Returns: whether the network has so long a context.
  func hear(_ samples: [Float], frames: Int) throws(NeuralError) -> Bool {
    guard frames <= Int(model.facts.audio_frames) else { return false }
    try model.encode(samples, frames: frames)
    return true
  }

  /// How much likelier than the first text each text is, as a logarithm.
  /// - Returns: nil if a text cannot be compared.
  func evidence(for texts: [String]) throws(NeuralError) -> [Double]? {
    let tokens = texts.compactMap { self.tokens(of: $0) }
    guard let first = tokens.first, tokens.count == texts.count else { return nil }
    let ranges = tokens.dropFirst().map { Self.difference(first, $0) }
    guard let start = ranges.map(\.first.lowerBound).min(), let end = ranges.map(\.first.upperBound).max()
    else {
      return [0]
    }
    let known = try logProbabilities(of: first, at: start...end)
    var evidence: [Double] = [0]
    for (other, range) in zip(tokens.dropFirst(), ranges) {
      let places = range.first.lowerBound - start...range.first.upperBound - start
      let sum = try logProbabilities(of: other, at: range.other).reduce(0, +)
      evidence.append(sum - known[places].reduce(0, +))
    }
    return evidence
  }

  /// How likely tokens of a text are.
  /// - Parameter isAsked: whether a token is asked about, by the byte of the text at which it begins.
  /// - Returns: each of these tokens of this network with its first byte and the logarithm of its probability; nil if the text
  ///   cannot be scored.
  func logProbabilities(
    of text: String, where isAsked: (Int) -> Bool
  ) throws(NeuralError) -> [(start: Int, logProbability: Double)]? {
    guard let tokens = tokens(of: text) else { return nil }
    var starts = [0]
    for token in tokens { starts.append(starts[starts.count - 1] + model.bytes(token).count) }
    let places = tokens.indices.filter { isAsked(starts[$0]) }
    let found = try logProbabilities(of: tokens, at: places)
    return zip(places, found).map { (starts[$0], $1) }
  }

  /// nil for a text that cannot be scored.
  private func tokens(of text: String) -> [Int]? {
    encoder.tokens(of: text).flatMap {
      $0.isEmpty || $0.count >= Int(model.facts.text_tokens) / 2 ? nil : $0
    }
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
  private func logProbabilities(
    of text: [Int], at places: some Collection<Int>
  ) throws(NeuralError) -> [Double] {
    guard let last = places.max() else { return [] }
    model.remove(0)
    let end = Int(model.facts.end_of_text)
    // What comes after the last place does not change what is said of it.
    let steps = (prompt + text).prefix(prompt.count + last).enumerated()
      .map { TokenStep(token: $0.element, position: $0.offset) }
    let wanted = steps.indices.map { places.contains($0 + 1 - prompt.count) }
    let rows = try model.next(steps, lengths: wanted.map { $0 ? end + 1 : 0 })
    return zip(places, rows).map { Double($1[$0 < text.count ? text[$0] : end]) }
  }
}
