import Foundation
import SentenceFormatting
import RecognitionProtocol

/// Makes words of the tokens of a network.
///
/// A token that begins with `▁` or a space begins a word, and every other continues it. Writing without spaces is divided
/// into its words, whatever the tokens are.
package struct WordAssembly {
  package typealias Word = ServiceHypothesis.Word

  /// Seconds that the last token of a word may last, where the network does not say it.
  static let maxTokenLength = 0.5
  /// What stands for a space before a word: the mark of some networks, and spaces at which no line ends.
  private static let wideSpaces = ["▁", "\u{A0}", "\u{202F}"].map { Array($0.utf8) }
  fileprivate static let space = UInt8(ascii: " ")
  private static let maxWords = 1000

  /// Whether the network's tokens have marks of the beginnings of words.
  package let hasMarks: Bool

  /// - Parameter vocabulary: the network's tokens.
  package init(vocabulary: [String]) {
    hasMarks = vocabulary.contains {
      $0.hasPrefix("▁") && $0 != "▁" || $0.hasPrefix(" ") || $0.hasPrefix("Ġ")
    }
  }

  package init(hasMarks: Bool) { self.hasMarks = hasMarks }

  /// The words of an utterance, in order, with times within it.
  /// - Parameters:
  ///   - recognized: the tokens.
  ///   - duration: the length of the utterance, in seconds.
  ///   - speech: where speech is, over which the words are spread if the network gives no times.
  package func words(_ recognized: RecognizedTokens, duration: Double, speech: ClosedRange<Double>? = nil)
    -> [Word]
  {
    var drafts: [Draft] = []
    for unit in Self.units(recognized.tokens) {
      if drafts.isEmpty || beginsWord(unit, after: drafts[drafts.count - 1]) { drafts.append(Draft()) }
      drafts[drafts.count - 1].append(unit)
    }
    // A client takes no word that cannot be seen.
    drafts = drafts.flatMap { $0.divided() }
      .filter { $0.text.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint } }
      .prefix(Self.maxWords).map { $0 }
    Self.spread(&drafts, over: speech ?? 0...max(0, duration))
    return Self.timed(drafts, duration: duration)
  }

  /// A character or more: tokens that are parts of one character are joined.
  struct Unit {
    var bytes: [UInt8]
    var text: String
    var start: Double?
    var end: Double?
    var lastStart: Double?
    var logProbability: Double?
    var secondLogProbability: Double?

    /// The unit in two, which share its time.
    /// - Parameters:
    ///   - count: Unicode scalars of the first one; fewer than the unit has.
    ///   - next: where the unit after it begins, in seconds.
    func divided(after count: Int, before next: Double?) -> (Unit, Unit) {
      let scalars = text.unicodeScalars
      var (first, second) = (self, self)
      first.text = String(scalars.prefix(count))
      second.text = String(scalars.dropFirst(count))
      if let start, let end = end ?? next {
        let middle = start + max(0, end - start) * Double(count) / Double(scalars.count)
        (first.end, second.start, second.lastStart) = (middle, middle, max(middle, lastStart ?? middle))
      }
      return (first, second)
    }
  }

  private struct Draft {
    var text = ""
    var start: Double?
    var lastStart: Double?
    var end: Double?
    var confidence: Double?
    private(set) var secondLogProbability: Double?
    private(set) var isSpaced = false
    private var units: [Unit] = []

    mutating func append(_ unit: Unit) {
      text += unit.text
      if units.isEmpty { (start, isSpaced) = (unit.start, unit.bytes.first == WordAssembly.space) }
      lastStart = unit.lastStart
      end = unit.end
      let own = unit.logProbability.map { min(1, exp($0)) }
      // A word is as sure as the least sure of its tokens.
      confidence = units.isEmpty ? own : confidence.flatMap { before in own.map { min(before, $0) } }
      secondLogProbability = [secondLogProbability, unit.secondLogProbability].compactMap(\.self).min()
      units.append(unit)
    }

    /// The words that writing without spaces consists of.
    func divided() -> [Draft] {
      guard text.isPartlyUnspaced else { return [self] }
      var rest = units[...]
      return text.writtenWords.enumerated().map { index, range in
        var word = Draft()
        var missing = text.unicodeScalars.distance(from: range.lowerBound, to: range.upperBound)
        while missing > 0, let unit = rest.popFirst() {
          let count = unit.text.unicodeScalars.count
          if count <= missing {
            word.append(unit)
          } else {
            let (first, second) = unit.divided(after: missing, before: rest.first?.start)
            word.append(first)
            rest = [second] + rest
          }
          missing -= count
        }
        word.isSpaced = index == 0 && isSpaced
        return word
      }
    }
  }

  private func beginsWord(_ unit: Unit, after draft: Draft) -> Bool {
    // A client takes no longer word. Writing without spaces is divided later.
    if unit.text.unicodeScalars.first?.isUnspaced == false,
      draft.text.utf8.count + unit.text.utf8.count > ServiceHypothesis.maxWordLength
    {
      return true
    }
    if unit.bytes.first == Self.space { return !Self.isClosing(unit.text) }
    guard let first = unit.text.unicodeScalars.first, !Self.isClosing(unit.text) else { return false }
    return !hasMarks && !(first.isUnspaced && draft.text.unicodeScalars.last?.isUnspaced == true)
  }

  /// The tokens without special ones, as whole characters.
  private static func units(_ tokens: [RecognizedTokens.Token]) -> [Unit] {
    var units: [Unit] = []
    var open: Unit?
    for token in tokens {
      guard var bytes = spoken(token.bytes), !bytes.isEmpty else { continue }
      if let wide = wideSpaces.first(where: { bytes.starts(with: $0) }) {
        bytes = [space] + bytes.dropFirst(wide.count)
      }
      if var broken = open, let first = bytes.first, !(0x80...0xBF).contains(first) {
        // The rest of a character never came: the token is another one.
        broken.text = cleaned(String(decoding: broken.bytes, as: UTF8.self))
        units.append(broken)
        open = nil
      }
      let end = token.duration.flatMap { length in length > 0 ? token.start.map { $0 + length } : nil }
      var unit = open ?? Unit(bytes: [], text: "", start: token.start)
      unit.logProbability =
        open == nil
        ? token.logProbability
        : unit.logProbability.flatMap { before in token.logProbability.map { min(before, $0) } }
      // Where the second network writes several of these tokens as one, only the first of them has a probability.
      unit.secondLogProbability =
        [unit.secondLogProbability, token.secondLogProbability].compactMap(\.self).min()
      unit.bytes += bytes
      unit.lastStart = token.start
      unit.end = end
      if let text = String(validating: unit.bytes, as: UTF8.self) {
        unit.text = cleaned(text)
        units.append(unit)
        open = nil
      } else if unit.bytes.count < 8 {
        open = unit
      } else {
        open = nil
      }
    }
    return units
  }

  /// The bytes of a token as they are spoken; nil for a special token.
  private static func spoken(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= 3, bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">") else {
      return bytes
    }
    // The form of single bytes, such as <0xE4>.
    if bytes.count == 6, bytes[1] == UInt8(ascii: "0"), bytes[2] == UInt8(ascii: "x") {
      return UInt8(String(decoding: bytes[3..<5], as: UTF8.self), radix: 16).map { [$0] }
    }
    return nil
  }

  /// A text without spaces, control characters and those that change its direction, all of which a client refuses. The joiners
  /// belong to words.
  private static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars
    where !scalar.properties.isWhitespace && !scalar.isControl && scalar != "\u{FFFD}" {
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// Marks that belong to the word before them.
  private static func isClosing(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isMark || $0 == "%" }
  }

  /// Gives words without times a share of the speech that is as long as their text.
  private static func spread(_ drafts: inout [Draft], over speech: ClosedRange<Double>) {
    guard drafts.contains(where: { $0.start == nil }) else { return }
    let total = Double(drafts.reduce(0) { $0 + $1.text.count + 1 })
    var done = 0.0
    for index in drafts.indices {
      let length = speech.upperBound - speech.lowerBound
      drafts[index].start = speech.lowerBound + length * done / total
      done += Double(drafts[index].text.count + 1)
      drafts[index].end = speech.lowerBound + length * done / total
      drafts[index].lastStart = drafts[index].start
    }
  }

  private static func timed(_ drafts: [Draft], duration: Double) -> [Word] {
    var words: [Word] = []
    var reached = 0.0
    for (index, draft) in drafts.enumerated() {
      let start = min(max(draft.start ?? reached, reached), duration)
      let next = index + 1 < drafts.count ? drafts[index + 1].start ?? duration : duration
      let lastStart = max(draft.lastStart ?? start, start)
      let end = draft.end ?? min(next, lastStart + maxTokenLength)
      let bounded = max(start, min(end, index + 1 < drafts.count ? max(next, start) : duration, duration))
      var word = Word(text: draft.text, start: start, end: bounded, confidence: draft.confidence)
      word.second = draft.secondLogProbability.map { min(1, exp($0)) }
      if draft.isSpaced, draft.text.unicodeScalars.first?.hasPhraseSpaces == true { word.isSpaced = true }
      words.append(word)
      reached = bounded
    }
    return words
  }
}

extension ServiceHypothesis {
  /// A hypothesis whose confidence is the mean of its words'; nil if a word has none.
  package init(words: [Word], source: Source) {
    let known = words.compactMap(\.confidence)
    let mean = known.isEmpty || known.count < words.count ? nil : known.reduce(0, +) / Double(known.count)
    self.init(words: words, confidence: mean, source: source)
  }

  /// The hypothesis without confidences, and with another source.
  package func unsure(_ source: Source) -> ServiceHypothesis {
    var words = words
    for index in words.indices { words[index].confidence = nil }
    return ServiceHypothesis(words: words, confidence: nil, source: source)
  }
}
