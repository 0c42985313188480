/// Looks for a known signal in a recording, chunk by chunk.
package struct SignalComparison {
  /// How many chunks of the signal were not found near their position.
  package private(set) var missing = 0
  /// The difference, in frames, between the largest and the smallest shift of a chunk.
  package private(set) var spread = 0
  /// The number of chunks.
  package private(set) var chunks = 0

  /// Compares chunks of a quarter of a second of `signal` with `recording` by cross-correlation. Each is searched within
  /// `reach` frames of the shift of the first one. The signal must be noise, so that a chunk correlates at one position only.
  package init(of signal: [Float], in recording: [Float], rate: Int, reach: Int) {
    let length = rate / 4
    let starts = Array(stride(from: 0, through: signal.count - length, by: length))
    chunks = starts.count
    // The shift of the first chunk that is found: its position in the recording minus that in the signal.
    let found = starts.lazy.compactMap { start in
      Self.find(signal[start..<start + length], in: recording, from: 0, to: recording.count).map {
        $0 - start
      }
    }
    guard let first = found.first else {
      missing = chunks
      return
    }
    var lowest = first
    var highest = first
    for start in starts {
      let position = Self.find(
        signal[start..<start + length], in: recording, from: first + start - reach,
        to: first + start + reach)
      guard let position else {
        missing += 1
        continue
      }
      lowest = min(lowest, position - start)
      highest = max(highest, position - start)
    }
    spread = highest - lowest
  }

  /// The position of `chunk` in `recording`. Checks a few samples first, then all of them.
  private static func find(
    _ chunk: ArraySlice<Float>, in recording: [Float], from: Int, to: Int
  ) -> Int? {
    let first = max(0, from)
    let last = min(to, recording.count - chunk.count)
    guard first <= last else { return nil }
    let probe = min(64, chunk.count)
    return (first...last).first { position in
      correlation(chunk, recording, position, probe) > 0.9
        && correlation(chunk, recording, position, chunk.count) > 0.9
    }
  }

  private static func correlation(
    _ chunk: ArraySlice<Float>, _ recording: [Float], _ position: Int, _ count: Int
  ) -> Float {
    chunk.withUnsafeBufferPointer { chunk in
      recording.withUnsafeBufferPointer { recording in
        var product: Float = 0
        var left: Float = 0
        var right: Float = 1e-9
        for index in 0..<count {
          let a = chunk[index]
          let b = recording[position + index]
          product += a * b
          left += a * a
          right += b * b
        }
        return product / (left * right).squareRoot()
      }
    }
  }

  /// Noise that is the same in every run.
  package static func noise(frames: Int, seed: UInt64 = 1) -> [Float] {
    var state = seed
    return (0..<frames).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Float(state >> 40) / Float(1 << 24) - 0.5)
    }
  }
}
