import Foundation
import Synchronization

/// Passes the frames of one recording to a tap. Takes them from the thread of the sound server without waiting, and calls
/// the tap on the tap's own queue, however long that takes.
///
/// A semaphore and an atomic instead of a `Mutex`: the thread of the sound server must never wait for the tap.
///
/// `@unchecked Sendable`: `write` and `close` are called with the lock of the connection. Everything that `deliver` uses is
/// immutable or safe for two threads.
final class TapDelivery: @unchecked Sendable {
  private let tap: Tap
  private let format: AVAudioFormat
  private let converter: AVAudioConverter?
  private let ring: CaptureRing
  private let wake = DispatchSemaphore(value: 0)
  private let isClosed = Atomic<Bool>(false)
  private let lastTime = Mutex<AVAudioTime?>(nil)
  private let group = DispatchGroup()
  private let lost: @Sendable (Int) -> Void

  /// - Parameter lost: is called with how many frames could not be converted, on the tap's queue.
  init(
    to tap: Tap, format: AVAudioFormat, backlog: TimeInterval, lost: @escaping @Sendable (Int) -> Void
  ) {
    self.tap = tap
    self.lost = lost
    self.format = format
    converter = tap.format.flatMap { $0 == format ? nil : AVAudioConverter(from: format, to: $0) }
    let frames = tap.frames(rate: format.sampleRate)
    ring = CaptureRing(
      channels: Int(format.channelCount), slotFrames: frames,
      // One more, because a slot is in use until the tap's buffer has been made from it.
      slotCount: Int((backlog * format.sampleRate / Double(frames)).rounded(.up)) + 1)
    tap.queue.async(group: group) { self.deliver() }
  }

  /// Takes interleaved frames. The tap is called only if `isDue`. Returns how many of them found no room.
  func write(
    _ samples: UnsafePointer<Float>, frames: Int, sampleTime: Int64, isDue: Bool, hostTime: (Int64) -> UInt64
  ) -> Int {
    let lost = ring.write(samples, frames: frames, sampleTime: sampleTime, hostTime: hostTime)
    if isDue, ring.isReadable { wake.signal() }
    return lost
  }

  /// Ends the delivery after the frames that have been written.
  func close() {
    ring.publish()
    isClosed.store(true, ordering: .releasing)
    wake.signal()
  }

  /// After `close`, waits until the tap has received everything, not if the tap itself calls this.
  /// - Parameter isPatient: whether to wait for more than a second.
  func finish(isPatient: Bool = false) {
    if !tap.isCaller { _ = group.wait(timeout: isPatient ? .distantFuture : .now() + 1) }
  }

  /// The start of the last buffer that the tap received.
  var lastRenderTime: AVAudioTime? { lastTime.withLock { $0 } }

  private func deliver() {
    while true {
      wake.wait()
      let isLast = isClosed.load(ordering: .acquiring)
      while let next = ring.take({ ($0.frames, buffer($0, $1)) }) {
        guard let (buffer, time) = next.1 else {
          lost(next.0)
          continue
        }
        lastTime.withLock { $0 = time }
        tap.block(buffer, time)
      }
      if isLast { return }
    }
  }

  private func buffer(
    _ slot: CaptureRing.Slot, _ samples: UnsafePointer<Float>
  ) -> (AVAudioPCMBuffer, AVAudioTime)? {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(slot.frames)),
      let channels = buffer.floatChannelData
    else { return nil }
    buffer.frameLength = buffer.frameCapacity
    let count = Int(format.channelCount)
    for channel in 0..<count {
      for frame in 0..<slot.frames { channels[channel][frame] = samples[frame * count + channel] }
    }
    let time = AVAudioTime(
      hostTime: slot.hostTime, sampleTime: slot.sampleTime, atRate: format.sampleRate)
    guard let converter else { return (buffer, time) }
    guard
      let converted = AVAudioPCMBuffer(
        pcmFormat: converter.outputFormat, frameCapacity: buffer.frameLength),
      (try? converter.convert(to: converted, from: buffer)) != nil
    else { return nil }
    return (converted, time)
  }
}

/// The arguments of `installTap`.
///
/// `@unchecked Sendable`: everything is immutable. `block`, which is not `Sendable`, is called only on `queue`.
final class Tap: @unchecked Sendable {
  let bufferSize: AVAudioFrameCount
  let format: AVAudioFormat?
  let block: AVAudioNodeTapBlock
  /// Serial: calls of `block` never overlap, also when a new recording begins.
  let queue = DispatchQueue(label: "AVAudioNode.tap", qos: .userInteractive)
  private let key = DispatchSpecificKey<Bool>()

  init(bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block: @escaping AVAudioNodeTapBlock) {
    self.bufferSize = bufferSize
    self.format = format
    self.block = block
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the current code runs in the tap's own block.
  var isCaller: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  /// How many frames a buffer has at `rate` Hz: `bufferSize`, limited to 100 to 400 ms.
  func frames(rate: Double) -> Int { Int(min(max(Double(bufferSize), rate * 0.1), rate * 0.4)) }
}
