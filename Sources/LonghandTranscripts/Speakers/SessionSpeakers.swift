import Foundation

/// What is known of the speakers of one recording: a layer over its words, which it never changes.
///
/// Three sources know who speaks. Channels are facts. Turns are guesses by the voice. A person's names, merges and
/// assignments win over both, and stay when the recording is transcribed again.
///
/// ```swift
/// var speakers = SessionSpeakers()
/// speakers.setTurns([SpeakerTurn(start: 0, end: 2.5, speaker: "a", confidence: 0.8)])
/// try speakers.rename("Speaker 1", to: "Anna")
/// let (segments, list) = speakers.label(transcript.segments)
/// ```
package struct SessionSpeakers: Sendable, Hashable, Codable {
  /// A speaker as it is stored.
  package struct Entry: Sendable, Hashable, Codable {
    /// The `Speaker.id`.
    package var id: String
    /// The name that a person gave; nil for the default.
    package var name: String?
    /// How the speaker was found.
    package var basis: Speaker.Basis
    /// The speaker that this one is, if a person merged them; nil if it stands for itself.
    package var mergedInto: String?
    /// What separated the voice, see `Speaker.engine`; nil for a channel and a person.
    package var engine: String?
    /// The name of the remembered voice that this one seems to be; nil if it is like none. A person's `name` wins.
    package var recognized: String?

    package init(
      id: String, name: String? = nil, basis: Speaker.Basis, mergedInto: String? = nil, engine: String? = nil,
      recognized: String? = nil
    ) {
      self.engine = engine
      self.recognized = recognized
      self.id = id
      self.name = name
      self.basis = basis
      self.mergedInto = mergedInto
    }
  }

  /// The speakers, in the order in which they were found.
  package var entries: [Entry]
  /// Who speaks when, by the voice.
  package var turns: [SpeakerTurn]
  /// Who speaks in a segment, by a person: the `Speaker.id` by the ID of the segment.
  package var assignments: [Int: String]
  /// Who speaks in parts of segments, by a person. A part wins over the assignment of its segment.
  package var parts: [AssignedPart] = []
  /// Words of a channel that are echoes of another one, and have no speaker.
  package var echoes: [EchoWord] = []

  package init(entries: [Entry] = [], turns: [SpeakerTurn] = [], assignments: [Int: String] = [:]) {
    self.entries = entries
    self.turns = turns
    self.assignments = assignments
  }

  /// The names of the speakers by their IDs, without those that a person merged into others.
  package var named: [(id: String, name: String)] {
    entries.filter { $0.mergedInto == nil }.map { ($0.id, $0.shownName) }
  }

  /// The speakers that stand for themselves, without voices that say nothing any more.
  package var heard: [Entry] { entries.filter { $0.mergedInto == nil && !isSilent($0) } }

  /// Whether nothing is known of who speaks.
  package var isEmpty: Bool { entries.isEmpty }

  /// The ID of the speaker on a channel, from 0.
  package static func id(ofChannel channel: Int) -> String { "channel\(channel + 1)" }

  /// Adds a speaker for each channel.
  /// - Parameters:
  ///   - count: the number of channels.
  ///   - names: their names, in order, which may come from a file or a device: what a name cannot have is left out of it. A
  ///     name that a person gave before stays.
  package mutating func addChannels(_ count: Int, names: [String] = []) {
    let names = names.map(Self.possible)
    for channel in 0..<count {
      let id = Self.id(ofChannel: channel)
      var name = names.count > channel ? names[channel] : nil
      // Two may differ only in what is left out.
      if names.prefix(channel).contains(name) { name = nil }
      if let index = entries.firstIndex(where: { $0.id == id }) {
        entries[index].name = entries[index].name ?? name
      } else {
        entries.append(Entry(id: id, name: name, basis: .channel))
      }
    }
  }

  /// Replaces the turns by those of a new diarization. Voices that speak at the same times as before keep their IDs, and
  /// so their names.
  /// - Parameters:
  ///   - turns: in the order of time. Their speakers are any names that differ for different voices; one that is the ID of a
  ///     voice of which a person said something, see `given(_:)`, is this voice.
  ///   - channel: the only channel that was examined, from 0; nil for the mix of all.
  ///   - engine: what separated the voices, see `Speaker.engine`; nil if it is not known.
  /// - Returns: the IDs of the speakers, by their names in `turns`.
  @discardableResult package mutating func setTurns(
    _ turns: [SpeakerTurn], ofChannel channel: Int? = nil, by engine: String? = nil
  ) -> [String: String] {
    let old = self.turns.filter { channel == nil || $0.channel == channel }
    let others = self.turns.filter { channel != nil && $0.channel != channel }
    // What a person said of a voice follows it; the others are numbered in the order in which they first speak.
    let known = Set(entries.map(\.id).filter(isGiven))
    let taken = known.union(others.map(\.speaker))
    var new = turns.named(after: old.filter { known.contains($0.speaker) }, known: known, taken: taken)
    for index in new.indices { new[index].channel = channel ?? new[index].channel }
    self.turns = (others + new).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    let speaking = Set(self.turns.map(\.speaker))
    entries.removeAll { $0.basis == .voice && !speaking.contains($0.id) && !taken.contains($0.id) }
    for id in new.map(\.speaker) where !entries.contains(where: { $0.id == id }) {
      entries.append(Entry(id: id, basis: .voice))
    }
    let found = Set(new.map(\.speaker))
    for index in entries.indices where entries[index].basis == .voice && found.contains(entries[index].id) {
      entries[index].engine = engine
      entries[index].recognized = nil
    }
    return Dictionary(zip(turns.map(\.speaker), new.map(\.speaker))) { first, _ in first }
  }

  /// Turns as `setTurns` takes them back: of a voice of which a person said something with its ID, the others with other names.
  package func given(_ turns: [SpeakerTurn]) -> [SpeakerTurn] {
    let known = Set(entries.map(\.id).filter(isGiven))
    return turns.map { turn in
      var turn = turn
      if !known.contains(turn.speaker) { turn.speaker = "unnamed \(turn.speaker)" }
      return turn
    }
  }

  /// Whether a person said something of a speaker.
  private func isGiven(_ id: String) -> Bool {
    isAssigned(id)
      || entries.contains { $0.mergedInto == id || $0.id == id && ($0.name != nil || $0.mergedInto != nil) }
  }

  /// Whether a speaker is a voice that says nothing, as with fewer voices than before: only its name is kept.
  func isSilent(_ entry: Entry) -> Bool {
    entry.basis == .voice && entry.mergedInto == nil && !isAssigned(entry.id)
      && !turns.contains { $0.speaker == entry.id } && !entries.contains { $0.mergedInto == entry.id }
  }
}

extension SessionSpeakers.Entry {
  /// The name for a reader.
  package var shownName: String {
    if let name = name ?? recognized { return name }
    let number = id.drop { !$0.isNumber }
    return basis == .channel ? "Channel \(number)" : "Speaker \(number)"
  }
}
