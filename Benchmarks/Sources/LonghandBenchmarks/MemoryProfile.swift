/// The resident memory of a program over time.
struct MemoryProfile {
  /// Seconds since the start, and bytes.
  var samples: [(seconds: Double, bytes: Double)] = []

  /// The most there was at once.
  var peak: Double { samples.map(\.bytes).max() ?? 0 }

  /// What there was after `seconds`; nil if the program had ended by then.
  func bytes(after seconds: Double) -> Double? { samples.first { $0.seconds >= seconds }?.bytes }

  /// What there was before the end. The last samples may show a program that is already giving back, so it is the most
  /// of the last five.
  var atEnd: Double { samples.suffix(5).map(\.bytes).max() ?? 0 }

  /// How fast it grew, in bytes a second: the least squares' slope of the second half. Nil for runs
  /// below a minute, of which warming up is too large a part.
  var slope: Double? {
    let half = samples.suffix(samples.count / 2)
    guard half.count >= 30 else { return nil }
    let count = Double(half.count)
    let meanTime = half.reduce(0) { $0 + $1.seconds } / count
    let meanBytes = half.reduce(0) { $0 + $1.bytes } / count
    let spread = half.reduce(0) { $0 + ($1.seconds - meanTime) * ($1.seconds - meanTime) }
    guard spread > 0 else { return nil }
    return half.reduce(0) { $0 + ($1.seconds - meanTime) * ($1.bytes - meanBytes) } / spread
  }
}
