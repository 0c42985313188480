import Foundation
import LonghandTranscripts

/// Puts the events of several channels into one order: a pure value.
///
/// Finals come in the order of their start. Each waits until every other channel has got that far. What is processed is what
/// all channels have processed.
struct ChannelMerger: Sendable {
  private struct Channel {
    /// No final that is still to come starts before this time.
    var certain = 0.0
    var processed = 0.0
    var progress = 0.0
    var waiting: [(start: TimeInterval, event: TranscriptionEvent)] = []
  }

  private var channels: [Channel]
  private var processed: TimeInterval
  private var progress: TimeInterval

  /// - Parameters:
  ///   - count: the number of channels.
  ///   - start: seconds; everything before has been reported.
  init(_ count: Int, from start: TimeInterval) {
    channels = Array(repeating: Channel(certain: start, processed: start, progress: start), count: count)
    (processed, progress) = (start, start)
  }

  /// An event of a channel.
  /// - Returns: the events that are in order now.
  mutating func take(_ event: TranscriptionEvent, of channel: Int) -> [TranscriptionEvent] {
    switch event {
    case .final(let start, _, _, _):
      channels[channel].certain = max(channels[channel].certain, start)
      channels[channel].waiting.append((start, .onChannel(channel, event)))
    case .processed(let time):
      channels[channel].certain = max(channels[channel].certain, time)
      channels[channel].processed = max(channels[channel].processed, time)
    case .progress(let time):
      channels[channel].progress = max(channels[channel].progress, time)
    case .partial, .failed, .detected, .sound, .restarted, .rejected, .oppositePhase, .engineChanged,
      .warning, .onChannel:
      return [.onChannel(channel, event)]
    }
    return ready()
  }

  /// A channel has ended.
  /// - Returns: the events that are in order now.
  mutating func end(_ channel: Int) -> [TranscriptionEvent] {
    (channels[channel].certain, channels[channel].processed) = (.infinity, .infinity)
    channels[channel].progress = .infinity
    return ready()
  }

  private mutating func ready() -> [TranscriptionEvent] {
    var events: [TranscriptionEvent] = []
    while let next = channels.indices.filter({ !channels[$0].waiting.isEmpty })
      .min(by: { channels[$0].waiting[0].start < channels[$1].waiting[0].start })
    {
      let start = channels[next].waiting[0].start
      guard channels.indices.allSatisfy({ $0 == next || channels[$0].certain >= start }) else { break }
      events.append(channels[next].waiting.removeFirst().event)
    }
    // A final that waits is not reported yet.
    let waiting = channels.compactMap { $0.waiting.first?.start }
    let all = channels.map(\.processed).min() ?? 0
    let reported = min(all, waiting.min() ?? .infinity)
    if reported > processed, reported.isFinite {
      processed = reported
      events.append(.processed(reported))
    }
    let furthest = channels.map(\.progress).min() ?? 0
    if furthest > progress, furthest.isFinite {
      progress = furthest
      events.append(.progress(furthest))
    }
    return events
  }
}
