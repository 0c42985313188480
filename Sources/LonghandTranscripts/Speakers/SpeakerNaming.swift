import Foundation

extension [SpeakerTurn] {
  /// Gives each speaker of new turns the ID of the speaker with whom it shares most time, and the others new IDs. Names
  /// and merges then follow a voice through a new diarization.
  /// - Parameters:
  ///   - old: the turns before.
  ///   - known: IDs that new turns may have already; such a speaker keeps its ID.
  ///   - taken: IDs that a new speaker cannot get.
  func named(after old: [SpeakerTurn], known: Set<String>, taken: Set<String>) -> [SpeakerTurn] {
    var shared: [String: [String: TimeInterval]] = [:]
    for turn in self {
      for before in old where before.isAbout(turn.channel) {
        let seconds = Swift.min(turn.end, before.end) - Swift.max(turn.start, before.start)
        if seconds > 0 { shared[turn.speaker, default: [:]][before.speaker, default: 0] += seconds }
      }
    }
    let pairs = shared.flatMap { new, others in others.map { (new: new, old: $0.key, seconds: $0.value) } }
      .sorted { ($1.seconds, $0.new, $0.old) < ($0.seconds, $1.new, $1.old) }
    var used = known.intersection(map(\.speaker))
    var ids = Dictionary(uniqueKeysWithValues: used.map { ($0, $0) })
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
