import Foundation

/// The levels of the last frames, and their percentiles.
struct LevelHistory {
  private static let quietest = -96

  private let capacity: Int
  private var highPass = HighPassFilter()
  /// The mean squares of the last three frames. A level covers 30 ms, so that single frames do not make it
  /// jump.
  private var recent: [Double] = []
  private var bins: [Int] = []
  private var counts = [Int](repeating: 0, count: 1 - quietest)

  /// - Parameter seconds: how far back levels are kept.
  init(seconds: Double) { capacity = Int(seconds * 100) }

  /// Takes a frame of 10 ms of 16 kHz audio; returns its level in dBFS.
  mutating func add(_ frame: [Int16]) -> Double {
    recent.append(highPass.filter(frame).energy / Double(max(1, frame.count)))
    if recent.count > 3 { recent.removeFirst() }
    let level = SpeechSegmenter.level(recent.reduce(0, +) / Double(recent.count))
    let bin = min(counts.count - 1, max(0, Int(level.rounded(.down)) - Self.quietest))
    counts[bin] += 1
    bins.append(bin)
    // Removing many at once is cheaper than one by one.
    if bins.count > capacity + 100 {
      for old in bins.prefix(100) { counts[old] -= 1 }
      bins.removeFirst(100)
    }
    return level
  }

  /// The level in dBFS that this share of the frames lies below.
  func percentile(_ share: Double) -> Double {
    let wanted = Int(share * Double(bins.count))
    var sum = 0
    for bin in counts.indices {
      sum += counts[bin]
      if sum > wanted { return Double(bin + Self.quietest) + 0.5 }
    }
    return Double(Self.quietest)
  }
}

/// A second-order Butterworth high-pass at 100 Hz for 16 kHz audio: keeps hum, rumble and offset out of
/// levels.
struct HighPassFilter {
  private static let coefficients: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) = {
    // The bilinear transform of the analogue prototype.
    let k = tan(Double.pi * 100 / 16_000)
    let norm = 1 / (1 + 2.0.squareRoot() * k + k * k)
    return (norm, -2 * norm, norm, 2 * (k * k - 1) * norm, (1 - 2.0.squareRoot() * k + k * k) * norm)
  }()
  private var z1 = 0.0
  private var z2 = 0.0

  /// The next samples, filtered, where full scale is 1, and the sum of their squares.
  mutating func filter(_ samples: [Int16]) -> (samples: [Double], energy: Double) {
    let (b0, b1, b2, a1, a2) = Self.coefficients
    var (z1, z2, energy) = (z1, z2, 0.0)
    let filtered = [Double](unsafeUninitializedCapacity: samples.count) { filtered, count in
      samples.withUnsafeBufferPointer { samples in
        while count < samples.count {
          let input = Double(Int(samples[count])) / 32_768
          let output = b0 * input + z1
          z1 = b1 * input - a1 * output + z2
          z2 = b2 * input - a2 * output
          energy += output * output
          filtered[count] = output
          count += 1
        }
      }
    }
    (self.z1, self.z2) = (z1, z2)
    return (filtered, energy)
  }
}
