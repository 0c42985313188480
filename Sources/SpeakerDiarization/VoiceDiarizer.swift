import Foundation

/// Separates the voices in one channel of a recording, by their sound alone.
///
/// Speech is cut into parts of about 2 s. Parts whose cepstral coefficients one Gaussian describes are merged into
/// clusters, until the clusters are voices. Then mixtures of Gaussians of the voices divide the speech again, frame by frame.
/// Nothing is learned before, and nothing is compared with other recordings.
///
/// ```swift
/// var diarizer = VoiceDiarizer()
/// diarizer.add(samples)
/// let turns = diarizer.found(in: [0.4...12.1], voices: nil)
/// ```
package struct VoiceDiarizer {
  /// A part of the speech in which one voice speaks.
  package struct Turn: Equatable {
    /// Seconds from the start of the audio.
    package var start: Double
    /// Seconds from the start of the audio.
    package var end: Double
    /// From 0, in the order in which the voices begin.
    package var voice: Int
    /// How probable it is that this is the voice, 0 to 1; nil if it is not known, as where only one voice was found.
    package var confidence: Double?
  }

  /// The rate of the samples in Hz.
  package static let sampleRate = MelBands.sampleRate
  /// The largest number of voices.
  package static let maxVoices = VoiceClustering.maxCount
  private static let framesPerSecond = Double(MelBands.sampleRate / MelBands.hop)
  private static let partLength = 200.0
  /// Frames of a voice that a part has at least.
  private static let minPartFrames = 20
  private static let rounds = 3
  /// More frames do not make a mixture better.
  private static let maxTrainingFrames = 20_000

  private var mel = MelBands()

  package init() {}

  /// Takes the next samples of 16 kHz audio.
  package mutating func add(_ samples: some Sequence<Int16>) { mel.add(samples) }

  /// Who speaks when. It is called once, after all audio was added.
  /// - Parameters:
  ///   - speech: the parts of the audio with speech, in seconds.
  ///   - voices: the number of voices; nil to find it.
  /// - Returns: turns that do not overlap, in order; they cover the speech. There may be fewer voices than asked for.
  package func found(in speech: [ClosedRange<Double>], voices: Int?) -> [Turn] {
    var mel = mel
    mel.finish()
    let ranges = Self.frames(of: speech, count: mel.frameCount)
    let features = VoiceFeatures(mel, speech: ranges)
    let clusters = Self.clusters(features, ranges, voices)
    guard !clusters.isEmpty else { return [] }
    let frames = ranges.flatMap(Array.init)
    var training = clusters.map { parts in parts.flatMap { $0.filter { features.isVoice[$0] } } }
    var sequence: VoiceSequence?
    for _ in 0..<(clusters.count > 1 ? Self.rounds : 1) {
      let models = training.map { VoiceMixture(features, frames: Self.thinned($0)) }
      let found = VoiceSequence(features, frames: frames, models: models)
      training = models.indices.map { voice in
        frames.indices.filter { found.voices[$0] == voice && features.isVoice[frames[$0]] }.map { frames[$0] }
      }.filter { !$0.isEmpty }
      sequence = found
    }
    let turns = sequence.map { Self.turns(of: $0, frames) } ?? []
    // That so many were found may be wrong itself.
    guard voices == nil else { return turns }
    return turns.map { turn in
      var turn = turn
      turn.confidence = turn.confidence.map(VoiceMargins.rightIfCountIsFound)
      return turn
    }
  }

  /// For each voice, the ranges of frames that are certain.
  private static func clusters(
    _ features: VoiceFeatures, _ ranges: [Range<Int>], _ voices: Int?
  ) -> [[Range<Int>]] {
    let parts = ranges.flatMap(parts(of:)).filter { part in
      part.reduce(0) { $0 + (features.isVoice[$1] ? 1 : 0) } >= minPartFrames
    }
    let statistics = parts.map { part in
      var statistics = GaussianStatistics(dimension: features.dimension)
      statistics.add(features, part)
      return statistics
    }
    return VoiceClustering(statistics).voices(voices, range: features.range).map { indices in
      indices.sorted().map { parts[$0] }
    }
  }

  private static func parts(of range: Range<Int>) -> [Range<Int>] {
    let count = max(1, Int((Double(range.count) / partLength).rounded()))
    return (0..<count).map { index in
      let start = range.lowerBound + range.count * index / count
      return start..<range.lowerBound + range.count * (index + 1) / count
    }
  }

  /// Ranges of frames, in order, that neither overlap nor touch.
  private static func frames(of speech: [ClosedRange<Double>], count: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for part in speech.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = min(count, max(0, Int((part.lowerBound * framesPerSecond).rounded())))
      let end = min(count, max(start, Int((part.upperBound * framesPerSecond).rounded())))
      if let last = ranges.last, start <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else if start < end {
        ranges.append(start..<end)
      }
    }
    return ranges
  }

  private static func thinned(_ frames: [Int]) -> [Int] {
    let step = (frames.count + maxTrainingFrames - 1) / maxTrainingFrames
    return step < 2 ? frames : stride(from: 0, to: frames.count, by: step).map { frames[$0] }
  }

  private static func turns(of sequence: VoiceSequence, _ frames: [Int]) -> [Turn] {
    var turns: [Turn] = []
    var numbers: [Int: Int] = [:]
    var start = 0
    for place in 1...max(1, frames.count) where start < frames.count {
      let goesOn =
        place < frames.count && frames[place] == frames[place - 1] + 1
        && sequence.voices[place] == sequence.voices[start]
      guard !goesOn else { continue }
      let voice = sequence.voices[start]
      let number = numbers[voice] ?? numbers.count
      numbers[voice] = number
      turns.append(
        Turn(
          start: Double(frames[start]) / framesPerSecond,
          end: Double(frames[place - 1] + 1) / framesPerSecond,
          voice: number, confidence: confidence(in: voice, start..<place, sequence.evidence)))
      start = place
    }
    return turns
  }

  private static func confidence(in voice: Int, _ places: Range<Int>, _ evidence: [[Float]]) -> Double? {
    // One voice is none of several, but that there are no others is only a guess.
    guard evidence.count > 1 else { return nil }
    let means = evidence.map { Double($0[places].reduce(0, +)) / Double(places.count) }
    let others = means.indices.filter { $0 != voice }.map { means[$0] }
    return VoiceMargins.right(margin: means[voice] - (others.max() ?? 0))
  }
}
