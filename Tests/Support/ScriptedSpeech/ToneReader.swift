import Foundation

/// Recognizes `SpokenTones` in a stream of samples: a pure state machine over frames of 8 ms.
public struct ToneReader: Sendable {
  /// The result for a window of 16 ms.
  private struct Frame {
    /// Nil if the tones of no word are strong enough.
    var word: Int?
    /// The amplitude of the weaker of the word's two tones, at a full scale of 32,768.
    var strength: Float
  }

  /// Consecutive frames with the same word.
  private struct Run {
    var word: Int
    var first: Int
    var last: Int
  }

  private static let hop = 128
  private static let window = 256
  /// The lowest amplitude of a tone.
  private static let faintest: Float = 60
  /// The lowest ratio between a tone and the others of its group.
  private static let dominance: Float = 2
  /// The largest number of consecutive frames without a result within a word.
  private static let maxUnread = 2
  /// For each tone the first half of a cosine and of a sine wave, each multiplied by a Hann window. Their products with a
  /// frame give the tone's amplitude. Both waves have their phase 0 in the middle of the frame, so that the second half of
  /// the cosine is the first in reverse, and that of the sine its negative.
  private static let waves: [Float] = (SpokenTones.lowTones + SpokenTones.highTones).flatMap { tone in
    [0, 0.25].flatMap { turn in
      (0..<window / 2).map { index in
        let hann = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(window))
        let time = (Double(index) + 0.5 - Double(window) / 2) / Double(SpokenTones.sampleRate)
        return Float(4 * hann * cos(2 * .pi * (tone * time - turn)) / Double(window))
      }
    }
  }

  /// The samples that are not processed completely, from half a window before the middle of the next frame.
  private var rest: [Float] = .init(repeating: 0, count: window / 2)
  private var frames: [Frame] = []
  /// The number of samples so far.
  public private(set) var count = 0

  /// Creates a reader.
  public init() {}

  /// Processes more samples: 16 kHz, mono.
  public mutating func take(_ samples: [Int16]) {
    count += samples.count
    rest += [Float](unsafeUninitializedCapacity: samples.count) { values, count in
      for index in samples.indices { values[index] = Float(Int(samples[index])) }
      count = samples.count
    }
    var start = 0
    while rest.count - start >= Self.window {
      frames.append(Self.frame(rest, at: start))
      start += Self.hop
    }
    rest.removeFirst(start)
  }

  /// The words so far, in order. The last word may be incomplete.
  public var words: [SpokenTones.Word] {
    var whole = self
    whole.rest += [Float](repeating: 0, count: Self.window / 2)
    whole.take([])
    return whole.runs().compactMap(whole.word)
  }

  /// The result for the window that begins at `start`.
  private static func frame(_ samples: [Float], at start: Int) -> Frame {
    let tones = SpokenTones.lowTones.count + SpokenTones.highTones.count
    var amplitudes = [Float](repeating: 0, count: tones)
    samples.withUnsafeBufferPointer { samples in
      var loudest: Float = 0
      var place = start
      while place < start + window {
        let magnitude = abs(samples[place])
        if magnitude > loudest { loudest = magnitude }
        place += 1
      }
      guard loudest >= faintest else { return }
      let half = window / 2
      // The sums and the differences of the samples at the same distance from the middle.
      withUnsafeTemporaryAllocation(of: Float.self, capacity: window) { pairs in
        guard let sums = pairs.baseAddress else { return }
        let differences = sums + half
        var index = 0
        while index < half {
          let sample = samples[start + index]
          let opposite = samples[start + window - 1 - index]
          sums[index] = sample + opposite
          differences[index] = sample - opposite
          index += 1
        }
        waves.withUnsafeBufferPointer { waves in
          guard var wave = waves.baseAddress else { return }
          for tone in 0..<tones {
            var (cosine, sine): (Float, Float) = (0, 0)
            let sineWave = wave + half
            var index = 0
            while index < half {
              cosine += sums[index] * wave[index]
              sine += differences[index] * sineWave[index]
              index += 1
            }
            amplitudes[tone] = (cosine * cosine + sine * sine).squareRoot()
            wave += window
          }
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

  /// The dominant tone of a group; nil if there is none.
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

  /// The word of a run; nil if less than half of the word is there.
  private func word(of run: Run) -> SpokenTones.Word? {
    let strengths = frames[run.first...run.last].map(\.strength).sorted()
    let half = strengths[strengths.count / 2] / 2
    let (rise, fall) = (crossing(from: run.first, step: 1, half), crossing(from: run.last, step: -1, half))
    // In the middle of its fade, a word has half its amplitude. If this is at the first or the last sample, the word is
    // cut off.
    let reach = Double(SpokenTones.edge) / 2
    let near = Double(Self.window) / 4
    let start = rise < near ? 0 : max(0, rise - reach)
    let end = fall > Double(count) - near ? Double(count) : min(Double(count), fall + reach)
    guard end - start >= Double(SpokenTones.length(of: run.word)) / 2 else { return nil }
    let rate = Double(SpokenTones.sampleRate)
    return SpokenTones.Word(number: run.word, start: start / rate, end: end / rate)
  }

  /// The sample, interpolated between frames, at which the strength crosses `level`, searched from the end of a run
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
