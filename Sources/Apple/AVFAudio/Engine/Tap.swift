import Foundation

/// What `installTap` was given.
///
/// `@unchecked Sendable`: everything is immutable, and `block`, which is not `Sendable`, is called on `queue`
/// alone.
final class Tap: @unchecked Sendable {
  let bufferSize: AVAudioFrameCount
  let format: AVAudioFormat?
  let block: AVAudioNodeTapBlock
  /// One call after the other, of one recording after the other.
  let queue = DispatchQueue(label: "AVAudioNode.tap", qos: .userInteractive)
  private let key = DispatchSpecificKey<Bool>()

  init(bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block: @escaping AVAudioNodeTapBlock) {
    self.bufferSize = bufferSize
    self.format = format
    self.block = block
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the tap's own block is asking.
  var isCaller: Bool { DispatchQueue.getSpecific(key: key) ?? false }

  /// Frames of a buffer at `rate` Hz: what was asked for, within 100 to 400 ms.
  func frames(rate: Double) -> Int { Int(min(max(Double(bufferSize), rate * 0.1), rate * 0.4)) }
}
