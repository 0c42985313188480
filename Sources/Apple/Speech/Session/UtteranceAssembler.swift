/// Gathers what the segmenter finds into whole utterances, and splits speech that goes on too long at its
/// quietest place.
struct UtteranceAssembler {
  /// 25 s: a decoder stays within 120 MB for that; beyond, its memory and time grow faster than the audio.
  static let longest = 25 * SpeechSegmenter.sampleRate
  /// A split leaves at least so much on its left.
  private static let shortest = longest / 2

  private var utterance: UtteranceAudio?

  /// Where the utterance begins that is open; nil if none is.
  var start: Int? { utterance?.start }

  /// Takes an action of the segmenter; gives the utterances that are whole with it.
  mutating func take(_ action: SpeechSegmenter.Action) -> [UtteranceAudio] {
    switch action {
    case .begin(let start):
      utterance = UtteranceAudio(start: start, samples: [])
      return []
    case .audio(let samples):
      utterance?.samples += samples
      var whole: [UtteranceAudio] = []
      while let long = utterance, long.samples.count >= Self.longest {
        let place = Self.quietestPlace(in: long.samples, Self.shortest..<Self.longest)
        whole.append(UtteranceAudio(start: long.start, samples: Array(long.samples[..<place])))
        utterance = UtteranceAudio(start: long.start + place, samples: Array(long.samples[place...]))
      }
      return whole
    case .end:
      defer { utterance = nil }
      return utterance.map { $0.samples.isEmpty ? [] : [$0] } ?? []
    }
  }

  /// The middle of the quietest fifth of a second of `range`.
  private static func quietestPlace(in samples: [Int16], _ range: Range<Int>) -> Int {
    let step = SpeechSegmenter.frameLength
    let width = 20
    let energies = stride(from: range.lowerBound, to: range.upperBound - step + 1, by: step).map { start in
      samples[start..<start + step].reduce(0.0) { $0 + Double($1) * Double($1) }
    }
    guard energies.count > width else { return range.lowerBound }
    var sum = energies[..<width].reduce(0, +)
    var best = (sum: sum, index: 0)
    for index in width..<energies.count {
      sum += energies[index] - energies[index - width]
      if sum < best.sum { best = (sum, index - width + 1) }
    }
    return range.lowerBound + (best.index + width / 2) * step
  }
}
