/// Maps frames of a file to times of its container: the positions that seeking can reach.
///
/// It grows while a file is decoded. Its memory is bounded: when it is full, it drops every other entry.
package struct SeekIndex {
  struct Entry: Equatable {
    /// The position in the file, in frames of its rate.
    let frame: Int64
    /// The time in the container, in units of the stream.
    let time: Int64
    /// The renewal at this frame, if the decoder is renewed.
    var renewal: DecodedStream.Renewal?
  }

  private(set) var entries: [Entry] = []
  /// The minimum number of frames between two entries.
  private var spacing: Int64
  private let capacity: Int
  /// True from where frames no longer correspond to times, for example where the sample rate changes.
  private(set) var isClosed = false

  init(spacing: Int64, capacity: Int = 4096) {
    self.spacing = max(1, spacing)
    self.capacity = max(2, capacity)
  }

  /// Adds an entry, unless it goes backwards or is too near the last one.
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

  /// Stops accepting entries.
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
