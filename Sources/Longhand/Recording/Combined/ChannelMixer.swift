import Foundation

/// Makes one recording of several sources, each its own channel: a pure value. The callers pass the time, in seconds of one
/// clock for all sources.
///
/// Frames are given as soon as every source has them. A source that delivers nothing for half a second does not hold up the
/// others: its channel is silent, which is a gap of this channel alone, until it delivers again.
struct ChannelMixer: Sendable {
  /// Seconds without audio after which a source does not hold up the others.
  static let patience = 0.5
  /// Seconds that a source has for its first audio.
  private static let startPatience = 1.0

  private var channels: [AlignedChannel]
  private let targetRate: Double
  /// The time of frame 0, in seconds of the clock; nil before it.
  private var zero: TimeInterval?
  private var given: Int64 = 0
  private var began: TimeInterval
  private var lost: Set<Int> = []

  /// - Parameters:
  ///   - rates: frames per second of each source.
  ///   - targetRate: frames per second of the recording.
  init(rates: [Int], targetRate: Int, now: TimeInterval) {
    channels = rates.map { AlignedChannel(rate: Double($0)) }
    self.targetRate = Double(targetRate)
    began = now
  }

  /// Audio of a source came.
  /// - Parameters:
  ///   - samples: from -1 to 1.
  ///   - time: the position of the first frame on the source's clock; nil if the source has none.
  mutating func receive(_ samples: [Float], at time: Int64?, of channel: Int, now: TimeInterval) {
    // After a pause a new stream begins, which finds its place anew.
    if let last = channels[channel].lastArrival, now - last > Self.patience { channels[channel].restart() }
    channels[channel].receive(samples, at: time, now: now)
  }

  /// All sources are open, from now on.
  mutating func opened(now: TimeInterval) { began = now }

  /// A source failed, or was closed.
  mutating func fail(_ channel: Int) { channels[channel].restart() }

  /// What can be given now: samples of all channels, and after them what is missing in them.
  mutating func take(now: TimeInterval) -> [CapturedAudio] {
    let isLive = channels.map { channel in
      channel.lastArrival.map { now - $0 <= Self.patience } ?? (now - began <= Self.startPatience)
    }
    let live = channels.indices.filter { isLive[$0] }
    if zero == nil {
      let origins = live.map { channels[$0].origin }
      guard !live.isEmpty, !origins.contains(nil) else { return [] }
      zero = origins.compactMap(\.self).max()
    }
    guard let zero, !live.isEmpty else { return [] }
    let time = zero + Double(given) / targetRate
    // A source that has just come back has no place yet, and does not hold up the others.
    let settled = live.filter { channels[$0].origin != nil }
    guard let seconds = settled.map({ channels[$0].available(after: time) }).min() else { return [] }
    let count = Int(clamping: min(seconds, 10) * targetRate)
    guard count > 0 else { return [] }
    let parts = channels.indices.map { channels[$0].next(count, from: time, targetRate: targetRate) }
    given += Int64(count)
    var output: [CapturedAudio] = [.samples(Self.interleaved(parts.map(\.samples)), at: nil)]
    for (channel, part) in parts.enumerated() {
      for range in part.missing {
        output.append(
          .channelGap(channel, at: Int64(range.lowerBound) - Int64(count), frames: Int64(range.count)))
      }
      if part.missing.contains(0..<count) {
        if lost.insert(channel).inserted { output.append(.channelLost(channel)) }
      } else if lost.remove(channel) != nil {
        output.append(.channelRecovered(channel))
      }
    }
    return output
  }

  private static func interleaved(_ channels: [[Float]]) -> Data {
    let count = channels.first?.count ?? 0
    var samples = [Int16](repeating: 0, count: count * channels.count)
    for (channel, values) in channels.enumerated() {
      for (frame, value) in values.enumerated() {
        samples[frame * channels.count + channel] =
          Int16(max(-32_768, min(32_767, (value * 32_768).rounded()))).littleEndian
      }
    }
    return samples.withUnsafeBytes { Data($0) }
  }
}
