import ScriptedSpeech
import SpeechServiceProtocol

/// An utterance that is being received.
struct ScriptedUtterance {
  /// Seconds between words of one utterance, at most. The words of a window are those of several utterances.
  private static let maxGap = 0.2
  /// Samples that identify an utterance: half a second.
  private static let recognizable = SpokenTones.sampleRate / 2
  /// The interval of partial results, in samples: a quarter of a second.
  private static let look = SpokenTones.sampleRate / 4

  /// The number given with `begin`.
  let number: UInt32
  /// The first samples, which identify it.
  private(set) var beginning: [Int16] = []
  /// Its fault, if any; nil before it is identified.
  var turn: ScriptedRun.Turn?
  /// How many partial results it has had.
  var partials = 0
  private var reader = ToneReader()
  private var nextLook = Self.look
  private var shown: [Int] = []

  init(number: UInt32) { self.number = number }

  /// Whether enough audio has come to identify it.
  var isRecognizable: Bool { beginning.count == Self.recognizable }

  mutating func take(_ samples: [Int16]) {
    beginning += samples.prefix(Self.recognizable - beginning.count)
    reader.take(samples)
  }

  /// The words so far, if a new partial result is due.
  mutating func newWords() -> [SpokenTones.Word]? {
    guard reader.count >= nextLook else { return nil }
    nextLook = reader.count + Self.look
    let words = reader.words
    guard words.map(\.number) != shown else { return nil }
    shown = words.map(\.number)
    return words
  }

  /// The words, and less likely hypotheses: with one word replaced, and with one word left out.
  func hypotheses(_ maxCount: Int, texts: [String: [String]]) -> [ServiceHypothesis] {
    let words = reader.words
    guard texts.isEmpty else { return written(words, as: texts, maxCount) }
    guard let last = words.indices.last else { return [] }
    var replaced = words
    let index = Int(number) % words.count
    replaced[index].number = (words[index].number + 7) % SpokenTones.vocabulary.count
    var hypotheses = [(words, 0.8), (replaced, 0.15)]
    if words.count > 1 { hypotheses.append((Array(words[..<last]), 0.05)) }
    return hypotheses.prefix(max(1, maxCount)).map { words, confidence in
      Self.hypothesis(words, confidence: confidence, ofWords: 0.5 + confidence / 2)
    }
  }

  /// The hypotheses in which each utterance is its first text, its second, and so on, or its last if it has no more.
  private func written(
    _ words: [SpokenTones.Word], as texts: [String: [String]], _ maxCount: Int
  ) -> [ServiceHypothesis] {
    let utterances = words.reduce(into: [[SpokenTones.Word]]()) { utterances, word in
      if let last = utterances.last?.last, word.start - last.end <= Self.maxGap {
        utterances[utterances.count - 1].append(word)
      } else {
        utterances.append([word])
      }
    }
    let alternatives = utterances.map { words in
      let spoken = SpokenTones.text(of: words.map(\.number))
      return texts[spoken] ?? [spoken]
    }
    return (0..<min(maxCount, alternatives.map(\.count).max() ?? 0)).map { rank in
      let confidence = 0.8 / Double(rank + 1)
      let spelled = zip(utterances, alternatives).flatMap { words, texts -> [ServiceHypothesis.Word] in
        let parts = texts[min(rank, texts.count - 1)].split(separator: " ").map(String.init)
        return parts.enumerated().map { index, text in
          // Within one spoken word: between two there is no speech, and no word stands there.
          let number = index * words.count / parts.count
          let word = words[number]
          func time(_ index: Int) -> Double {
            let place = Double(index * words.count) / Double(parts.count) - Double(number)
            return word.start + (word.end - word.start) * min(1, place)
          }
          return .init(text: text, start: time(index), end: time(index + 1), confidence: confidence)
        }
      }
      return ServiceHypothesis(words: spelled, confidence: confidence)
    }
  }

  /// A hypothesis in which every word has the same confidence.
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
