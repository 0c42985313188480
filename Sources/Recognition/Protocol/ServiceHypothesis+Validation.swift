/// A client trusts no service: what cannot be a hypothesis is an error of the service.
extension ServiceHypothesis {
  /// The largest number of hypotheses of an utterance.
  static let maxCount = 200
  /// The largest number of words of a hypothesis: an utterance has at most 25 seconds.
  static let maxWords = 1000
  /// The largest number of bytes of a word, in UTF-8.
  package static let maxWordLength = 1000
  /// Seconds by which a word may reach beyond the end of its utterance. A decoder pads the last of its frames, which
  /// begin every hundredth of a second. Such a word is cut at the end.
  private static let slack = 0.05
  /// What the rounding of a sum of probabilities may add.
  private static let rounding = 1e-6

  /// The hypotheses, if they can be those of an utterance: every number is finite, confidences are from 0 to 1, words
  /// are not empty and have no spaces and no control characters, their times are in order and within the utterance.
  /// - Parameter duration: the length of the utterance, in seconds.
  /// - Throws: `ServiceChannelError.malformed`.
  public static func checked(
    _ hypotheses: [ServiceHypothesis], duration: Double
  ) throws(ServiceChannelError) -> [ServiceHypothesis] {
    guard hypotheses.count <= maxCount else { throw .malformed("\(hypotheses.count) hypotheses") }
    var checked = hypotheses
    for index in checked.indices { try checked[index].check(duration: duration) }
    return checked
  }

  private mutating func check(duration: Double) throws(ServiceChannelError) {
    guard words.count <= Self.maxWords else { throw .malformed("\(words.count) words") }
    confidence = try Self.probability(confidence)
    share = try Self.probability(share)
    guard score?.isFinite != false, election?.isFinite != false else {
      throw .malformed("a score that is no number")
    }
    if let language {
      guard (2...3).contains(language.code.utf8.count),
        language.code.utf8.allSatisfy({ (97...122).contains($0) }),
        let probability = try Self.probability(language.probability)
      else { throw .malformed("a language that has no code") }
      self.language?.probability = probability
    }
    var reached = 0.0
    for index in words.indices {
      var word = words[index]
      word.text = Self.visible(word.text)
      guard Self.isWord(word.text) else { throw .malformed("a word that is empty, too long or not one word") }
      // A comparison with a number that is not one is false.
      guard reached <= word.start, word.start <= word.end, word.end <= duration + Self.slack else {
        throw .malformed("a word from \(word.start) to \(word.end) of \(duration) seconds, after \(reached)")
      }
      word.start = min(word.start, duration)
      word.end = min(word.end, duration)
      word.confidence = try Self.probability(word.confidence)
      word.probability = try Self.probability(word.probability)
      word.second = try Self.probability(word.second)
      words[index] = word
      reached = word.end
    }
  }

  /// The word without invisible characters, such as zero-width spaces and tags, which could hide a message in it. The
  /// joiners stay between letters of scripts that need them.
  private static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.properties.isDefaultIgnorableCodePoint) else { return text }
    var kept = String.UnicodeScalarView()
    var joiner: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar.isJoiner {
        joiner = scalar
        continue
      }
      if scalar.properties.isDefaultIgnorableCodePoint, !scalar.isControl,
        !scalar.properties.isVariationSelector
      {
        continue
      }
      if let joiner, let last = kept.last, min(last.value, scalar.value) >= 0x600 { kept.append(joiner) }
      joiner = nil
      kept.append(scalar)
    }
    return String(kept)
  }

  private static func isWord(_ text: String) -> Bool {
    text.utf8.count <= maxWordLength
      && text.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint }
      && !text.unicodeScalars.contains { $0.isControl || $0.properties.isWhitespace }
  }

  private static func probability(_ value: Double?) throws(ServiceChannelError) -> Double? {
    guard let value else { return nil }
    guard 0 <= value, value <= 1 + rounding else { throw .malformed("a confidence of \(value)") }
    return min(value, 1)
  }
}

extension Unicode.Scalar {
  /// Whether this is a zero-width joiner or non-joiner.
  fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }

  /// Whether this is a control character, a line separator, or a character that changes the text's direction.
  package var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
  }
}

extension KeyedDecodingContainer {
  /// A list of limited length.
  /// - Throws: `DecodingError`; elements beyond the limit are not decoded.
  func list<Element: Decodable>(forKey key: Key, maxCount: Int) throws -> [Element] {
    var list = try nestedUnkeyedContainer(forKey: key)
    var elements: [Element] = []
    while !list.isAtEnd {
      guard elements.count < maxCount else {
        throw DecodingError.dataCorruptedError(in: list, debugDescription: "more than \(maxCount) elements")
      }
      elements.append(try list.decode(Element.self))
    }
    return elements
  }
}
