import Foundation
import SentenceFormatting

/// Phrases that a search prefers, letter by letter: a phrase is found in whatever tokens and capitals a model writes it.
///
/// A text gets a bonus for each letter of a phrase, less for each further one, and gives it back where it leaves the phrase
/// before its end. A phrase begins and ends where words do; in writing without spaces, anywhere.
package final class PhraseTrie {
  /// Where a text is in the phrases.
  package struct Place: Hashable {
    fileprivate var node = 0
    /// The bonus that stays if the phrase is left: that of a shorter phrase within it.
    fileprivate var kept: Float = 0
  }

  /// What a token does to a text.
  package struct Step: Equatable {
    package var place = Place()
    /// What is added, or given back.
    package var bonus: Float = 0
  }

  /// A node by the one before it.
  private struct Child: Hashable {
    var node: Int
    var byte: UInt8
  }

  private static let space = UInt8(ascii: " ")
  /// The first byte of a character of three bytes or more, as all of writing without spaces have.
  private static let longCharacter: UInt8 = 0xE0
  /// Letters of all phrases together; phrases after them are left out.
  private static let maxNodes = 2_000_000

  private let tokens: TokenSpellings
  private let weight: Float
  private var children: [Child: Int] = [:]
  /// The bytes that follow each node.
  private var branches: [[UInt8]] = [[]]
  private var isEnd = [false]
  /// The ends of phrases that may be within a run of letters.
  private var openEnds: Set<Int> = []
  private var parents: [Child] = [Child(node: 0, byte: 0)]
  /// For nodes that a text has left: the node of the longest end of its letters that begins a phrase.
  private var fallbacks: [Int: Int] = [:]
  private var depths: [Int32] = [0]
  /// The tokens that continue a phrase from a node, with their bonus.
  private var continuations: [Int: [(token: Int, step: Step)]] = [:]

  /// - Parameters:
  ///   - weight: the bonus of a phrase of a few letters, as a logarithm.
  package init(_ phrases: [String], weight: Float, tokens: TokenSpellings) {
    (self.tokens, self.weight) = (tokens, weight)
    for phrase in phrases { insert(phrase) }
  }

  private func insert(_ phrase: String) {
    // Letters outside ASCII are compared as they are written.
    for form in Set([phrase, phrase.lowercased(), phrase.capitalized] + Self.chinese(phrase)) {
      let letters = Self.letters(form)
      guard letters.count > 1, isEnd.count + letters.count < Self.maxNodes else { continue }
      var node = 0
      for byte in letters {
        let child = Child(node: node, byte: byte)
        if let next = children[child] {
          node = next
        } else {
          isEnd.append(false)
          branches.append([])
          branches[node].append(byte)
          depths.append(depths[node] + (byte == Self.space ? 0 : 1))
          node = isEnd.count - 1
          children[child] = node
          parents.append(child)
        }
      }
      isEnd[node] = true
      if phrase.unicodeScalars.last(where: \.properties.isAlphabetic)?.isUnspaced == true {
        openEnds.insert(node)
      }
    }
  }

  /// A phrase in both ways to write Chinese: which one a model writes does not depend on what was said.
  private static func chinese(_ phrase: String) -> [String] {
    guard phrase.unicodeScalars.contains(where: \.properties.isIdeographic) else { return [] }
    return ["Traditional-Simplified", "Simplified-Traditional"].compactMap {
      phrase.applyingTransform(StringTransform($0), reverse: false)
    }
  }

  /// A phrase with a space before each word of writing that has them, and without marks.
  private static func letters(_ phrase: String) -> [UInt8] {
    var letters: [UInt8] = []
    for folded in [space] + TokenSpellings.folded(phrase.utf8) {
      if folded == space ? letters.last != space : !isMark(folded) { letters.append(folded) }
    }
    while letters.last == space { letters.removeLast() }
    let isUnspaced = phrase.unicodeScalars.first(where: \.properties.isAlphabetic)?.isUnspaced == true
    return isUnspaced ? Array(letters.drop { $0 == space }) : letters
  }

  private static func isMark(_ byte: UInt8) -> Bool { ".,!?;:\"()".utf8.contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The bonus of the letters to a node.
  private func bonus(_ node: Int) -> Float { weight * log(1 + Float(depths[node])) }

  /// The bonus that a text has at a place, and gives back if it leaves the phrase.
  private func open(_ place: Place) -> Float { bonus(place.node) - place.kept }

  /// What a token does to a text.
  func next(_ place: Place, _ token: Int) -> Step {
    var step = Step(place: place)
    for byte in tokens.bytes[token] { append(byte, to: &step) }
    return step
  }

  private func append(_ byte: UInt8, to step: inout Step) {
    let node = step.place.node
    if ends(node, before: byte) { step.place.kept = bonus(node) }
    if let next = children[Child(node: node, byte: byte)] {
      step.bonus += bonus(next) - bonus(node)
      step.place.node = next
      return
    }
    // A comma within a phrase is not said.
    if Self.isMark(byte), node != 0, !isEnd[node] { return }
    step.bonus -= open(step.place)
    var last = node
    while last != 0 {
      last = fallback(last)
      if let next = children[Child(node: last, byte: byte)] {
        step.bonus += bonus(next)
        step.place = Place(node: next)
        return
      }
    }
    step.place = Place(node: children[Child(node: 0, byte: byte)] ?? 0)
  }

  /// Whether a phrase ends at a node if another byte follows it.
  private func ends(_ node: Int, before byte: UInt8) -> Bool {
    isEnd[node] && (!Self.isLetter(byte) || openEnds.contains(node))
  }

  /// The node of the longest end of a node's letters that begins a phrase; 0 if there is none.
  private func fallback(_ node: Int) -> Int {
    if let known = fallbacks[node] { return known }
    var letters: [UInt8] = []
    var before = node
    while before != 0 {
      letters.append(parents[before].byte)
      before = parents[before].node
    }
    letters.reverse()
    let starts = letters.indices.dropFirst().filter {
      letters[$0] == Self.space || letters[$0] >= Self.longCharacter
    }
    let found = starts.lazy.compactMap { self.node(of: letters[$0...]) }.first ?? 0
    fallbacks[node] = found
    return found
  }

  private func node(of letters: ArraySlice<UInt8>) -> Int? {
    var node = 0
    for byte in letters {
      guard let next = children[Child(node: node, byte: byte)] else { return nil }
      node = next
    }
    return node
  }

  /// Which words of a text are of phrases that are in it as a whole.
  package func areOfPhrases(_ words: [String]) -> [Bool] {
    var letters: [(byte: UInt8, word: Int)] = []
    for (index, word) in words.enumerated() {
      let isSpaced = index == 0 || [words[index - 1], word].joinedWords().contains(" ")
      letters += ((isSpaced ? [Self.space] : []) + TokenSpellings.folded(word.utf8)).map { ($0, index) }
    }
    var found = words.map { _ in false }
    for start in letters.indices {
      var node = 0
      for place in start...letters.endIndex {
        let byte = place < letters.endIndex ? letters[place].byte : Self.space
        if ends(node, before: byte) {
          for word in letters[start].word...letters[place - 1].word { found[word] = true }
        }
        if let next = children[Child(node: node, byte: byte)] {
          node = next
        } else if !Self.isMark(byte) || node == 0 || isEnd[node] {
          break
        }
      }
    }
    return found
  }

  /// What the end of a text does: a phrase that is not whole gives its bonus back.
  func end(_ place: Place) -> Step { Step(bonus: isEnd[place.node] ? 0 : -open(place)) }

  /// The tokens that begin or continue a phrase.
  /// - Parameter isWanted: whether a token with its bonus is worth it.
  func tokens(after place: Place, where isWanted: (Int, Float) -> Bool) -> [Int] {
    var found: [Int] = []
    if place.node != 0 {
      for (token, step) in continuations(place.node) where isWanted(token, step.bonus) { found.append(token) }
    }
    let back = isEnd[place.node] ? 0 : open(place)
    for (token, step) in continuations(0) where isWanted(token, step.bonus - back) { found.append(token) }
    return found
  }

  private func continuations(_ node: Int) -> [(token: Int, step: Step)] {
    if let known = continuations[node] { return known }
    var found: [(token: Int, step: Step)] = []
    var open: [(node: Int, letters: [UInt8])] = [(node, [])]
    while let (last, letters) = open.popLast() {
      for token in tokens.spelled(letters) { found.append((token, next(Place(node: node), token))) }
      guard letters.count < tokens.longest else { continue }
      for byte in branches[last] {
        if let next = children[Child(node: last, byte: byte)] { open.append((next, letters + [byte])) }
      }
    }
    continuations[node] = found
    return found
  }
}

/// The tokens of a model by what they spell, without capitals.
package final class TokenSpellings {
  /// The letters of each token.
  let bytes: [[UInt8]]
  /// The most letters of a token that is looked for.
  let longest: Int
  private let known: [[UInt8]: [Int]]

  /// - Parameter tokens: the bytes of each token of text.
  package init(_ tokens: [[UInt8]]) {
    let folded = tokens.map { Self.folded($0) }
    bytes = folded
    longest = min(16, folded.map(\.count).max() ?? 0)
    known = Dictionary(grouping: folded.indices.filter { !folded[$0].isEmpty }) { folded[$0] }
  }

  /// Bytes without their capitals; both forms of an apostrophe are one.
  static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let curly = Array("’".utf8)
    var letters: [UInt8] = []
    for byte in bytes {
      letters.append(folded(byte: byte))
      guard byte == curly.last, letters.suffix(curly.count).elementsEqual(curly) else { continue }
      letters.removeLast(curly.count)
      letters.append(UInt8(ascii: "'"))
    }
    return letters
  }

  /// A byte without its capital; a hyphen is a space.
  private static func folded(byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "-"), UInt8(ascii: "\t"), UInt8(ascii: "\n"): UInt8(ascii: " ")
    default: byte
    }
  }

  /// The tokens that spell exactly these letters.
  func spelled(_ letters: [UInt8]) -> [Int] { known[letters] ?? [] }
}
