import Synchronization

/// Recorded frames on their way from the sound server's thread to the tap's: a ring of slots of equal size.
///
/// Neither side ever waits for the other. A slot holds frames without a gap; a gap begins a new one.
///
/// `@unchecked Sendable`: there is no lock. One thread writes and one reads; a slot below `published` is the
/// reader's until `consumed` passes it, every other is the writer's, as is `filled`.
final class CaptureRing: @unchecked Sendable {
  /// When the frames of a slot were recorded, and how many they are.
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
  /// Frames in the slot that is being filled.
  private var filled = 0

  /// `slotCount` slots for `slotFrames` interleaved frames of `channels` samples.
  init(channels: Int, slotFrames: Int, slotCount: Int) {
    self.channels = channels
    self.slotFrames = slotFrames
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: Slot())
    // Written once now, so that no page is missing when the sound comes.
    samples = .allocate(capacity: slotCount * slotFrames * channels)
    samples.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
    samples.deallocate()
  }

  /// Copies `frames`, of which the first is at `sampleTime`; how many of them found no room, the last ones.
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

  /// Hands over the slot that is being filled, if there is anything in it.
  func publish() {
    guard filled > 0 else { return }
    let index = published.load(ordering: .relaxed)
    slots[index % slots.count].frames = filled
    filled = 0
    published.store(index + 1, ordering: .releasing)
  }

  /// Whether there is something to take.
  var isReadable: Bool {
    consumed.load(ordering: .relaxed) != published.load(ordering: .acquiring)
  }

  /// Gives the oldest slot and its interleaved samples to `body`, and frees it; nil if there is none.
  func take<Value>(_ body: (Slot, UnsafePointer<Float>) -> Value) -> Value? {
    let index = consumed.load(ordering: .relaxed)
    guard index != published.load(ordering: .acquiring), let base = samples.baseAddress else { return nil }
    defer { consumed.store(index + 1, ordering: .releasing) }
    let place = index % slots.count
    return body(slots[place], base + place * slotFrames * channels)
  }
}
