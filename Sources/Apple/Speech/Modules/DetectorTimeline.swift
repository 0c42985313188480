/// Makes a detector's results of audio: a pure value over the segmenter.
///
/// Finals tile the audio: a stretch is final when the next one begins, or when everything is committed.
struct DetectorTimeline {
  private var segmenter: SpeechSegmenter
  /// Where the last final ends.
  private var tiled: Int
  private var isSpeech = false

  /// - Parameter place: where the audio begins, in samples of 16 kHz.
  init(configuration: SpeechSegmenter.Configuration, start place: Int) {
    segmenter = SpeechSegmenter(configuration: configuration)
    segmenter.skip(to: place)
    tiled = place
  }

  mutating func take(_ samples: [Int16], at place: Int) -> [SpeechDetector.Result] {
    results(of: segmenter.process(samples), heardTo: place + samples.count)
  }

  /// The audio goes on at a later place.
  mutating func skip(to place: Int) -> [SpeechDetector.Result] {
    defer { segmenter.skip(to: place) }
    return results(of: segmenter.finish(), heardTo: place) + end(at: place, isSpeechNext: false)
  }

  /// Everything before `place` is final; speech that is under way goes on after it.
  mutating func commit(through place: Int) -> [SpeechDetector.Result] {
    end(at: place, isSpeechNext: isSpeech)
  }

  private mutating func results(of actions: [SpeechSegmenter.Action], heardTo place: Int)
    -> [SpeechDetector.Result]
  {
    var results: [SpeechDetector.Result] = []
    for action in actions {
      switch action {
      case .begin(let start):
        results += end(at: start, isSpeechNext: true)
        let heard = tiled..<max(place, tiled + SpeechSegmenter.frameLength)
        results.append(.init(range: heard, finalizationPlace: tiled, speechDetected: true))
      case .end(let end): results += self.end(at: end, isSpeechNext: false)
      case .audio: break
      }
    }
    return results
  }

  private mutating func end(at place: Int, isSpeechNext: Bool) -> [SpeechDetector.Result] {
    defer {
      isSpeech = isSpeechNext
      tiled = max(tiled, place)
    }
    guard place > tiled else { return [] }
    return [.init(range: tiled..<place, finalizationPlace: place, speechDetected: isSpeech)]
  }
}
