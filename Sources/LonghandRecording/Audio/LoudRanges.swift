import AVFAudio
import Foundation

/// Finds the ranges of loud audio, whether it is speech or not.
package struct LoudRanges {
  /// The level in dBFS above which audio is loud: well above the noise of a room.
  private static let level = -40.0
  /// Seconds of quieter audio that end a range, and seconds after which a range is reported while it continues.
  private static let (pause, longest) = (0.25, 10.0)

  private let report: (ClosedRange<TimeInterval>) -> Void
  private var range: ClosedRange<TimeInterval>?

  /// - Parameter report: called with each range, in seconds.
  package init(_ report: @escaping (ClosedRange<TimeInterval>) -> Void) { self.report = report }

  /// Adds a tenth of a second.
  package mutating func add(_ chunk: AudioChunk, rate: Int) {
    let (start, end) = (Double(chunk.start) / Double(rate), Double(chunk.end) / Double(rate))
    if let range, start - range.upperBound > Self.pause || end - range.lowerBound > Self.longest {
      self.end()
    }
    guard 10 * log10(chunk.power + 1e-12) > Self.level else { return }
    range = (range?.lowerBound ?? start)...end
  }

  /// The audio has ended.
  package mutating func end() {
    if let range { report(range) }
    range = nil
  }
}

extension AudioChunk {
  /// The mean square of the loudest channel.
  fileprivate var power: Double {
    guard let channels = buffer.floatChannelData, buffer.frameLength > 0 else { return 0 }
    let (frames, stride) = (Int(buffer.frameLength), buffer.stride)
    // Every third sample is enough for a level.
    let step = 3 * stride
    return (0..<Int(buffer.format.channelCount)).reduce(0.0) { loudest, channel in
      var sum: Float = 0
      var index = 0
      while index < frames * stride {
        sum += channels[channel][index] * channels[channel][index]
        index += step
      }
      return max(loudest, Double(sum) / Double((frames + 2) / 3))
    }
  }
}
