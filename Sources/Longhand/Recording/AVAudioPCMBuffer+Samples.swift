import AVFAudio
import Foundation

extension AVAudioPCMBuffer {
  /// Its samples as a recording has them: numbers of 16 bits, the little end first, the channels of a frame beside each
  /// other. Empty if they are not floating-point numbers.
  var samples: Data {
    guard let channels = floatChannelData else { return Data() }
    let count = Int(format.channelCount)
    var samples = [Int16](repeating: 0, count: Int(frameLength) * count)
    for channel in 0..<count {
      for frame in 0..<Int(frameLength) {
        let sample = (channels[channel][frame * stride] * 32_768).rounded()
        samples[frame * count + channel] = Int16(max(-32_768, min(32_767, sample))).littleEndian
      }
    }
    return samples.withUnsafeBytes { Data($0) }
  }
}
