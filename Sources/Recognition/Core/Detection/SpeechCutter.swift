import Foundation

/// Cuts audio into utterances: speech by its level, and between it voices that are too quiet for that. A pure state machine.
///
/// The segmenter judges loudness by the last seconds, so that a person 35 dB quieter than the one before lies below what is
/// speech to it. A network for voices takes what the segmenter leaves out.
package struct SpeechCutter {
  private var segmenter: SpeechSegmenter
  private var quiet: QuietVoice?
  /// Samples from `position` on that are in no utterance and that `quiet` has not taken.
  private var rest: [Int16] = []
  private var position = 0
  private var isLoud = false

  /// - Parameter quiet: finds voices in what the segmenter leaves out; nil if that is no speech.
  init(_ segmentation: SpeechSegmenter.Configuration, quiet: QuietVoice? = nil) {
    segmenter = SpeechSegmenter(configuration: segmentation)
    self.quiet = quiet
  }

  /// Takes more audio.
  mutating func process(_ samples: [Int16]) -> [SpeechSegmenter.Action] {
    if quiet != nil { rest += samples }
    return cut(segmenter.process(samples))
  }

  /// Ends the audio; an utterance that is open ends with it.
  mutating func finish() -> [SpeechSegmenter.Action] { cut(segmenter.finish()) + (quiet?.end() ?? []) }

  /// Ends the utterance that is open, as if here were a pause.
  mutating func flush() -> [SpeechSegmenter.Action] { cut(segmenter.flush()) + (quiet?.end() ?? []) }

  /// No later utterance begins before this sample. Only while none is open.
  var reached: Int { min(segmenter.reached, quiet?.reached ?? .max) }

  /// Goes on with audio whose first sample is at `position`. Only after `finish()`.
  mutating func skip(to position: Int) {
    segmenter.skip(to: position)
    quiet?.skip(to: position)
    self.position = position
    rest = []
  }

  private mutating func cut(_ actions: [SpeechSegmenter.Action]) -> [SpeechSegmenter.Action] {
    guard quiet != nil else { return actions }
    var cut: [SpeechSegmenter.Action] = []
    for action in actions {
      switch action {
      case .begin(let start):
        cut += leaveOut(before: start) + (quiet?.end() ?? [])
        isLoud = true
      case .audio(let samples):
        rest.removeFirst(samples.count)
        position += samples.count
      case .pause: break
      case .end:
        isLoud = false
        quiet?.skip(to: position)
      }
      cut.append(action)
    }
    return isLoud ? cut : cut + leaveOut(before: segmenter.reached)
  }

  private mutating func leaveOut(before end: Int) -> [SpeechSegmenter.Action] {
    let count = min(end - position, rest.count)
    guard count > 0 else { return [] }
    defer {
      rest.removeFirst(count)
      position += count
    }
    return quiet?.take(Array(rest.prefix(count))) ?? []
  }
}

/// Finds voices in audio that is too quiet for the segmenter, by Silero's network: a pure state machine.
///
/// Its network takes this audio alone, because after a loud voice it takes a quiet one for none.
///
/// Measured: voices 34 and 40 dB below a reader are found within 0.4 s of each of their words; in what the segmenter leaves
/// out of 24 minutes of readers and prompts and of nine minutes without speech, no step is taken for a voice.
struct QuietVoice {
  /// Steps with a voice that begin an utterance: a tenth of a second.
  private static let minSteps = 3
  /// What the segmenter leaves out is raised by 20 dB.
  private static let gain = 10
  /// The mean square of a step, in steps of 16 bits, below which nobody can be understood: -75 dBFS.
  private static let minEnergy = 34.0

  private let network: VoiceNetwork
  private let threshold: Double
  private var state = VoiceNetwork.State()
  /// Samples that may belong to the next utterance, or that are not sent yet of the open one. The first is at `reached`.
  private var held: [Int16] = []
  private(set) var reached = 0
  /// The last samples of `held`, which do not fill a step yet.
  private var unclassified = 0
  /// Steps with a voice in a row, while no utterance is open.
  private var voices = 0
  /// Steps since the last one with a voice; nil if no utterance is open.
  private var pause: Int?

  /// - Parameter threshold: the probability from which a step has a voice.
  init(network: VoiceNetwork, threshold: Double) {
    self.network = network
    self.threshold = threshold
  }

  /// Takes the next samples.
  mutating func take(_ samples: [Int16]) -> [SpeechSegmenter.Action] {
    held += samples
    unclassified += samples.count
    var actions: [SpeechSegmenter.Action] = []
    while unclassified >= VoiceNetwork.step {
      let isVoice = isVoice(held.suffix(unclassified).prefix(VoiceNetwork.step))
      unclassified -= VoiceNetwork.step
      actions += pause == nil ? wait(isVoice) : speak(isVoice)
    }
    return actions
  }

  /// Ends the utterance that is open.
  mutating func end() -> [SpeechSegmenter.Action] {
    guard pause != nil else { return [] }
    unclassified = 0
    return send() + close()
  }

  /// Goes on with audio whose first sample is at `position`. Only while no utterance is open.
  mutating func skip(to position: Int) {
    if position - reached - held.count > VoiceClassifier.memory { state = VoiceNetwork.State() }
    reached = position
    (held, unclassified, voices) = ([], 0, 0)
  }

  private mutating func wait(_ isVoice: Bool) -> [SpeechSegmenter.Action] {
    voices = isVoice ? voices + 1 : 0
    let kept = (VoiceClassifier.margin + max(voices, 1)) * VoiceNetwork.step + unclassified
    let old = max(0, held.count - kept)
    held.removeFirst(old)
    reached += old
    guard voices >= Self.minSteps else { return [] }
    pause = 0
    return [.begin(at: reached)] + send()
  }

  private mutating func speak(_ isVoice: Bool) -> [SpeechSegmenter.Action] {
    let steps = isVoice ? 0 : (pause ?? 0) + 1
    pause = steps
    return send() + (steps >= VoiceClassifier.margin ? close() : [])
  }

  /// Sends what is classified.
  private mutating func send() -> [SpeechSegmenter.Action] {
    let count = held.count - unclassified
    guard count > 0 else { return [] }
    defer {
      held.removeFirst(count)
      reached += count
    }
    return [.audio(Array(held.prefix(count)))]
  }

  private mutating func close() -> [SpeechSegmenter.Action] {
    pause = nil
    voices = 0
    return [.end(at: reached)]
  }

  private mutating func isVoice(_ step: ArraySlice<Int16>) -> Bool {
    guard step.meanSquare >= Self.minEnergy else { return false }
    let raised = step.map { Int16(clamping: Int($0) * Self.gain) }
    return network.probability(of: raised, after: &state) >= threshold
  }
}
