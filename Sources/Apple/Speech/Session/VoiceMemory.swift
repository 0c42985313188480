import SpeechServiceProtocol

/// What is known of the voice at each time of a recording, from the utterances around it.
struct VoiceMemory {
  /// Samples of audio before an utterance whose voice counts: a minute. Speakers take turns.
  private static let memory = 60 * SpeechSegmenter.sampleRate
  /// Samples of audio after an utterance whose voice counts.
  static let lookahead = 30 * SpeechSegmenter.sampleRate
  /// Utterances that begin in so many first samples of each minute are learned from: learning takes as long as decoding.
  private static let lesson = 30 * SpeechSegmenter.sampleRate

  private var learned: [(range: Range<Int>, statistics: AdaptationStatistics)] = []

  /// Whether an utterance is to be learned from.
  static func wants(_ range: Range<Int>) -> Bool { range.lowerBound % memory < lesson }

  /// Adds what an utterance told. Utterances come in any order.
  mutating func add(_ statistics: AdaptationStatistics, of range: Range<Int>) {
    let place = learned.firstIndex { $0.range.lowerBound > range.lowerBound } ?? learned.endIndex
    learned.insert((range, statistics), at: place)
  }

  /// What is known of the voice of an utterance. Utterances come in about the order of the audio.
  func statistics(at range: Range<Int>) -> AdaptationStatistics {
    var sum = AdaptationStatistics()
    for (other, statistics) in learned
    where other.upperBound >= range.lowerBound - Self.memory
      && other.lowerBound < range.upperBound + Self.lookahead
    {
      sum.add(statistics)
    }
    return sum
  }

  /// Forgets what is too old for all utterances from a position on.
  mutating func forget(before position: Int) {
    learned.removeAll { $0.range.upperBound < position - Self.memory }
  }
}
