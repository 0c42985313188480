import Synchronization

/// Passes recorded frames from the thread of the sound server to the thread of the tap: a ring of slots of equal size.
///
/// The frames of a slot have no gap in between; a gap begins a new slot.
///
/// Atomics and not a `Mutex`: the writer must never wait for a slow tap, or the server loses audio.
///
/// `@unchecked Sendable`: one thread writes and one thread reads. The reader owns the slots from `consumed` up to
/// `published`. The writer owns all others, and `filled`.
final class CaptureRing: @unchecked Sendable {
  /// The time and the number of the frames in a slot.
  struct Slot {
    var sampleTime: Int64 = 0
    var hostTime: UInt64 = 0
    var frames = 0
  }

  private let channels: Int
  private let slotFrames: Int
  private let slots: UnsafeMutableBufferPointer<Slot>
  private let samples: UnsafeMutableBufferPointer<Float>
  private let published = Atomic<Int>(0)
  private let consumed = Atomic<Int>(0)
  /// How many frames are in the slot that the writer fills.
  private var filled = 0

  init(channels: Int, slotFrames: Int, slotCount: Int) {
    self.channels = channels
    self.slotFrames = slotFrames
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot())
    // Writing once makes the system allocate all pages now and not during the recording.
    samples = .allocate(capacity: slotCount * slotFrames * channels)
    samples.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
    samples.deallocate()
  }

  /// Copies `frames`, the first of which has `sampleTime`. Returns how many frames at the end found no room.
  func write(
    _ source: UnsafePointer<Float>, frames: Int, sampleTime: Int64, hostTime: (Int64) -> UInt64
  ) -> Int {
    var done = 0
    while done < frames {
      let time = sampleTime + Int64(done)
      var index = published.load(ordering: .relaxed)
      if filled > 0 {
        let slot = slots[index % slots.count]
        if slot.sampleTime + Int64(filled) != time {
          publish()
          index += 1
        }
      }
      if filled == 0 {
        guard index - consumed.load(ordering: .acquiring) < slots.count else { return frames - done }
        slots[index % slots.count] = Slot(sampleTime: time, hostTime: hostTime(time))
      }
      let count = min(slotFrames - filled, frames - done)
      let start = (index % slots.count * slotFrames + filled) * channels
      samples.baseAddress?.advanced(by: start)
        .update(from: source + done * channels, count: count * channels)
      filled += count
      done += count
      if filled == slotFrames { publish() }
    }
    return 0
  }

  /// Publishes the slot that the writer fills, if it holds frames.
  func publish() {
    guard filled > 0 else { return }
    let index = published.load(ordering: .relaxed)
    slots[index % slots.count].frames = filled
    filled = 0
    published.store(index + 1, ordering: .releasing)
  }

  /// Whether there is a slot to take.
  var isReadable: Bool {
    consumed.load(ordering: .relaxed) != published.load(ordering: .acquiring)
  }

  /// Calls `body` with the oldest slot and its interleaved samples, then frees the slot; nil if there is none.
  func take<Value>(_ body: (Slot, UnsafePointer<Float>) -> Value) -> Value? {
    let index = consumed.load(ordering: .relaxed)
    guard index != published.load(ordering: .acquiring), let base = samples.baseAddress else { return nil }
    defer { consumed.store(index + 1, ordering: .releasing) }
    let slot = index % slots.count
    return body(slots[slot], base + slot * slotFrames * channels)
  }
}
