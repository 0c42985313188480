import Foundation

/// A part of a recording in which one speaker speaks.
public struct SpeakerTurn: Sendable, Hashable, Codable {
  /// Seconds from the start of the audio.
  public var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  public var end: TimeInterval
  /// The `Speaker.id`.
  public var speaker: String
  /// How sure the guess is, 0 to 1; nil if it is not known.
  public var confidence: Double?
  /// The only channel that it is about, from 0; nil for all channels.
  public var channel: Int?

  /// Creates a turn.
  public init(
    start: TimeInterval, end: TimeInterval, speaker: String, confidence: Double? = nil, channel: Int? = nil
  ) {
    self.start = start
    self.end = end
    self.speaker = speaker
    self.confidence = confidence
    self.channel = channel
  }

  /// Whether the turn is about a channel; nil is all channels on both sides.
  func isAbout(_ channel: Int?) -> Bool { self.channel == nil || channel == nil || self.channel == channel }

  /// How far a time is from the turn, in seconds; 0 inside.
  func distance(to time: TimeInterval) -> TimeInterval { max(0, start - time, time - end) }
}

extension [SpeakerTurn] {
  /// Gives each speaker of new turns the ID of the speaker with whom it shares most time, and the others new IDs. Names
  /// and merges then follow a voice through a new diarization.
  /// - Parameters:
  ///   - old: the turns before.
  ///   - taken: IDs that a new speaker cannot get.
  func named(after old: [SpeakerTurn], taken: Set<String>) -> [SpeakerTurn] {
    var shared: [String: [String: TimeInterval]] = [:]
    for turn in self {
      for before in old where before.isAbout(turn.channel) {
        let seconds = Swift.min(turn.end, before.end) - Swift.max(turn.start, before.start)
        if seconds > 0 { shared[turn.speaker, default: [:]][before.speaker, default: 0] += seconds }
      }
    }
    let pairs = shared.flatMap { new, others in others.map { (new: new, old: $0.key, seconds: $0.value) } }
      .sorted { ($1.seconds, $0.new, $0.old) < ($0.seconds, $1.new, $1.old) }
    var ids: [String: String] = [:]
    var used: Set<String> = []
    for pair in pairs where ids[pair.new] == nil && used.insert(pair.old).inserted {
      ids[pair.new] = pair.old
    }
    var number = 1
    for turn in self where ids[turn.speaker] == nil {
      while used.contains("voice\(number)") || taken.contains("voice\(number)") { number += 1 }
      used.insert("voice\(number)")
      ids[turn.speaker] = "voice\(number)"
    }
    return map { turn in
      var turn = turn
      turn.speaker = ids[turn.speaker] ?? turn.speaker
      return turn
    }
  }
}
