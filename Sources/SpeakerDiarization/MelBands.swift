import Foundation
import VoiceMeasurement

/// The levels of mel bands in 16 kHz audio, one frame every 10 ms.
struct MelBands {
  static let sampleRate = 16_000
  /// Samples from one frame to the next.
  static let hop = 160
  static let count = 40
  /// Samples of a frame.
  static let length = 400
  private static let emphasis: Float = 0.97
  private static let fourier = FourierTransform(atLeast: 512)
  private static let window = (0..<length).map {
    0.54 - 0.46 * cos(2 * .pi * Double($0) / Double(length - 1))
  }
  private static let filters = MelFilters(
    count, from: 60, to: 7600, sampleRate: sampleRate, points: fourier.count)

  /// The natural logarithms of the powers: `count` values for each frame.
  private(set) var levels: [Float] = []
  /// The emphasized samples that the next frame begins with.
  private var samples: [Float] = []
  private var last: Float = 0
  private var spectrum = PairedSpectrum(fourier)

  var frameCount: Int { levels.count / Self.count }

  /// Removes the levels so far, and returns them.
  mutating func takeLevels() -> [Float] {
    defer { levels.removeAll(keepingCapacity: true) }
    return levels
  }

  /// Takes the next samples.
  mutating func add(_ more: some Sequence<Int16>) {
    for sample in more {
      let value = Float(sample) / 32_768
      samples.append(value - Self.emphasis * last)
      last = value
    }
    var start = 0
    while samples.count - start >= Self.length + Self.hop {
      addPair(at: start)
      start += 2 * Self.hop
    }
    samples.removeFirst(start)
  }

  /// Takes the end of the audio.
  mutating func finish() { add([Int16](repeating: 0, count: 2 * Self.length)) }

  private mutating func addPair(at start: Int) {
    for index in 0..<Self.length {
      spectrum.first[index] = Double(samples[start + index]) * Self.window[index]
      spectrum.second[index] = Double(samples[start + Self.hop + index]) * Self.window[index]
    }
    for index in Self.length..<Self.fourier.count { (spectrum.first[index], spectrum.second[index]) = (0, 0) }
    spectrum.transformToPowers()
    append(spectrum.first)
    append(spectrum.second)
  }

  private mutating func append(_ spectrum: [Double]) {
    // A floor below the quantization step of a 16-bit sample.
    for power in Self.filters.powers(spectrum, floor: 1e-6) { levels.append(Float(log(power))) }
  }
}
