import Foundation

/// Reads `SpokenTones` out of samples as they come: a pure state machine over frames of 8 ms.
public struct ToneReader: Sendable {
  /// What the tones of 16 ms say.
  private struct Frame {
    /// Nil if no word's tones stand out.
    var word: Int?
    /// Amplitude of the fainter of the word's two tones, of 32 768.
    var strength: Float
  }

  /// Frames of one word.
  private struct Run {
    var word: Int
    var first: Int
    var last: Int
  }

  private static let hop = 128
  private static let window = 256
  /// Amplitude below which a tone is none.
  private static let faintest: Float = 60
  /// How much stronger a tone is than the others of its group.
  private static let dominance: Float = 2
  /// Frames within a word that may tell nothing.
  private static let maxUnread = 2
  /// A Hann window times the waves of each tone, first cosines and then sines, whose products with a frame are
  /// the tone's amplitude there.
  private static let waves: [Float] = (SpokenTones.lowTones + SpokenTones.highTones).flatMap { tone in
    [0, 0.25].flatMap { turn in
      (0..<window).map { index in
        let hann = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(window))
        let angle = 2 * .pi * (tone * Double(index) / Double(SpokenTones.sampleRate) - turn)
        return Float(4 * hann * cos(angle) / Double(window))
      }
    }
  }

  /// Samples from half a window before the next frame's middle.
  private var rest: [Float] = .init(repeating: 0, count: window / 2)
  private var frames: [Frame] = []
  /// How many samples have been taken.
  public private(set) var count = 0

  /// A reader that has heard nothing.
  public init() {}

  /// Takes more samples: 16 kHz, mono.
  public mutating func take(_ samples: [Int16]) {
    count += samples.count
    rest += samples.lazy.map(Float.init)
    var start = 0
    while rest.count - start >= Self.window {
      frames.append(Self.frame(rest, at: start))
      start += Self.hop
    }
    rest.removeFirst(start)
  }

  /// The words heard so far, in their order; the last may be one of which the end has not come yet.
  public var words: [SpokenTones.Word] {
    var whole = self
    whole.rest += [Float](repeating: 0, count: Self.window / 2)
    whole.take([])
    return whole.runs().compactMap(whole.word)
  }

  /// What the tones say of the samples from `start`.
  private static func frame(_ samples: [Float], at start: Int) -> Frame {
    let tones = SpokenTones.lowTones.count + SpokenTones.highTones.count
    var amplitudes = [Float](repeating: 0, count: tones)
    samples.withUnsafeBufferPointer { samples in
      var loudest: Float = 0
      for index in start..<start + window { loudest = max(loudest, abs(samples[index])) }
      guard loudest >= faintest else { return }
      waves.withUnsafeBufferPointer { waves in
        for tone in 0..<tones {
          var (cosine, sine): (Float, Float) = (0, 0)
          let wave = 2 * tone * window
          var index = 0
          while index < window {
            let sample = samples[start + index]
            cosine += sample * waves[wave + index]
            sine += sample * waves[wave + window + index]
            index += 1
          }
          amplitudes[tone] = (cosine * cosine + sine * sine).squareRoot()
        }
      }
    }
    let low = strongest(amplitudes[..<SpokenTones.lowTones.count])
    let high = strongest(amplitudes[SpokenTones.lowTones.count...])
    guard let low, let high else { return Frame(word: nil, strength: 0) }
    let word = low.index * SpokenTones.highTones.count + high.index
    let isWord = SpokenTones.vocabulary.indices.contains(word)
    return Frame(word: isWord ? word : nil, strength: min(low.amplitude, high.amplitude))
  }

  /// The tone that stands out of its group; nil if none does.
  private static func strongest(_ amplitudes: ArraySlice<Float>) -> (index: Int, amplitude: Float)? {
    var best = amplitudes.startIndex
    for index in amplitudes.indices where amplitudes[index] > amplitudes[best] { best = index }
    let amplitude = amplitudes[best]
    let isAlone = amplitudes.indices.allSatisfy {
      $0 == best || amplitudes[$0] * dominance <= amplitude
    }
    return isAlone && amplitude >= faintest ? (best - amplitudes.startIndex, amplitude) : nil
  }

  private func runs() -> [Run] {
    var runs: [Run] = []
    for (index, frame) in frames.enumerated() {
      guard let word = frame.word else { continue }
      if let last = runs.last, last.word == word, index - last.last <= Self.maxUnread + 1 {
        runs[runs.count - 1].last = index
      } else {
        runs.append(Run(word: word, first: index, last: index))
      }
    }
    return runs
  }

  /// The word of a run; nil if less than half of it is there.
  private func word(of run: Run) -> SpokenTones.Word? {
    let strengths = frames[run.first...run.last].map(\.strength).sorted()
    let half = strengths[strengths.count / 2] / 2
    let (rise, fall) = (crossing(from: run.first, step: 1, half), crossing(from: run.last, step: -1, half))
    // Half as loud is a word in the middle of its edge. One that is so at the first sample or the last is cut
    // off.
    let reach = Double(SpokenTones.edge) / 2
    let near = Double(Self.window) / 4
    let start = rise < near ? 0 : max(0, rise - reach)
    let end = fall > Double(count) - near ? Double(count) : min(Double(count), fall + reach)
    guard end - start >= Double(SpokenTones.length(of: run.word)) / 2 else { return nil }
    let rate = Double(SpokenTones.sampleRate)
    return SpokenTones.Word(number: run.word, start: start / rate, end: end / rate)
  }

  /// The sample, between frames too, at which the strength passes `level`, looking from the end of a run
  /// inward.
  private func crossing(from edge: Int, step: Int, _ level: Float) -> Double {
    var index = edge
    while frames.indices.contains(index + step), frames[index].strength < level { index += step }
    let before = index - step
    guard frames.indices.contains(before), frames[index].strength > frames[before].strength else {
      return Double(index * Self.hop)
    }
    let share = (frames[index].strength - level) / (frames[index].strength - frames[before].strength)
    return Double((index * Self.hop)) - Double(step) * Double(min(1, max(0, share))) * Double(Self.hop)
  }
}
