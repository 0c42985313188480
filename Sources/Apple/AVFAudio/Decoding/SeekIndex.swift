/// Which frame of a file begins at which time of its container: where seeking can go.
///
/// Grows while a file is decoded. Its memory is bounded: when full, it drops every other entry.
struct SeekIndex {
  struct Entry: Equatable {
    /// The position in the file, in frames of its rate.
    let frame: Int64
    /// The container's time, in the stream's units.
    let time: Int64
    /// Where the decoder was renewed there, if it is of that kind.
    var renewal: DecodedStream.Renewal?
  }

  private(set) var entries: [Entry] = []
  /// Frames between entries, at least.
  private var spacing: Int64
  private let capacity: Int
  /// Set where frames and times stop going together, such as where the rate changes.
  private(set) var isClosed = false

  init(spacing: Int64, capacity: Int = 4096) {
    self.spacing = max(1, spacing)
    self.capacity = max(2, capacity)
  }

  /// Notes that `frame` begins at `time`; what goes backwards or stands too near the last entry is left out.
  mutating func note(frame: Int64, time: Int64, renewal: DecodedStream.Renewal? = nil) {
    guard !isClosed else { return }
    if let last = entries.last {
      guard frame >= last.frame + spacing, time > last.time else { return }
    }
    entries.append(Entry(frame: frame, time: time, renewal: renewal))
    guard entries.count >= capacity else { return }
    entries = entries.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    spacing *= 2
  }

  /// Takes no further entries.
  mutating func close() { isClosed = true }

  /// The last entry at or before `frame`.
  func last(before frame: Int64) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }
}
