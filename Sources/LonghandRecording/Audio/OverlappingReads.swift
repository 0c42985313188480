/// Reads parts of a track that overlap a little, as interpolation needs them, without going back in the file: a decoder that
/// goes back decodes up to 11 s again.
struct OverlappingReads {
  /// The last samples of each channel, and the frame after them.
  private var (tail, end): ([[Float]], Int64) = ([], 0)

  /// Reads frames.
  /// - Parameters:
  ///   - start: the first frame.
  ///   - count: the number of frames.
  ///   - overlap: the number of frames that the next part may need again; 0 if parts do not overlap.
  ///   - decode: reads as many frames as asked for, from a frame on.
  /// - Returns: the samples of each channel.
  mutating func read(
    from start: Int64, count: Int, overlap: Int, decode: (Int64, Int) throws -> [[Float]]
  ) rethrows -> [[Float]] {
    let known = Int(clamping: end - start)
    let isKnown = known > 0 && known <= min(count, tail.first?.count ?? 0)
    var samples = try decode(isKnown ? end : start, isKnown ? count - known : count)
    if isKnown { samples = zip(tail, samples).map { $0.suffix(known) + $1 } }
    (tail, end) = (samples.map { Array($0.suffix(overlap)) }, start + Int64(count))
    return samples
  }
}
