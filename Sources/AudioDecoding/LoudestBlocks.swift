import CFFmpeg

/// The loudest hundredths of a second of a file.
struct LoudestBlocks {
  /// The blocks that may be clicks: a fifth of a second in all, and one in fifty.
  private static let clicks = 20
  private static let others = 50
  /// How many times as loud as all else a click is.
  private static let prominence = 10.0

  /// The loudest sample of each of the loudest blocks, in order. Full scale is 1.
  private var peaks: [Double] = []
  private var count = 0

  /// Adds a frame of the codec.
  /// - Returns: its loudest sample.
  mutating func add(_ frame: DecodedStream.Frame) -> Double {
    let layout = SampleLayout(frame)
    let (count, length) = (Int(frame.pointee.nb_samples), max(1, Int(layout.rate) / 100))
    let planes = frame.planes
    var loudest = 0.0
    for start in stride(from: 0, to: count, by: length) {
      let (offset, frames) = (start * layout.bytesPerFrame, min(length, count - start))
      let samples = frames * Int(layout.channels) / max(1, layout.bufferCount)
      let peak = planes.reduce(0.0) { max($0, longhand_peak($1.map { $0 + offset }, samples, layout.type)) }
      loudest = max(loudest, peak)
      note(peak)
    }
    return loudest
  }

  private mutating func note(_ peak: Double) {
    count += 1
    guard peaks.count <= Self.clicks || peak > peaks[0] else { return }
    peaks.insert(peak, at: peaks.firstIndex { $0 >= peak } ?? peaks.endIndex)
    if peaks.count > Self.clicks + 1 { peaks.removeFirst() }
  }

  /// The loudest sample but for clicks.
  var withoutClicks: Double {
    guard let loudest = peaks.last else { return 0 }
    let rest = peaks[peaks.count - 1 - min(Self.clicks, count / Self.others)]
    return rest * Self.prominence < loudest ? rest : loudest
  }
}
