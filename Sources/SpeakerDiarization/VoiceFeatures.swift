import Foundation

/// Cepstral coefficients of the frames of a recording, of the bands in which its speech stands out.
struct VoiceFeatures {
  static let maxDimension = 19
  /// The least difference between a band's loud frames and its floor, as a natural logarithm of power: 8 dB.
  private static let minRange: Float = 1.84
  private static let minBandCount = 12
  /// Natural logarithms of power: a frame of speech is 4 dB above the floor and at most 35 dB below loud frames.
  private static let (aboveFloor, belowLoud): (Float, Float) = (0.92, 8.06)

  /// Coefficients for each frame.
  let dimension: Int
  let values: [Float]
  /// For each frame, whether it is loud enough to show a voice.
  let isVoice: [Bool]
  /// The bands that the coefficients are made of.
  let bands: Range<Int>
  /// How far the loud frames of speech lie above the floor, as a natural logarithm of power.
  let range: Float

  /// - Parameter speech: the frames of speech, in order.
  init(_ mel: MelBands, speech: [Range<Int>]) {
    let (levels, count) = (mel.levels, MelBands.count)
    let frames = mel.frameCount
    let spoken = speech.flatMap { Array($0.clamped(to: 0..<frames)) }
    bands = Self.clearBands(levels, frames: frames, spoken: spoken)
    // Finer shapes of the spectrum are noise: with as many coefficients as bands in a telephone's band, parts of
    // the recording are separated by their noise, and not by their voices.
    let dimension = min(Self.maxDimension, bands.count / 2)
    self.dimension = dimension
    let cosines = Self.cosines(dimension, bands.count)
    var values: [Float] = []
    values.reserveCapacity(frames * dimension)
    var loudness: [Float] = []
    for frame in 0..<frames {
      let start = frame * count + bands.lowerBound
      loudness.append(Self.loudness(levels[start..<start + bands.count]))
      values += Self.coefficients(levels[start..<start + bands.count], cosines)
    }
    self.values = values
    let floor = Self.percentile(0.05, of: loudness)
    let loud = Self.percentile(0.95, of: spoken.map { loudness[$0] })
    range = loud - floor
    let threshold = Self.threshold(floor: floor, loud: loud)
    isVoice = loudness.map { $0 > threshold }
  }

  /// The loudness of the bands of a frame, as a natural logarithm of power.
  static func loudness(_ levels: ArraySlice<Float>) -> Float { log(levels.reduce(0) { $0 + exp($1) }) }

  /// The loudness above which a frame shows a voice.
  static func threshold(floor: Float, loud: Float) -> Float { max(floor + aboveFloor, loud - belowLoud) }

  /// The cepstral coefficients of the bands of a frame.
  /// - Parameter cosines: see `cosines(_:_:)`.
  static func coefficients(_ levels: ArraySlice<Float>, _ cosines: [[Float]]) -> [Float] {
    cosines.map { row in
      var value: Float = 0
      for band in row.indices { value += row[band] * levels[levels.startIndex + band] }
      return value
    }
  }

  /// The rows of a discrete cosine transform, without the first.
  static func cosines(_ count: Int, _ length: Int) -> [[Float]] {
    let scale = (2 / Double(length)).squareRoot()
    return (1...count).map { order -> [Float] in
      let step = Double.pi * Double(order) / Double(length)
      return (0..<length).map { Float(scale * cos(step * (Double($0) + 0.5))) }
    }
  }

  /// The longest run of bands in which speech stands out; all bands if that is too few.
  private static func clearBands(_ levels: [Float], frames: Int, spoken: [Int]) -> Range<Int> {
    var (best, start) = (0..<0, 0)
    for band in 0..<MelBands.count {
      let floor = percentile(0.05, of: (0..<frames).map { levels[$0 * MelBands.count + band] })
      let loud = percentile(0.75, of: spoken.map { levels[$0 * MelBands.count + band] })
      if loud - floor < minRange {
        start = band + 1
      } else if band + 1 - start > best.count {
        best = start..<band + 1
      }
    }
    return best.count < minBandCount ? 0..<MelBands.count : best
  }

  static func percentile(_ share: Double, of values: [Float]) -> Float {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
