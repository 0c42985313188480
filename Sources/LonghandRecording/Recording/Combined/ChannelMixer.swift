import Foundation
import LonghandTranscripts

/// Makes one recording of several sources, each its own channel: a pure value. The callers pass the time, in seconds of one
/// clock for all sources.
///
/// Frames are given as soon as every source has them. Late audio has the place that its source's clock gives it. A source
/// that delivers nothing for half a second, while the others have audio that waits, does not hold them up any longer: its
/// channel is silent, which is a gap of this channel alone, until it delivers again. While no source delivers anything, as
/// when the machine is busy with something else, nothing waits and no source is given up.
struct ChannelMixer: Sendable {
  /// Seconds for which the others wait for a source. Only time in which the process ran counts.
  static let patience = 0.5
  /// Seconds without audio after which a source counts as lost.
  static let noticeableLoss = 1.0
  /// Seconds that a source has for its first audio.
  private static let startPatience = 1.0
  /// Seconds of audio that the others must be ahead, to be waiting.
  private static let lead = 0.2
  /// Seconds after its first audio until the place of a source is decided. What waited comes at once.
  private static let settling = 0.4
  /// The most seconds between two calls while the process runs.
  private static let maxStep = 0.2

  fileprivate struct Channel {
    var audio: AlignedChannel
    /// Seconds for which the others have waited since the last audio.
    var waited = 0.0
    /// Whether the others do not wait for it.
    var isGivenUp = false
    /// When it delivered its first audio since it has no place, in seconds in which the process ran.
    var returned: TimeInterval?
    /// Frames that are missing so far, without audio in between.
    var missing: Int64 = 0
    var isLost = false
  }

  private var channels: [Channel]
  private let targetRate: Double
  /// The time of frame 0, in seconds of the clock; nil before it.
  private var zero: TimeInterval?
  private var given: Int64 = 0
  private var running: RunningTime
  /// When all sources were open, in seconds in which the process ran.
  private var began = 0.0

  /// - Parameters:
  ///   - rates: frames per second of each source.
  ///   - targetRate: frames per second of the recording.
  init(rates: [Int], targetRate: Int, now: TimeInterval) {
    channels = rates.map { Channel(audio: AlignedChannel(rate: Double($0))) }
    self.targetRate = Double(targetRate)
    running = RunningTime(maxStep: Self.maxStep, now: now)
  }

  /// Audio of a source came.
  /// - Parameters:
  ///   - samples: from -1 to 1.
  ///   - time: the position of the first frame on the source's clock; nil if the source has none.
  mutating func receive(_ samples: [Float], at time: Int64?, of index: Int, now: TimeInterval) {
    pass(now)
    if channels[index].isGivenUp {
      channels[index].audio.unsettle()
      (channels[index].isGivenUp, channels[index].returned) = (false, nil)
    }
    channels[index].waited = 0
    channels[index].audio.receive(samples, at: time, now: now)
    if !channels[index].audio.isSettled {
      channels[index].returned = channels[index].returned ?? running.seconds
    }
  }

  /// All sources are open, from now on.
  mutating func opened(now: TimeInterval) {
    pass(now)
    began = running.seconds
  }

  /// A source failed, or was closed. The others do not wait for it.
  mutating func fail(_ index: Int) {
    channels[index].audio.restart()
    (channels[index].isGivenUp, channels[index].returned) = (true, nil)
  }

  /// The time of the next frame.
  private var time: TimeInterval? { zero.map { $0 + Double(given) / targetRate } }

  /// Counts the time for which sources wait for others, and gives up the others in the end.
  private mutating func pass(_ now: TimeInterval) {
    let step = running.advance(to: now)
    let ready = channels.map { channel in
      time.map { channel.audio.available(after: $0) } ?? (channel.audio.isSettled ? Self.lead : 0)
    }
    let most = ready.max() ?? 0
    for index in channels.indices where !channels[index].isGivenUp {
      if most - ready[index] >= Self.lead { channels[index].waited += step }
      let hasBegun = channels[index].audio.isSettled || channels[index].returned != nil
      let patience =
        hasBegun ? Self.patience : max(Self.patience, began + Self.startPatience - running.seconds)
      if channels[index].waited >= patience { channels[index].isGivenUp = true }
    }
  }

  /// Gives a place to the sources that have delivered enough.
  private mutating func settle() {
    for index in channels.indices where channels[index].audio.canSettle && !channels[index].isGivenUp {
      guard let returned = channels[index].returned, running.seconds - returned >= Self.settling else {
        continue
      }
      channels[index].audio.settle(at: time)
      channels[index].returned = nil
    }
  }

  /// What can be given now: samples of all channels, and after them what is missing in them.
  mutating func take(now: TimeInterval) -> [CapturedAudio] {
    pass(now)
    settle()
    let present = channels.indices.filter { !channels[$0].isGivenUp }
    guard !present.isEmpty, present.allSatisfy({ channels[$0].audio.isSettled }) else { return [] }
    if zero == nil { zero = present.compactMap { channels[$0].audio.origin }.max() }
    guard let time, let seconds = present.map({ channels[$0].audio.available(after: time) }).min() else {
      return []
    }
    let count = Int(clamping: min(seconds, 10) * targetRate)
    guard count > 0 else { return [] }
    let parts = channels.indices.map { channels[$0].audio.next(count, from: time, targetRate: targetRate) }
    var output: [CapturedAudio] = [.samples(Self.interleaved(parts.map(\.samples)), at: given)]
    given += Int64(count)
    for (index, part) in parts.enumerated() {
      for range in part.missing {
        output.append(
          .channelGap(index, at: Int64(range.lowerBound) - Int64(count), frames: Int64(range.count)))
      }
      output += channels[index].note(part.missing.contains(0..<count) ? count : nil, targetRate, index)
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

extension ChannelMixer.Channel {
  /// Notes that so many frames are missing, or that there is audio.
  /// - Returns: that the source is lost or has recovered.
  fileprivate mutating func note(_ missing: Int?, _ rate: Double, _ index: Int) -> [CapturedAudio] {
    guard let missing else {
      self.missing = 0
      defer { isLost = false }
      return isLost ? [.channelRecovered(index)] : []
    }
    self.missing += Int64(missing)
    guard !isLost, Double(self.missing) >= ChannelMixer.noticeableLoss * rate else { return [] }
    isLost = true
    return [.channelLost(index)]
  }
}
