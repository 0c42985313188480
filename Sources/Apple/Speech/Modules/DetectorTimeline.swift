import RecognitionCore

/// Makes a detector's results of audio: a pure value over the segmenter, which finds loud audio, and the
/// classifier, which separates speech from other audio.
///
/// Finals tile the audio: a stretch is final when the next one begins, when speech has paused, or when
/// everything is committed. A block of sound is speech if it or the next one, within a second, sounds like
/// it.
struct DetectorTimeline {
  /// Samples within which what follows a block may show that it was the beginning of speech.
  private static let hold = SpeechSegmenter.sampleRate
  /// Samples of an utterance after which it is classified for the first time, and between two classifications.
  private static let firstLook = SpeechSegmenter.sampleRate / 2
  private static let look = SpeechSegmenter.sampleRate / 4

  private var segmenter: SpeechSegmenter
  private var classifier: SpeechClassifier
  /// Where the last final ends.
  private var tiled: Int
  private var isSpeech = false
  /// Where the speech ends that is known of.
  private var speechEnd = 0
  /// A block that may yet turn out to be the beginning of speech.
  private var held: SpeechClassifier.Block?
  /// Where the open utterance begins, how much of it there is, and where it is looked at next.
  private var utterance: (start: Int, length: Int, nextLook: Int)?
  /// Whether a beginning of speech that is not final yet has been reported.
  private var isReported = false

  /// - Parameter position: where the audio begins, in samples of 16 kHz.
  init(detection: SpeechDetection, start position: Int) {
    segmenter = SpeechSegmenter(configuration: detection.segmentation)
    classifier = SpeechClassifier(threshold: detection.threshold ?? -.infinity)
    segmenter.skip(to: position)
    tiled = position
  }

  mutating func take(_ samples: [Int16], at position: Int) -> [SpeechDetector.Result] {
    let results = results(of: segmenter.process(samples))
    guard let held, utterance == nil, position + samples.count - held.range.upperBound > Self.hold else {
      return results
    }
    return results + decide(held, by: held.score)
  }

  /// The audio continues at a later position.
  mutating func skip(to position: Int) -> [SpeechDetector.Result] {
    defer { segmenter.skip(to: position) }
    return results(of: segmenter.finish()) + settle() + end(at: position, isSpeechNext: false)
  }

  /// Everything before `position` is final; speech that is under way continues after it.
  mutating func commit(through position: Int) -> [SpeechDetector.Result] {
    let cut = classifier.cut().map { results(of: $0) } ?? []
    return cut + settle() + end(at: position, isSpeechNext: isSpeech)
  }

  private mutating func results(of actions: [SpeechSegmenter.Action]) -> [SpeechDetector.Result] {
    actions.flatMap { action -> [SpeechDetector.Result] in
      switch action {
      case .begin(let start):
        utterance = (start, 0, Self.firstLook)
        classifier.begin(at: start)
        return []
      case .audio(let samples):
        utterance?.length += samples.count
        let blocks = classifier.take(samples).flatMap { results(of: $0) }
        return blocks + onset()
      case .pause: return []
      case .end:
        let blocks = classifier.finish().flatMap { results(of: $0) }
        utterance = nil
        isReported = false
        return isSpeech && held == nil ? blocks + end(at: speechEnd, isSpeechNext: false) : blocks
      }
    }
  }

  /// Reports speech that is under way, before it is final.
  private mutating func onset() -> [SpeechDetector.Result] {
    guard let current = utterance, current.length >= current.nextLook else { return [] }
    utterance?.nextLook += Self.look
    guard !isReported, !isSpeech, classifier.score > 0 else { return [] }
    isReported = true
    let range = max(tiled, current.start)..<current.start + current.length
    return [.init(range: range, finalizationPlace: tiled, speechDetected: true)]
  }

  /// The verdict on a block, and on the one before it that waited for this one.
  private mutating func results(of block: SpeechClassifier.Block) -> [SpeechDetector.Result] {
    var results: [SpeechDetector.Result] = []
    if let held {
      let isNear = block.range.lowerBound - held.range.upperBound < Self.hold
      results += decide(held, by: isNear ? max(held.score, block.score) : held.score)
    }
    guard block.score <= 0 else { return results + decide(block, by: block.score) }
    held = block
    return results
  }

  private mutating func settle() -> [SpeechDetector.Result] {
    held.map { decide($0, by: $0.score) } ?? []
  }

  private mutating func decide(_ block: SpeechClassifier.Block, by score: Double) -> [SpeechDetector.Result] {
    held = nil
    var results: [SpeechDetector.Result] = []
    if isSpeech, score <= 0 || block.range.lowerBound > speechEnd {
      results += end(at: speechEnd, isSpeechNext: false)
    }
    guard score > 0 else { return results }
    if !isSpeech { results += end(at: block.range.lowerBound, isSpeechNext: true) }
    speechEnd = block.range.upperBound
    return utterance == nil ? results + end(at: speechEnd, isSpeechNext: false) : results
  }

  private mutating func end(at position: Int, isSpeechNext: Bool) -> [SpeechDetector.Result] {
    defer {
      isSpeech = isSpeechNext
      tiled = max(tiled, position)
    }
    guard position > tiled else { return [] }
    return [.init(range: tiled..<position, finalizationPlace: position, speechDetected: isSpeech)]
  }
}
