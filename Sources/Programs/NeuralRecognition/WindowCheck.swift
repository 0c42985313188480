import Foundation
import RecognitionProtocol
import SentenceFormatting

/// Whether what a decoder wrote for a window can be what was said. Decoders that write freely run in circles, and write in
/// silence what they often saw beside silence.
package struct WindowCheck: Equatable {
  /// Tokens among which repetition is counted.
  private static let window = 32
  /// The entropy, in nats, of the tokens in a window that is a loop. 32 different tokens have 3.5.
  private static let minEntropy = 2.4
  /// A text whose tokens are less likely, as the mean logarithm, is decoded again.
  private static let minLogProbability = -1.0
  /// A text whose tokens are still less likely was not said.
  private static let minSpoken = -1.25
  /// The probability of a window without speech above which a text was not said unless its tokens are likelier than
  /// `minBesideNoSpeech`. Measured: 21 clips of speech have 0.2 at most, 34 of noise, music and silence 0.2 to 0.96; what
  /// tiny.en writes in silence ("you") has a mean of -0.8.
  private static let maxNoSpeech = 0.6
  private static let minBesideNoSpeech = -0.4
  /// The probability of a window without speech up to which it has speech (measured above).
  private static let maxBesideSpeech = 0.2

  /// The smallest entropy of the tokens in a window of 32; nil if there are fewer.
  package let entropy: Double?
  package let meanLogProbability: Double
  /// The probability that there is no speech, as the network says it.
  package let noSpeech: Double
  private let isComplete: Bool
  private let repeats: Bool

  package init(_ sequence: TokenSequence, noSpeech: Double) {
    entropy = Self.entropy(sequence.tokens)
    meanLogProbability = sequence.meanLogProbability
    self.noSpeech = noSpeech
    isComplete = sequence.isComplete
    repeats = RepetitionCheck.withoutLoops(sequence.tokens) { $0 == $1 }.count < sequence.tokens.count
  }

  /// Whether the window should be decoded again.
  package var hasFailed: Bool {
    isLoop || repeats || !isComplete || meanLogProbability < Self.minLogProbability
  }

  /// Whether the tokens go round in a circle, for longer than people do. A sentence that is said three times is none.
  package var isLoop: Bool { entropy.map { $0 < Self.minEntropy } ?? false }

  /// Whether the network surely hears speech.
  package var hearsSpeech: Bool { noSpeech <= Self.maxBesideSpeech }

  /// Whether another decoding of the same audio counts instead.
  /// - Parameters:
  ///   - isEmpty: whether this one has no words.
  ///   - isOtherEmpty: whether the other one has none.
  package func isReplaced(by other: WindowCheck, isEmpty: Bool, isOtherEmpty: Bool) -> Bool {
    if isEmpty, !isOtherEmpty, !other.hasFailed { return true }
    // Silence is likely to itself. Words in what is surely speech, and no loop, stay.
    if !isEmpty, isOtherEmpty, !isLoop, hearsSpeech, other.hearsSpeech { return false }
    if hasFailed != other.hasFailed { return hasFailed }
    return other.meanLogProbability > meanLogProbability
  }

  /// Whether the text was invented.
  package var isInvented: Bool {
    meanLogProbability < Self.minSpoken
      || meanLogProbability < Self.minBesideNoSpeech && noSpeech > Self.maxNoSpeech
  }

  private static func entropy(_ tokens: [Int]) -> Double? {
    guard tokens.count >= window else { return nil }
    var counts: [Int: Int] = [:]
    for token in tokens.prefix(window) { counts[token, default: 0] += 1 }
    var smallest = entropy(counts)
    for index in window..<tokens.count {
      counts[tokens[index - window], default: 1] -= 1
      counts[tokens[index], default: 0] += 1
      smallest = min(smallest, entropy(counts))
    }
    return smallest
  }

  private static func entropy(_ counts: [Int: Int]) -> Double {
    counts.values.reduce(0) { sum, count in
      let share = Double(count) / Double(window)
      return count > 0 ? sum - share * log(share) : sum
    }
  }
}

extension [RecognizedTokens.Token] {
  /// The tokens without what a decoder that goes round in a circle writes again. People count in circles, too.
  /// - Parameter canBeSaid: whether a round stays that the audio has time for; otherwise only the first one does.
  package func withoutLoops(canBeSaid: Bool) -> [RecognizedTokens.Token] {
    RepetitionCheck.withoutLoops(self, isSame: { $0.bytes == $1.bytes }) { all, length in
      let firsts = stride(from: all.startIndex, to: all.endIndex, by: length)
      guard canBeSaid, let last = all.last, let start = last.start else { return 1 }
      let starts = firsts.compactMap { all[$0].start }
      guard starts.count * length == all.count else { return 1 }
      let text = String(decoding: all.prefix(length).flatMap(\.bytes), as: UTF8.self)
      let words = text.writtenWords.count { range in text[range].contains { $0.isLetter || $0.isNumber } }
      return RepetitionCheck.possibleRounds(
        starts + [start + (last.duration ?? 0)], words: Swift.max(1, words))
    }
  }
}
