import Foundation

/// How many of the words that a recognizer wrote are probably wrong, by their calibrated confidence.
///
/// Words that were said and not written do not count, nor words that a person wrote or confirmed.
///
/// ```swift
/// if let errors = transcript.expectedErrors {
///   print("about \(errors.rounded) of \(errors.words) words are wrong, \(errors.range) in 9 of 10 recordings")
/// }
/// ```
public struct ExpectedErrors: Sendable, Hashable {
  /// The models whose confidence is calibrated, in English (see `ConfidenceCalibration`), each with how much the share of wrong
  /// words differs between voices and recordings of the same confidence: a standard deviation, relative to the expected number.
  ///
  /// Source: `Benchmarks/Confidence/recordings.py`.
  package static let spreads = ["whisper-base": 0.45, "whisper-tiny-en": 0.45, "pocketsphinx": 0.45]

  /// The expected number of wrong words: the sum of the probabilities that each word is wrong.
  public private(set) var count = 0.0
  /// The number of words that have a confidence.
  public private(set) var words = 0
  private let spread: Double

  /// Counts the words of segments.
  /// - Parameters:
  ///   - model: the name of the recognizer's model; nil if it is not known.
  ///   - locale: the language of segments that have none of their own (BCP 47).
  /// - Returns: nil if the confidence of no word is calibrated.
  package init?(of segments: some Sequence<Segment>, model: String?, locale: String) {
    guard let spread = model.flatMap({ Self.spreads[$0] }) else { return nil }
    self.spread = spread
    // A session has few languages and many segments.
    var isEnglish: [String: Bool] = [:]
    for segment in segments {
      let language = segment.language ?? locale
      let counts = isEnglish[language] ?? Locale(identifier: language).isEnglish
      isEnglish[language] = counts
      guard counts else { continue }
      for confidence in segment.words.lazy.filter({ !$0.isEcho }).compactMap(\.confidence) {
        count += 1 - min(1, max(0, confidence))
        words += 1
      }
    }
    if words == 0 { return nil }
  }

  /// The expected number for a reader.
  public var rounded: Int { Int(clamping: count.rounded()) }

  /// Nine of ten recordings have a number of wrong words in this range: no more than 5 % have fewer, and no more than 5 % more.
  ///
  /// Single errors are a matter of chance (Poisson), and how well the recognizer understands a voice is not known (a gamma
  /// distribution around the expected number), so the number has a negative binomial distribution.
  public var range: ClosedRange<Int> {
    let shape = 1 / (spread * spread)
    var probability = pow(shape / (shape + count), shape)
    var sum = probability
    var (low, number): (Int?, Int) = (nil, 0)
    while number < words {
      if low == nil, sum > 0.05 { low = number }
      if sum >= 0.95 { break }
      probability *= (Double(number) + shape) / Double(number + 1) * count / (shape + count)
      sum += probability
      number += 1
    }
    return min(low ?? number, number)...number
  }
}

extension ExpectedErrors: CustomStringConvertible {
  /// A sentence for a reader.
  public var description: String {
    let (verb, range) = (rounded == 1 ? "is" : "are", range)
    return "About \(rounded) of \(words) words \(verb) wrong by their confidence; "
      + "9 of 10 recordings have \(range.lowerBound) to \(range.upperBound)."
  }
}

extension Transcript {
  /// How many words are probably wrong; nil if their confidence is not calibrated.
  public var expectedErrors: ExpectedErrors? {
    ExpectedErrors(of: segments, model: model?.name, locale: locale)
  }
}
