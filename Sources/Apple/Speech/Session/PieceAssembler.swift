/// Gathers what the segmenter finds into whole pieces, and splits speech that goes on too long at its quietest
/// place.
struct PieceAssembler {
  /// 25 s: a decoder stays within 120 MB for that; beyond, its memory and time grow faster than the audio.
  static let longest = 25 * SpeechSegmenter.sampleRate
  /// A split leaves at least so much on its left.
  private static let shortest = longest / 2

  private var piece: AudioPiece?

  /// Where the piece begins that is open; nil if none is.
  var start: Int? { piece?.start }

  /// Takes an action of the segmenter; gives the pieces that are whole with it.
  mutating func take(_ action: SpeechSegmenter.Action) -> [AudioPiece] {
    switch action {
    case .begin(let start):
      piece = AudioPiece(start: start, samples: [])
      return []
    case .audio(let samples):
      piece?.samples += samples
      var whole: [AudioPiece] = []
      while let long = piece, long.samples.count >= Self.longest {
        let place = Self.quietestPlace(in: long.samples, Self.shortest..<Self.longest)
        whole.append(AudioPiece(start: long.start, samples: Array(long.samples[..<place])))
        piece = AudioPiece(start: long.start + place, samples: Array(long.samples[place...]))
      }
      return whole
    case .end:
      defer { piece = nil }
      return piece.map { $0.samples.isEmpty ? [] : [$0] } ?? []
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
