import Testing

@testable import NeuralRecognition

/// A decoder whose next tokens are in a table: the tokens so far, and the probabilities of the next.
private final class TableDecoder: NextTokens {
  let table: [[Int]: [Float]]
  private(set) var steps: [TokenStep] = []
  private var written: [Int] = []

  init(_ table: [[Int]: [Float]]) { self.table = table }

  func next(_ steps: [TokenStep]) throws(NeuralError) -> [[Float]] {
    self.steps += steps
    written += steps.map(\.token)
    guard let row = table[written] else { throw .failed("find a row") }
    return [row]
  }

  func copy(_ sequence: Int, to other: Int) {}
  func remove(_ sequence: Int) {}
}

@Suite struct TokenSearchTests {
  /// Tokens 0 to 2 are text, and 3 is the end.
  private let rules = TokenRules(end: 3, notFirst: [2], maxTokens: 4)

  private func found(_ first: [Float], _ table: [[Int]: [Float]] = [:]) throws -> TokenSequence {
    try GreedySearch.sequence(first: first, at: 5, rules: rules, of: TableDecoder(table))
  }

  @Test func bestTokenIsTakenUntilTheEnd() throws {
    let decoder = TableDecoder([[1]: [-3, -4, -0.5, -2], [1, 2]: [-9, -9, -9, -0.25]])
    let sequence = try GreedySearch.sequence(first: [-1, -0.75, -5, -6], at: 5, rules: rules, of: decoder)
    #expect(sequence.tokens == [1, 2])
    #expect(sequence.logProbabilities == [-0.75, -0.5, -0.25])
    #expect(sequence.isComplete)
    #expect(sequence.meanLogProbability == -0.5)
    #expect(decoder.steps == [TokenStep(token: 1, position: 5), TokenStep(token: 2, position: 6)])
  }

  @Test func textDoesNotBeginWithASpaceAlone() throws {
    #expect(try found([-2, -9, -0.1, -3], [[0]: [-9, -9, -9, -0.1]]).tokens == [0])
  }

  @Test func silenceHasNoTokens() throws {
    let sequence = try found([-2, -2, -2, -0.5])
    #expect(sequence.tokens.isEmpty)
    #expect(sequence.isComplete)
  }

  @Test func tokensThatDoNotEndAreCutAndIncomplete() throws {
    let row: [Float] = [-0.1, -4, -4, -4]
    let table = Dictionary(uniqueKeysWithValues: (1...4).map { ([Int](repeating: 0, count: $0), row) })
    let sequence = try found(row, table)
    #expect(sequence.tokens == [0, 0, 0, 0])
    #expect(sequence.logProbabilities.count == 4)
    #expect(!sequence.isComplete)
  }

  @Test func numbersThatAreNoneAreNotTaken() throws {
    #expect(try found([.nan, -3, .nan, -4], [[1]: [.nan, .nan, .nan, -1]]).tokens == [1])
    #expect(try found([.nan, .nan, .nan, .nan]).tokens.isEmpty)
  }

  private func sequence(_ tokens: [Int], each: Float = -0.1, isComplete: Bool = true) -> TokenSequence {
    var sequence = TokenSequence()
    sequence.tokens = tokens
    sequence.logProbabilities = tokens.map { _ in each }
    sequence.isComplete = isComplete
    return sequence
  }

  @Test func loopsAndUnlikelyTextsFail() {
    let plain = Array(0..<60)
    let loop = Array(0..<30) + (0..<40).map { $0 % 3 }
    #expect(!WindowCheck(sequence(plain), noSpeech: 0).hasFailed)
    #expect(WindowCheck(sequence(loop), noSpeech: 0).isLoop)
    #expect(WindowCheck(sequence(plain, isComplete: false), noSpeech: 0).hasFailed)
    #expect(WindowCheck(sequence(plain, each: -1.1), noSpeech: 0).hasFailed)
    #expect(!WindowCheck(sequence([1, 1, 1, 1]), noSpeech: 0).hasFailed)
    let said = WindowCheck(sequence([1, 2, 3, 1, 2, 3, 1, 2, 3]), noSpeech: 0)
    #expect(said.hasFailed)
    #expect(!said.isLoop)
  }

  @Test(arguments: [(-1.3, 0, true), (-0.5, 0.7, true), (-1.1, 0.5, false), (-0.3, 0.9, false)])
  func unlikelyTextIsInvented(_ each: Float, _ noSpeech: Double, _ isInvented: Bool) {
    #expect(WindowCheck(sequence([1, 2, 3], each: each), noSpeech: noSpeech).isInvented == isInvented)
  }

  @Test(arguments: [
    ("abcabcabcabcx", "abcx"), ("xaaaaaaaaay", "xay"), ("no no no", "no no no"), ("hello", "hello"), ("", ""),
    ("thou hast made thee, thou hast made thee, thou hast made thee,", "thou hast made thee,"),
  ])
  func loopsAreCutToTheirFirstTime(_ text: String, _ expected: String) {
    let words = text.contains(",") ? text.split(separator: " ").map(String.init) : text.map(String.init)
    let kept = WindowCheck.withoutLoops(words) { $0 == $1 }
    #expect(kept.joined(separator: text.contains(",") ? " " : "") == expected)
  }
}

@Suite struct SoundTagsTests {
  private func spoken(_ tokens: String...) -> String {
    let removed = SoundTags.removed(from: tokens.map { .init(bytes: Array($0.utf8), start: 0) })
    return String(decoding: removed.flatMap(\.bytes), as: UTF8.self)
  }

  @Test func soundsAreNoWords() {
    #expect(spoken(" [", "Music", "]") == "")
    #expect(spoken(" [", "BL", "ANK", "_AUDIO", "]") == "")
    #expect(spoken(" (", "wh", "ist", "ling", ")") == "")
    #expect(spoken(" *", "l", "aughs", "*", " Yes", ".") == " Yes.")
    #expect(spoken(" Hello", " [", "applause", "]", " again") == " Hello again")
    #expect(spoken(" (", "engine", " roars", ")") == "")
    #expect(spoken(" [", "Music") == "")
    #expect(spoken(" *", " *", " *") == "")
  }

  @Test func notesAreNoWordsAlsoInParts() {
    let tokens: [[UInt8]] = [[0x20, 0xE2, 0x99], [0xAA], Array(" la".utf8)]
    let removed = SoundTags.removed(from: tokens.map { .init(bytes: $0, start: 0) })
    #expect(removed.map(\.bytes) == [Array(" la".utf8)])
  }

  @Test func spokenTextInParenthesesStays() {
    #expect(spoken(" He", " (", "as", " he", " said", ")", " left") == " He (as he said) left")
    #expect(spoken(" two", " (", "2", ")") == " two (2)")
  }
}
