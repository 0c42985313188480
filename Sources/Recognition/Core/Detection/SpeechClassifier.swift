import RecognitionProtocol

/// Separates speech from other audio, in blocks of a second, by the sound of the last two seconds: a pure state machine.
package struct SpeechClassifier: UtteranceClassifier {
  /// A part of an utterance, and the evidence for speech in it.
  package struct Block: Equatable {
    /// In samples of 16 kHz.
    package var range: Range<Int>
    /// `SpeechEvidence.score` minus the threshold. Above 0 the block is speech.
    package var score: Double
  }

  private static let blockLength = 50
  /// A shorter rest belongs to the block before.
  private static let shortestBlock = 25
  private static let windowLength = 100
  /// Samples that the window reaches back. Pauses are left out.
  private static let reach = 250 * SpeechFrame.hop

  private let threshold: Double
  /// Frames of this utterance and those before it, as far back as a window may reach.
  private var frames: [SpeechFrame] = []
  private var analyzer = SpeechFrameAnalyzer(at: 0)
  /// Where the open block begins, and the first of `frames` in it.
  private var start = 0
  private var first = 0
  private var end = 0
  /// The blocks of the utterance that were added and are complete.
  private var blocks: [Block] = []

  package init(threshold: Double) { self.threshold = threshold }

  /// An utterance begins.
  package mutating func begin(at position: Int) {
    analyzer = SpeechFrameAnalyzer(at: position)
    start = position
    end = position
    first = frames.count
    blocks = []
    forget()
  }

  mutating func add(_ samples: [Int16]) { blocks += take(samples) }

  mutating func nonspeech() -> [Range<Int>] { Self.nonspeech(among: blocks + finish()) }

  /// More of the utterance; returns the blocks that are complete.
  package mutating func take(_ samples: [Int16]) -> [Block] {
    end += samples.count
    frames += analyzer.take(samples)
    defer { forget() }
    return wholeBlocks()
  }

  /// The utterance ends; returns its last blocks.
  package mutating func finish() -> [Block] {
    frames += analyzer.finish()
    return wholeBlocks() + (cut().map { [$0] } ?? [])
  }

  /// Ends the open block early; nil if it is empty.
  package mutating func cut() -> Block? { start < end ? block(of: frames.count - first, to: end) : nil }

  /// The evidence of the last two seconds.
  package var score: Double { score(to: frames.count) }

  /// The ranges of the blocks of an utterance that hold no speech. A block without evidence before a block of
  /// speech is the beginning of the speech.
  private static func nonspeech(among blocks: [Block]) -> [Range<Int>] {
    let next = blocks.dropFirst().map(\.score) + [0]
    return zip(blocks, next).filter { max($0.score, $1) <= 0 }.map(\.0.range)
  }

  private mutating func wholeBlocks() -> [Block] {
    var blocks: [Block] = []
    while frames.count - first >= Self.blockLength + Self.shortestBlock {
      blocks.append(block(of: Self.blockLength, to: start + Self.blockLength * SpeechFrame.hop))
    }
    return blocks
  }

  private mutating func block(of count: Int, to position: Int) -> Block {
    first += count
    defer { start = position }
    return Block(range: start..<position, score: score(to: first))
  }

  private func score(to end: Int) -> Double {
    guard end > 0 else { return 0 }
    let earliest = frames[end - 1].position + SpeechFrame.hop - Self.reach
    let window = frames[..<end].suffix(Self.windowLength).drop { $0.position < earliest }
    return SpeechEvidence.score(window) - threshold
  }

  /// Removes the frames that no later window reaches.
  private mutating func forget() {
    let earliest = end - Self.reach
    let old = frames.prefix(first).prefix { $0.position < earliest - Self.blockLength * SpeechFrame.hop }
      .count
    frames.removeFirst(old)
    first -= old
  }
}

/// Finds the parts of utterances without speech.
protocol UtteranceClassifier: Sendable {
  /// An utterance begins.
  mutating func begin(at position: Int)

  /// More of the utterance.
  mutating func add(_ samples: [Int16])

  /// The utterance ends; returns its ranges that hold no speech, in order.
  mutating func nonspeech() -> [Range<Int>]
}

extension UtteranceClassifier {
  /// The ranges of a whole utterance that hold no speech.
  mutating func nonspeech(in utterance: UtteranceAudio) -> [Range<Int>] {
    begin(at: utterance.start)
    add(utterance.samples)
    return nonspeech()
  }
}

/// How speech is distinguished from pauses and from other audio.
package struct SpeechDetection: Sendable, Equatable {
  /// Where the language is detected.
  package struct Languages: Sendable, Equatable {
    /// The first sample.
    package var start: Int
    /// Whether it is known what is spoken there.
    package var isKnown: Bool

    package init(start: Int, isKnown: Bool) { (self.start, self.isKnown) = (start, isKnown) }
  }

  package var segmentation = SpeechSegmenter.Configuration()
  /// The evidence (`SpeechEvidence`) above which audio is speech; nil accepts all audio between pauses as
  /// speech.
  package var threshold: Double?
  /// Added to the probability of a voice that recognizers need.
  package var voiceMargin = 0.0
  /// Whether utterances are decoded together where the recognizer does that best. Their results then come late.
  package var packsWindows = true
  /// Where the language is detected; nil if all is in one.
  package var languages: Languages?

  package init(
    segmentation: SpeechSegmenter.Configuration = .init(), threshold: Double? = nil, voiceMargin: Double = 0
  ) {
    (self.segmentation, self.threshold, self.voiceMargin) = (segmentation, threshold, voiceMargin)
  }

  /// What finds speech for a recognizer; nil if all audio is speech.
  func classifier(for words: WordPolicy) -> (any UtteranceClassifier)? {
    guard let threshold else { return nil }
    if let voice = words.voice, let found = VoiceClassifier.installed(threshold: voice + voiceMargin) {
      return found
    }
    return SpeechClassifier(threshold: threshold + words.speechMargin)
  }

  /// What cuts audio for a recognizer.
  func cutter(for words: WordPolicy) -> SpeechCutter {
    let voice = threshold == nil ? nil : words.voice
    let quiet = voice.flatMap { voice in
      VoiceNetwork.installed.map { QuietVoice(network: $0, threshold: voice + voiceMargin) }
    }
    return SpeechCutter(segmentation, quiet: quiet)
  }
}
