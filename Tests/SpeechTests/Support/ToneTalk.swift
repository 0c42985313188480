import ScriptedSpeech

@testable import Speech

/// Utterances of `SpokenTones` with pauses between them, in faint noise.
struct ToneTalk {
  /// The numbers of the words.
  let utterances: [[Int]]
  private(set) var audio: [Int16]
  /// Where the utterances lie in `audio`.
  private(set) var ranges: [Range<Int>] = []

  /// - Parameter pause: seconds before, between and after them.
  init(_ utterances: [[Int]], pause: Double = 1) {
    self.utterances = utterances
    audio = Recordings.silence(pause)
    for words in utterances {
      let sound = SpokenTones.sound(of: words)
      ranges.append(audio.count..<audio.count + sound.count)
      audio += zip(sound, Recordings.silence(Double(sound.count) / 16_000)).map { $0 + $1 }
      audio += Recordings.silence(pause)
    }
  }

  /// Random utterances.
  init(seed: UInt64, count: Int = 6, words: ClosedRange<Int> = 2...6, pause: Double = 0.7) {
    var generator = SeededGenerator(seed: seed)
    self.init(
      (0..<count).map { _ in
        (0..<Int.random(in: words, using: &generator)).map { _ in
          Int.random(in: SpokenTones.vocabulary.indices, using: &generator)
        }
      }, pause: pause)
  }

  /// All words.
  var words: [Int] { utterances.flatMap { $0 } }
}
