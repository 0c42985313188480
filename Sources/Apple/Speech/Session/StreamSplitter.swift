/// Splits speech that goes on too long while it is spoken: what was handed on cannot be taken back, so from
/// some length on it waits for a frame that is quiet for this utterance, and is content with less the longer it
/// waits.
struct StreamSplitter {
  private static let patient = 12 * SpeechSegmenter.sampleRate
  private static let longest = UtteranceAssembler.longest

  private var start = 0
  private var length = 0
  private var levels: [Double] = []

  /// Takes an action of the segmenter; gives what to do instead.
  mutating func take(_ action: SpeechSegmenter.Action) -> [SpeechSegmenter.Action] {
    switch action {
    case .begin(let place):
      start = place
      length = 0
      levels = []
      return [action]
    case .audio(let samples):
      let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
      let level = SpeechSegmenter.level(energy / (32_768 * 32_768))
      levels.append(level)
      length += samples.count
      guard length >= Self.patient else { return [action] }
      // The share of frames that are louder falls from all to none as the utterance nears its longest.
      let impatience = Double(length - Self.patient) / Double(Self.longest - Self.patient)
      let quieter = levels.count(where: { $0 < level })
      guard Double(quieter) <= impatience * Double(levels.count) * 0.5 || length >= Self.longest else {
        return [action]
      }
      let place = start + length
      start = place
      length = 0
      levels = []
      return [action, .end(at: place), .begin(at: place)]
    case .end:
      return [action]
    }
  }
}
