/// Looks for a known signal in a recording, piece by piece.
package struct SignalComparison {
  /// Pieces of the signal that were not found near their place.
  package private(set) var missing = 0
  /// Frames between where the earliest and the latest piece was found, against their places in the signal.
  package private(set) var spread = 0
  /// Pieces of the signal.
  package private(set) var pieces = 0

  /// Compares pieces of a quarter of a second of `signal` with `recording` by cross-correlation, each within
  /// `reach` frames of where the first was found. The signal must be noise: only its own place sounds like a
  /// piece.
  package init(of signal: [Float], in recording: [Float], rate: Int, reach: Int) {
    let length = rate / 4
    let starts = Array(stride(from: 0, through: signal.count - length, by: length))
    pieces = starts.count
    // Where the first piece that is there stands, less its place in the signal.
    let found = starts.lazy.compactMap { start in
      Self.find(signal[start..<start + length], in: recording, from: 0, to: recording.count).map {
        $0 - start
      }
    }
    guard let first = found.first else {
      missing = pieces
      return
    }
    var lowest = first
    var highest = first
    for start in starts {
      let place = Self.find(
        signal[start..<start + length], in: recording, from: first + start - reach,
        to: first + start + reach)
      guard let place else {
        missing += 1
        continue
      }
      lowest = min(lowest, place - start)
      highest = max(highest, place - start)
    }
    spread = highest - lowest
  }

  /// Where `piece` stands in `recording`, from the fewest samples that tell, then checked with all.
  private static func find(
    _ piece: ArraySlice<Float>, in recording: [Float], from: Int, to: Int
  ) -> Int? {
    let first = max(0, from)
    let last = min(to, recording.count - piece.count)
    guard first <= last else { return nil }
    let probe = min(64, piece.count)
    return (first...last).first { place in
      correlation(piece, recording, place, probe) > 0.9
        && correlation(piece, recording, place, piece.count) > 0.9
    }
  }

  private static func correlation(
    _ piece: ArraySlice<Float>, _ recording: [Float], _ place: Int, _ count: Int
  ) -> Float {
    piece.withUnsafeBufferPointer { piece in
      recording.withUnsafeBufferPointer { recording in
        var product: Float = 0
        var left: Float = 0
        var right: Float = 1e-9
        for index in 0..<count {
          let a = piece[index]
          let b = recording[place + index]
          product += a * b
          left += a * a
          right += b * b
        }
        return product / (left * right).squareRoot()
      }
    }
  }

  /// Noise that is the same every time.
  package static func noise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed
    return (0..<frames).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Float(state >> 40) / Float(1 << 24) - 0.5)
    }
  }
}
