import Foundation
import ScriptedSpeech
import Testing

@Suite struct SpokenTonesTests {
  /// Samples of noise, and the same samples with a sound added.
  private func noise(_ seconds: Double, level: Int = 40) -> [Int16] {
    (0..<Int(seconds * 16_000)).map { _ in Int16(Int.random(in: -level...level)) }
  }

  private func add(_ sound: [Int16], to samples: [Int16], at place: Int) -> [Int16] {
    var sum = samples
    for (index, sample) in sound.enumerated() { sum[place + index] += sample }
    return sum
  }

  private func randomWords(_ count: ClosedRange<Int>) -> [Int] {
    (0..<Int.random(in: count)).map { _ in Int.random(in: SpokenTones.vocabulary.indices) }
  }

  @Test func everyPairOfWordsIsRecognized() {
    let count = SpokenTones.vocabulary.count
    for word in SpokenTones.vocabulary.indices {
      let words = [word, word, (word + 1) % count, word, (word + 5) % count, word, (word + 12) % count]
      #expect(SpokenTones.words(in: SpokenTones.sound(of: words)).map(\.number) == words)
    }
  }

  @Test func wordsInNoiseAreRecognizedWithTheirTimes() {
    for round in 0..<20 {
      let words = randomWords(1...12)
      let sound = SpokenTones.sound(of: words)
      let lead = Int.random(in: 0...8000)
      let quieter = Int16(1 << Int.random(in: 0...3))
      let quiet = sound.map { $0 / quieter }
      let audio = add(quiet, to: noise(Double(lead + sound.count) / 16_000 + 0.3), at: lead)
      let heard = SpokenTones.words(in: audio)
      #expect(heard.map(\.number) == words, "round \(round)")
      for (word, expected) in zip(heard, SpokenTones.times(of: words)) {
        #expect(abs(word.start - expected.start - Double(lead) / 16_000) < 0.01)
        #expect(abs(word.end - expected.end - Double(lead) / 16_000) < 0.01)
      }
    }
  }

  @Test func cutWordIsRecognizedCorrectlyOrNotAtAll() {
    for word in SpokenTones.vocabulary.indices {
      let sound = SpokenTones.sound(of: [word])
      for cut in stride(from: 0, through: sound.count, by: 331) {
        for (part, quiet) in [(sound[..<cut], noise(0)), (sound[cut...], noise(0.1))] {
          let heard = SpokenTones.words(in: Array(part) + quiet).map(\.number)
          let share = Double(part.count) / Double(sound.count)
          let expected = share > 0.54 ? [[word]] : share < 0.46 ? [[]] : [[word], []]
          #expect(expected.contains(heard), "\(word), \(share) of it")
        }
      }
    }
  }

  @Test func cutUtteranceLosesAtMostOneWord() {
    for _ in 0..<20 {
      let words = randomWords(3...9)
      let sound = add(SpokenTones.sound(of: words), to: noise(4), at: 1000)
      let cut = Int.random(in: 0...sound.count)
      let parts = [Array(sound[..<cut]), Array(sound[cut...])]
        .flatMap { SpokenTones.words(in: $0).map(\.number) }
      let whole = words.indices.map { index in words.enumerated().filter { $0.offset != index }.map(\.element)
      }
      #expect(parts == words || whole.contains(parts), "\(words) cut at \(cut): \(parts)")
    }
  }

  @Test func resultDoesNotDependOnTheSizeOfTheReads() {
    let words = randomWords(8...8)
    let sound = SpokenTones.sound(of: words)
    var reader = ToneReader()
    for start in stride(from: 0, to: sound.count, by: 160) {
      reader.take(Array(sound[start..<min(start + 160, sound.count)]))
    }
    #expect(reader.words == SpokenTones.words(in: sound))
    #expect(reader.words.map(\.number) == words)
  }

  @Test func noiseAndSilenceHaveNoWords() {
    #expect(SpokenTones.words(in: []).isEmpty)
    #expect(SpokenTones.words(in: [Int16](repeating: 0, count: 16_000)).isEmpty)
    for level in [10, 100, 1000, 10_000] { #expect(SpokenTones.words(in: noise(5, level: level)).isEmpty) }
  }

  @Test func namesAreDistinctAndParsed() {
    let all = Array(SpokenTones.vocabulary.indices)
    #expect(Set(SpokenTones.vocabulary).count == all.count)
    #expect(SpokenTones.words(ofText: SpokenTones.text(of: all)) == all)
    #expect(SpokenTones.words(ofText: "Alpha, Yankee. (and) bravo") == [0, 23, 1])
    #expect(SpokenTones.text(of: [3, -1, 24, 1, 4]) == "delta bravo echo")
  }
}
