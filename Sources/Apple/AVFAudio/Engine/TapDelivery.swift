import Foundation
import Synchronization

/// Brings one recording's frames to a tap: takes them from the sound server's thread without ever waiting,
/// and calls the tap on its own queue, however long that takes.
///
/// `@unchecked Sendable`: `write` and `close` are called under the lock of the connection; what `deliver`
/// uses is immutable or for two threads by itself.
final class TapDelivery: @unchecked Sendable {
  private let tap: Tap
  private let format: AVAudioFormat
  private let converter: AVAudioConverter?
  private let ring: CaptureRing
  private let wake = DispatchSemaphore(value: 0)
  private let isClosed = Atomic<Bool>(false)
  private let lastTime = Mutex<AVAudioTime?>(nil)
  private let group = DispatchGroup()

  /// Brings frames of `format` to `tap`, which may fall behind by `backlog` seconds.
  init(to tap: Tap, format: AVAudioFormat, backlog: TimeInterval) {
    self.tap = tap
    self.format = format
    converter = tap.format.flatMap { $0 == format ? nil : AVAudioConverter(from: format, to: $0) }
    let frames = tap.frames(rate: format.sampleRate)
    ring = CaptureRing(
      channels: Int(format.channelCount), slotFrames: frames,
      // One more, as the tap's is not free before it is copied.
      slotCount: Int((backlog * format.sampleRate / Double(frames)).rounded(.up)) + 1)
    tap.queue.async(group: group) { self.deliver() }
  }

  /// Takes interleaved frames; how many of them found no room.
  func write(
    _ samples: UnsafePointer<Float>, frames: Int, sampleTime: Int64, hostTime: (Int64) -> UInt64
  ) -> Int {
    let lost = ring.write(samples, frames: frames, sampleTime: sampleTime, hostTime: hostTime)
    if ring.isReadable { wake.signal() }
    return lost
  }

  /// Nothing more will come: what is there is delivered still.
  func close() {
    ring.publish()
    isClosed.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Waits, after `close`, until the tap has had everything: for a second at most, and not if the tap itself
  /// asks.
  func finish() {
    if !tap.isCaller { _ = group.wait(timeout: .now() + 1) }
  }

  /// When the last buffer began that the tap was given.
  var lastRenderTime: AVAudioTime? { lastTime.withLock { $0 } }

  private func deliver() {
    while true {
      wake.wait()
      let isLast = isClosed.load(ordering: .acquiring)
      while let next = ring.take(buffer) {
        guard let (buffer, time) = next else { continue }
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
