import Foundation

/// A voice that says random vowels and hisses: pulses through resonators. The size of the vocal tract and the strength of the
/// high frequencies are the voice's own.
package struct SyntheticVoice: Sendable {
  /// The lengths of vocal tracts, as factors of the resonances; and Hz.
  package var tract: Double
  package var pitch: Double
  /// The share of a sample that is taken from the next one: 0 is bright, 0.9 dull.
  package var damping: Double

  package static let low = SyntheticVoice(tract: 0.88, pitch: 105, damping: 0.75)
  package static let middle = SyntheticVoice(tract: 1, pitch: 160, damping: 0.35)
  package static let high = SyntheticVoice(tract: 1.15, pitch: 215, damping: 0.55)

  private static let vowels: [[Double]] = [
    [730, 1090, 2440], [270, 2290, 3010], [300, 870, 2240], [530, 1840, 2480], [660, 1720, 2410],
    [490, 1350, 1690], [570, 840, 2410], [440, 1020, 2240],
  ]

  /// 16 kHz samples.
  package func speech(seconds: Double, random: inout Numbers) -> [Int16] {
    let count = Int(seconds * 16_000)
    var samples: [Double] = []
    while samples.count < count {
      let length = 480 + Int(random.next() * 640)
      let vowel = Self.vowels[Int(random.next() * 8)]
      let isHiss = random.next() < 0.2
      var sound = (0..<length).map { _ in (random.next() - 0.5) * (isHiss ? 0.4 : 0.02) }
      let period = Int(16_000 / (pitch * (0.9 + 0.2 * random.next())))
      if !isHiss { for index in stride(from: 0, to: length, by: period) { sound[index] += 1 } }
      let resonances = isHiss ? [4500, 6000] : vowel.map { $0 * (0.85 + 0.3 * random.next()) }
      for frequency in resonances { Self.resonate(&sound, at: min(7500, frequency * tract)) }
      samples += sound
    }
    var last = 0.0
    for index in samples.indices {
      last = samples[index] * (1 - damping) + last * damping
      samples[index] = last
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
    return samples.prefix(count).map { sample in
      let noise = (random.next() - 0.5) * 20
      return Int16(max(-32_000, min(32_000, sample / power.squareRoot() * 2500 + noise)))
    }
  }

  private static func resonate(_ samples: inout [Double], at frequency: Double) {
    let radius = exp(-Double.pi * 90 / 16_000)
    let (a, b) = (2 * radius * cos(2 * .pi * frequency / 16_000), -radius * radius)
    var (first, second) = (0.0, 0.0)
    for index in samples.indices {
      let value = samples[index] * (1 - radius) + a * first + b * second
      (first, second) = (value, first)
      samples[index] = value
    }
  }
}

/// Random numbers that are the same in every run.
package struct Numbers {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  /// From 0 to less than 1.
  package mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }
}

/// Voices that speak in turn, with short pauses between.
package struct SyntheticConversation {
  package private(set) var samples: [Int16] = []
  /// Seconds, and the index of the voice.
  package private(set) var turns: [(range: ClosedRange<Double>, voice: Int)] = []

  package init(_ voices: [SyntheticVoice], seconds: Double, seed: UInt64 = 1) {
    var random = Numbers(seed)
    var voice = 0
    while Double(samples.count) / 16_000 < seconds {
      samples += (0..<4800).map { _ in Int16((random.next() - 0.5) * 20) }
      let start = Double(samples.count) / 16_000
      samples += voices[voice].speech(seconds: 2 + 3 * random.next(), random: &random)
      turns.append((start...Double(samples.count) / 16_000, voice))
      voice = (voice + 1 + Int(random.next() * Double(voices.count - 1))) % voices.count
    }
  }
}
