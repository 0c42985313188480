/// Judges the audio of utterances, block by block of a second, by the last two seconds of sound: a pure state
/// machine.
struct SpeechClassifier {
  /// A stretch of an utterance and the evidence for speech in it.
  struct Block: Equatable {
    /// In samples of 16 kHz.
    var range: Range<Int>
    /// `SpeechEvidence.score` less the threshold: above 0 it is speech.
    var score: Double
  }

  private static let blockLength = 50
  /// A rest that is shorter belongs to the block before.
  private static let shortestBlock = 25
  private static let windowLength = 100
  /// Samples that the window reaches back; pauses within are left out.
  private static let reach = 250 * SpeechFrame.hop

  private let threshold: Double
  /// Frames of this utterance and those before it, as far back as a window may reach.
  private var frames: [SpeechFrame] = []
  private var analyzer = SpeechFrameAnalyzer(at: 0)
  /// Where the open block begins, and the first of `frames` in it.
  private var start = 0
  private var first = 0
  private var end = 0

  init(threshold: Double) { self.threshold = threshold }

  /// An utterance begins.
  mutating func begin(at place: Int) {
    analyzer = SpeechFrameAnalyzer(at: place)
    start = place
    end = place
    first = frames.count
    forget()
  }

  /// More of the utterance; gives the blocks that are whole.
  mutating func take(_ samples: [Int16]) -> [Block] {
    end += samples.count
    frames += analyzer.take(samples)
    defer { forget() }
    return wholeBlocks()
  }

  /// The utterance ends; gives the blocks that are left of it.
  mutating func finish() -> [Block] {
    frames += analyzer.finish()
    return wholeBlocks() + (cut().map { [$0] } ?? [])
  }

  /// Ends the open block, wherever it is; nil if nothing of it was taken.
  mutating func cut() -> Block? { start < end ? block(of: frames.count - first, to: end) : nil }

  /// The evidence of the last two seconds.
  var score: Double { score(to: frames.count) }

  /// The stretches of a whole utterance in which there is no speech. One block that tells nothing, before one
  /// that is speech, is its beginning.
  mutating func nonspeech(in utterance: UtteranceAudio) -> [Range<Int>] {
    begin(at: utterance.start)
    let blocks = take(utterance.samples) + finish()
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

  private mutating func block(of count: Int, to place: Int) -> Block {
    first += count
    defer { start = place }
    return Block(range: start..<place, score: score(to: first))
  }

  private func score(to end: Int) -> Double {
    guard end > 0 else { return 0 }
    let earliest = frames[end - 1].place + SpeechFrame.hop - Self.reach
    let window = frames[..<end].suffix(Self.windowLength).drop { $0.place < earliest }
    return SpeechEvidence.score(window) - threshold
  }

  /// Forgets the frames that no window reaches any more.
  private mutating func forget() {
    let earliest = end - Self.reach
    let old = frames.prefix(first).prefix { $0.place < earliest - Self.blockLength * SpeechFrame.hop }.count
    frames.removeFirst(old)
    first -= old
  }
}
