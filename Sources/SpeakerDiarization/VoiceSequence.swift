import Foundation

/// The most likely sequence of voices over the frames of speech: Viterbi's algorithm.
struct VoiceSequence {
  /// What a change of the voice costs, as a logarithm of likelihood; half of it at a pause.
  static let changeCost: Float = 40
  /// A frame cannot count for more than this against a voice.
  private static let worstScore: Float = -12

  /// For each frame of speech, in order, the voice.
  private(set) var voices: [Int]
  /// For each frame of speech and voice: how much worse the voice is than the best one, at most 0.
  let evidence: [[Float]]

  init(_ features: VoiceFeatures, frames: [Int], models: [VoiceMixture]) {
    var evidence = models.map { $0.scores(features, frames) }
    for place in frames.indices {
      let top = evidence.reduce(-Float.infinity) { max($0, $1[place]) }
      let weight: Float = features.isVoice[frames[place]] ? 1 : 0
      for voice in evidence.indices {
        evidence[voice][place] = weight * max(Self.worstScore, evidence[voice][place] - top)
      }
    }
    self.evidence = evidence
    voices = Self.path(frames: frames, evidence: evidence)
  }

  private static func path(frames: [Int], evidence: [[Float]]) -> [Int] {
    let count = evidence.count
    guard !frames.isEmpty else { return [] }
    var values = evidence.map { $0[0] }
    var origins = [UInt8](repeating: 0, count: frames.count * count)
    for place in 1..<max(1, frames.count) {
      let cost = frames[place] == frames[place - 1] + 1 ? changeCost : changeCost / 2
      var best = 0
      for voice in 1..<max(1, count) where values[voice] > values[best] { best = voice }
      let changed = values[best] - cost
      for voice in 0..<count {
        let stays = values[voice] >= changed
        origins[place * count + voice] = UInt8(stays ? voice : best)
        values[voice] = (stays ? values[voice] : changed) + evidence[voice][place]
      }
    }
    var voice = values.indices.max { values[$0] < values[$1] } ?? 0
    var path = [Int](repeating: 0, count: frames.count)
    for place in frames.indices.reversed() {
      path[place] = voice
      voice = Int(origins[place * count + voice])
    }
    return path
  }
}
