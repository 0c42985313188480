import Foundation

/// The audio of an utterance: speech between two pauses, or a part of longer speech.
package struct UtteranceAudio: Sendable, Hashable {
  /// The position of the first sample, at 16 kHz.
  package var start: Int
  /// 16 kHz, mono.
  package var samples: [Int16]

  package var range: Range<Int> { start..<start + samples.count }

  /// The number of samples of speech.
  /// - Parameter nonspeech: the ranges of the utterance that hold no speech; nil if this is not known.
  func speechLength(without nonspeech: [Range<Int>]?) -> Int {
    samples.count - (nonspeech ?? []).reduce(0) { $0 + $1.count }
  }
}

extension Collection<Int16> {
  /// The mean square, in steps of 16 bits; 0 if there are no samples.
  var meanSquare: Double { reduce(0.0) { $0 + Double($1) * Double($1) } / Double(Swift.max(1, count)) }

  /// The level in dBFS.
  var level: Double { SpeechSegmenter.level(meanSquare / (32_768 * 32_768)) }
}

extension UtteranceAudio {
  /// dBFS of the loud frames below which an utterance is quiet, and to which it is raised.
  private static let quiet = -32.0

  /// The utterance as loud as others are, if it is quiet: a recognizer that gets it beside louder ones finds no words in it. Nil
  /// if it is loud.
  func raised() -> UtteranceAudio? {
    let levels = stride(from: 0, to: samples.count, by: SpeechSegmenter.frameLength).map { start in
      samples[start..<min(samples.count, start + SpeechSegmenter.frameLength)].level
    }.sorted()
    guard !levels.isEmpty else { return nil }
    let level = levels[(levels.count - 1) * 19 / 20]
    guard level < Self.quiet else { return nil }
    let gain = pow(10, (Self.quiet - level) / 20)
    return UtteranceAudio(
      start: start, samples: samples.map { Int16(clamping: Int((Double($0) * gain).rounded())) })
  }
}

/// Collects the segmenter's actions into whole utterances, and splits long speech where it is quietest.
struct UtteranceAssembler {
  /// 25 s, which a decoder handles within 120 MB. Beyond this its memory and time grow faster than the audio.
  static let maxLength = 25 * SpeechSegmenter.sampleRate
  /// A split leaves at least this much on its left.
  private static let minLength = maxLength / 2

  private var utterance: UtteranceAudio?

  /// Where the open utterance starts; nil if none is open.
  var start: Int? { utterance?.start }

  /// Takes an action of the segmenter, and returns the utterances that are complete with it.
  mutating func take(_ action: SpeechSegmenter.Action) -> [UtteranceAudio] {
    switch action {
    case .begin(let start):
      utterance = UtteranceAudio(start: start, samples: [])
      return []
    case .audio(let samples):
      utterance?.samples += samples
      var whole: [UtteranceAudio] = []
      while let long = utterance, long.samples.count >= Self.maxLength {
        let split = Self.quietestOffset(in: long.samples, Self.minLength..<Self.maxLength)
        whole.append(UtteranceAudio(start: long.start, samples: Array(long.samples[..<split])))
        utterance = UtteranceAudio(start: long.start + split, samples: Array(long.samples[split...]))
      }
      return whole
    case .pause: return []
    case .end:
      defer { utterance = nil }
      return utterance.map { $0.samples.isEmpty ? [] : [$0] } ?? []
    }
  }

  /// The middle of the quietest fifth of a second of `range`.
  private static func quietestOffset(in samples: [Int16], _ range: Range<Int>) -> Int {
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

/// Splits long speech while it is spoken. Audio that was sent cannot be taken back. So from some length on
/// the splitter waits for a frame that is quiet for this utterance, and accepts louder frames the longer it
/// waits.
struct StreamSplitter {
  private static let patientLength = 12 * SpeechSegmenter.sampleRate
  private static let maxLength = UtteranceAssembler.maxLength

  private var start = 0
  private var length = 0
  private var levels: [Double] = []

  /// Takes an action of the segmenter, and returns the actions that replace it.
  mutating func take(_ action: SpeechSegmenter.Action) -> [SpeechSegmenter.Action] {
    switch action {
    case .begin(let position):
      begin(at: position)
      return [action]
    case .audio(let samples):
      let level = samples.level
      levels.append(level)
      length += samples.count
      guard length >= Self.patientLength else { return [action] }
      // The share of frames that have to be louder falls from all to none as the utterance nears its longest.
      let impatience = Double(length - Self.patientLength) / Double(Self.maxLength - Self.patientLength)
      let quieter = levels.count(where: { $0 < level })
      guard Double(quieter) <= impatience * Double(levels.count) * 0.5 || length >= Self.maxLength else {
        return [action]
      }
      let split = start + length
      begin(at: split)
      return [action, .end(at: split), .begin(at: split)]
    case .pause, .end:
      return [action]
    }
  }

  private mutating func begin(at position: Int) {
    start = position
    length = 0
    levels = []
  }
}
