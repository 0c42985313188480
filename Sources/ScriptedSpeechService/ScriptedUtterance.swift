import ScriptedSpeech
import SpeechServiceProtocol

/// An utterance that is being heard.
struct ScriptedUtterance {
  /// Samples by which an utterance is known again: half a second.
  private static let recognizable = SpokenTones.sampleRate / 2
  /// Samples from one look at the words to the next: a quarter of a second.
  private static let look = SpokenTones.sampleRate / 4

  /// The number given with `begin`.
  let number: UInt32
  /// The first samples, as many as make it known again.
  private(set) var beginning: [Int16] = []
  /// What goes wrong with it; nil before it is known.
  var turn: ScriptedRun.Turn?
  /// How many partial results it has had.
  var partials = 0
  private var reader = ToneReader()
  private var nextLook = Self.look
  private var shown: [Int] = []

  init(number: UInt32) { self.number = number }

  /// Whether enough has come to know the utterance again.
  var isRecognizable: Bool { beginning.count == Self.recognizable }

  mutating func take(_ samples: [Int16]) {
    beginning += samples.prefix(Self.recognizable - beginning.count)
    reader.take(samples)
  }

  /// The words so far, if it is time to tell them and they are others than before.
  mutating func news() -> [SpokenTones.Word]? {
    guard reader.count >= nextLook else { return nil }
    nextLook = reader.count + Self.look
    let words = reader.words
    guard words.map(\.number) != shown else { return nil }
    shown = words.map(\.number)
    return words
  }

  /// What was heard, and with lower confidence what was not: one word as another, one word not at all.
  func hypotheses(_ most: Int) -> [ServiceHypothesis] {
    let words = reader.words
    guard let last = words.indices.last else { return [] }
    var replaced = words
    let place = Int(number) % words.count
    replaced[place].number = (words[place].number + 7) % SpokenTones.vocabulary.count
    var readings = [(words, 0.8), (replaced, 0.15)]
    if words.count > 1 { readings.append((Array(words[..<last]), 0.05)) }
    return readings.prefix(max(1, most)).map { words, confidence in
      Self.hypothesis(words, confidence: confidence, ofWords: 0.5 + confidence / 2)
    }
  }

  /// A reading in which every word has the same confidence.
  static func hypothesis(
    _ words: [SpokenTones.Word], confidence: Double = 0, ofWords: Double = 0
  ) -> ServiceHypothesis {
    let spelled = words.map { word in
      ServiceHypothesis.Word(
        text: SpokenTones.vocabulary[word.number], start: word.start, end: word.end, confidence: ofWords)
    }
    return ServiceHypothesis(words: spelled, confidence: confidence)
  }
}
