import Foundation
import Testing

@testable import LanguageModeling

@Suite struct NGramModelTests {
  /// A reader of ARPA files that is independent of the writer.
  private struct Reader {
    var probabilities: [[String]: Double] = [:]
    var left: [[String]: Double] = [:]
    var counts: [Int] = []

    init(_ model: NGramModel, shareAfterUnknown: Double = 1) {
      var text = ""
      model.writeARPA(header: "# a header\n", shareAfterUnknown: shareAfterUnknown) {
        text += String(decoding: $0, as: UTF8.self)
      }
      for line in text.split(separator: "\n") {
        if line.hasPrefix("ngram ") { counts.append(Int(line.split(separator: "=")[1]) ?? -1) }
        let parts = line.split(separator: "\t")
        guard parts.count >= 2, let probability = Double(parts[0]) else { continue }
        let words = parts[1].split(separator: " ").map(String.init)
        probabilities[words] = pow(10, probability)
        if parts.count > 2 { left[words] = Double(parts[2]).map { pow(10, $0) } }
      }
    }

    /// The probability of the last word after the others, with back-off.
    func probability(_ words: [String]) -> Double {
      if let known = probabilities[words] { return known }
      guard words.count > 1 else { return probabilities[["<unk>"]] ?? 0 }
      return (left[Array(words.dropLast())] ?? 1) * probability(Array(words.dropFirst()))
    }

    /// The sum of the probabilities of all words after a context.
    func sum(after context: [String]) -> Double {
      probabilities.keys.filter { $0.count == 1 && $0 != ["<s>"] }.reduce(0) {
        $0 + probability(context + $1)
      }
    }
  }

  /// Random sentences of a small language.
  private func sentences(_ count: Int, seed: UInt64, words: Int = 60) -> [[String]] {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The square makes some words far likelier than others, as in any language.
      let share = Double(state >> 33) / Double(1 << 31)
      return Int(share * share * Double(bound))
    }
    return (0..<count).map { _ in (0...next(8)).map { "word\(next(words) + 7 * ($0 % 2))" } }
  }

  private func counts(_ sentences: [[String]], count: Int = 1) throws -> NGramCounts {
    var counts = NGramCounts()
    for sentence in sentences { try counts.add(sentence, count: count) }
    return counts
  }

  @Test(arguments: [NGramModel.Smoothing.modifiedKneserNey, .wittenBell])
  func probabilitiesAfterEveryContextSumToOne(_ smoothing: NGramModel.Smoothing) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let said = sentences(Int(seed) * Int(seed) * 40, seed: seed)
      let reader = Reader(NGramModel(try counts(said), smoothing: smoothing))
      #expect(abs(reader.sum(after: []) - 1) < 1e-4)
      for context in [
        ["<s>"], ["word0"], ["<s>", "word0"], ["word0", "word1"], ["word1", "never"], ["never"],
      ]
        + said.prefix(20).map({ Array($0.prefix(2)) })
      {
        #expect(abs(reader.sum(after: context) - 1) < 1e-4, "\(smoothing), seed \(seed), after \(context)")
      }
    }
  }

  @Test func headerCountsTheEntries() throws {
    let reader = Reader(NGramModel(try counts(sentences(200, seed: 3))))
    for order in 1...3 {
      #expect(reader.counts[order - 1] == reader.probabilities.keys.count { $0.count == order })
    }
  }

  /// Worked out by hand from Chen and Goodman's formulas.
  @Test func discountsFollowFromCountsOfCounts() throws {
    // "a" is followed by: b 4 times, c 3 times, d twice, e once. Before b to e there is only a.
    var counts = NGramCounts()
    for (word, count) in [("b", 4), ("c", 3), ("d", 2), ("e", 1)] {
      try counts.add(["a", word], count: count)
    }
    let reader = Reader(NGramModel(counts, smoothing: .modifiedKneserNey))
    // Trigrams <s> a x: one was seen once, one twice, one three and one four times; x </s> likewise.
    // Y = 2 / (2 + 2·2) = 1/3; D1 = 1 - 2·Y·1 = 1/3; D2 = 2 - 3·Y·1 = 1; D3 = 3 - 4·Y·1 = 5/3.
    let withheld = (1.0 / 3 + 1 + 5.0 / 3 + 5.0 / 3) / 10
    #expect(abs((reader.left[["<s>", "a"]] ?? 0) - withheld) < 1e-5)
    let lower = reader.probability(["a", "b"])
    #expect(abs(reader.probability(["<s>", "a", "b"]) - ((4 - 5.0 / 3) / 10 + withheld * lower)) < 1e-5)
    // How often does not matter to the shorter ones: b to e follow a in one way each.
    #expect(abs(reader.probability(["a", "b"]) - reader.probability(["a", "e"])) < 1e-9)
  }

  @Test func invalidCountsOfCountsSelectWittenBell() throws {
    var counts = NGramCounts()
    try counts.add(["play", "chess"], count: 10)
    try counts.add(["play", "go"], count: 17)
    let model = NGramModel(counts)
    #expect(model.smoothing == .wittenBell)
    // After the beginning and "play" there were 27 words of 2 kinds.
    let reader = Reader(model)
    #expect(abs((reader.left[["<s>", "play"]] ?? 0) - 2.0 / 29) < 1e-5)
    let natural = NGramModel(try self.counts(sentences(2000, seed: 1, words: 5000)))
    #expect(natural.smoothing == .modifiedKneserNey)
  }

  @Test func onlyTheRatioOfCountsMatters() throws {
    let said = sentences(300, seed: 9)
    let once = Reader(NGramModel(try counts(said)))
    let often = Reader(NGramModel(try counts(said, count: 50)))
    #expect(once.probabilities == often.probabilities)
  }

  @Test(arguments: [1 << 53 + 1, Int.max])
  func largestCountsGiveProbabilities(_ count: Int) throws {
    var counts = try self.counts(sentences(300, seed: 1))
    try counts.add(["word0"], count: count)
    let reader = Reader(NGramModel(counts, smoothing: .modifiedKneserNey))
    #expect(abs(reader.sum(after: []) - 1) < 1e-4)
    #expect(reader.probability(["<s>", "word0", "</s>"]) > 0.9)
  }

  @Test func observedPhrasesAreMoreProbableThanOthers() throws {
    let said = sentences(500, seed: 4)
    for smoothing in [NGramModel.Smoothing.modifiedKneserNey, .wittenBell] {
      let reader = Reader(NGramModel(try counts(said), smoothing: smoothing))
      func perplexity(_ sentences: [[String]]) -> Double {
        var (sum, count) = (0.0, 0)
        for sentence in sentences {
          let whole = ["<s>"] + sentence + ["</s>"]
          for end in 1..<whole.count {
            sum += log(reader.probability(Array(whole[max(0, end - 2)...end])))
            count += 1
          }
        }
        return exp(-sum / Double(count))
      }
      let held = sentences(200, seed: 77)
      #expect(perplexity(said) < perplexity(held))
      #expect(perplexity(held) < perplexity(held.map { $0.reversed().map { $0 + "x" } }))
    }
  }

  @Test func singleWordsAreLessProbableAfterUnknownWords() throws {
    let said = sentences(400, seed: 2)
    let model = NGramModel(try counts(said))
    let (plain, wary) = (Reader(model), Reader(model, shareAfterUnknown: 0.001))
    for sentence in said.prefix(50) where sentence.count > 2 {
      let words = Array(sentence.prefix(3))
      for context in [
        words, ["<s>", words[0], words[2]], ["<unk>", words[1]], [words[0], "<unk>", words[1]],
      ] {
        #expect(abs(log(plain.probability(context)) - log(wary.probability(context))) < 1e-4)
      }
      #expect(abs(plain.probability([words[0]]) / wary.probability([words[0]]) - 1000) < 1)
    }
  }

  @Test func emptyCountsGiveAnEmptyModel() {
    let reader = Reader(NGramModel(NGramCounts()))
    #expect(reader.counts == [3, 0, 0])
  }
}

@Suite struct SpokenWordsTests {
  @Test(arguments: [
    ("Play the Winawer variation.", "play the winawer variation"),
    ("king to pawn 8", "king to pawn eight"),
    ("g4, h12 and 1,250 mg", "g four h twelve and one two hundred fifty mg"),
    ("007", "zero zero seven"), ("365", "three hundred sixty five"), ("2000000", "two million"),
    ("rock'n'roll ’til don’t 'quoted'", "rock'n'roll til don't quoted'"),
    ("black & white", "black and white"), ("high-level", "high level"), ("naïve café", "naïve café"),
    ("99999999999999", "nine nine nine nine nine nine nine nine nine nine nine nine nine nine"),
    ("", ""), ("…—!", ""), ("' ''", ""),
  ])
  func textIsSplitIntoSpokenWords(_ text: String, _ words: String) {
    #expect(SpokenWords.words(of: text).joined(separator: " ") == words)
  }
}
