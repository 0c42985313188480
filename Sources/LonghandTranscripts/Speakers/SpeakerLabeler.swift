import Foundation
import SentenceFormatting

extension SessionSpeakers {
  /// A word may begin or end so many seconds outside of a turn and still belong to it.
  private static let tolerance: TimeInterval = 0.3
  /// A pause of so many seconds, in which a speaker may change as after a mark.
  private static let pause: TimeInterval = 0.3
  /// What another speaker within a phrase, and after a comma, costs, as the logarithm of a probability.
  private static let changeCost = (phrase: 1.0, comma: 0.5)

  /// Labels segments and their words. The words, their times and their order stay as they are.
  ///
  /// A word has the speaker that a person assigned to it or to its segment, else one who speaks at its middle by the voice, else
  /// that of the segment's channel. Where several voices speak at once, it has the more probable one; a speaker changes
  /// rather after a mark or a pause than within a phrase. A label that is too improbable is none. A segment has the
  /// speaker of most of its words.
  /// - Returns: the segments with their labels, and the speakers that have any of them, the channels first.
  package func label(_ segments: [Segment]) -> (segments: [Segment], speakers: [Speaker]) {
    guard !isEmpty else { return (segments, []) }
    let labeler = SpeakerLabeler(self)
    let labelled = segments.map { labeler.labelled(echoes.marked($0)) }
    return (labelled, speakers(of: labelled))
  }

  /// Labels the segments of a transcript, and adds the speakers and their turns.
  package func label(_ transcript: inout Transcript) {
    guard !isEmpty else { return }
    let labeler = SpeakerLabeler(self)
    transcript.segments = transcript.segments.map { labeler.labelled(echoes.marked($0)) }
    transcript.turns = labeler.turns(besides: transcript.segments)
    // What is known of speech without words is known of the mix.
    let isMix = transcript.segments.allSatisfy { $0.channel == nil }
    let silent = isMix ? transcript.spans.wordless.flatMap(labeler.turns(in:)) : []
    transcript.speakers = speakers(
      of: transcript.segments, silent + transcript.turns.map(\.point))
  }

  /// The speakers with the seconds of their speech; those who were merged into others are left out.
  private func speakers(of segments: [Segment], _ turns: [SpeakerTurn] = []) -> [Speaker] {
    var seconds: [String: TimeInterval] = [:]
    for part in segments.compactMap(\.withoutEcho).flatMap(\.secondsBySpeaker) {
      seconds[part.speaker, default: 0] += part.seconds
    }
    for turn in turns { seconds[turn.speaker, default: 0] += turn.end - turn.start }
    let hasChannels = segments.contains { $0.channel != nil }
    return entries.filter { entry in
      entry.mergedInto == nil && (hasChannels && entry.basis == .channel || seconds[entry.id] != nil)
    }.map { entry in
      Speaker(
        id: entry.id, name: entry.shownName, basis: entry.basis, seconds: seconds[entry.id] ?? 0,
        engine: entry.engine, nameBasis: entry.name == nil && entry.recognized != nil ? .voice : nil)
    }
  }

  /// The speaker that an ID stands for, after all merges; nil if it is not known.
  func resolved(_ id: String) -> String? {
    var current = id
    // A stored ring of merges must not hang.
    for _ in 0...entries.count {
      guard let entry = entries.first(where: { $0.id == current }) else { return nil }
      guard let next = entry.mergedInto else { return current }
      current = next
    }
    return nil
  }

  fileprivate struct SpeakerLabeler {
    /// What a word may be labelled with, and the least cost of all labels up to it.
    private struct Choice {
      var label: SpeakerLabel?
      var cost: Double
      /// The choice for the word before that leads here.
      var previous = 0
    }

    /// With the speakers after all merges, in the order of their start.
    private let turns: [SpeakerTurn]
    private let assignments: [Int: String]
    /// A person's parts of segments, by the segment.
    private let parts: [Int: [AssignedPart]]
    /// The speakers after all merges, by their IDs.
    private let resolved: [String: String]
    /// For each turn, the latest end of it and of all turns before it.
    private let ends: [TimeInterval]

    init(_ speakers: SessionSpeakers) {
      let resolved = Dictionary(
        speakers.entries.compactMap { entry in speakers.resolved(entry.id).map { (entry.id, $0) } },
        uniquingKeysWith: { first, _ in first })
      self.resolved = resolved
      turns = speakers.turns.compactMap { turn in
        resolved[turn.speaker].map { id in
          var turn = turn
          turn.speaker = id
          return turn
        }
      }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
      assignments = speakers.assignments.compactMapValues { resolved[$0] }
      parts = Dictionary(
        grouping: speakers.parts.compactMap { part in
          resolved[part.speaker].map { id in
            var part = part
            part.speaker = id
            return part
          }
        }, by: \.segment)
      var latest = -TimeInterval.infinity
      ends = turns.map { turn in
        latest = max(latest, turn.end)
        return latest
      }
    }

    func labelled(_ segment: Segment) -> Segment {
      var segment = segment
      let index = segment.selection.index
      let assigned = assignments[segment.id].map { SpeakerLabel(speaker: $0, basis: .person) }
      var labels =
        assigned.map { label in segment.words.map { _ in label } }
        ?? labels(of: segment.words, segment.channel)
      if let parts = parts[segment.id] {
        for (position, word) in segment.words.enumerated() {
          guard let part = parts.last(where: { $0.contains(word) }) else { continue }
          labels[position] = SpeakerLabel(speaker: part.speaker, basis: .person)
        }
      }
      for (position, label) in labels.enumerated() {
        segment.candidates[index].words[position].speaker = label?.speaker
        segment.candidates[index].words[position].speakerConfidence = label?.confidence
      }
      let whole = Word(text: "", start: segment.start, end: segment.end, confidence: nil)
      segment.speaker =
        labels.isEmpty
        ? assigned ?? self.labels(of: [whole], segment.channel)[0] : Self.most(of: labels, segment.words)
      return segment
    }

    /// The label of most of the time of the words; nil if that is none.
    private static func most(of labels: [SpeakerLabel?], _ words: [Word]) -> SpeakerLabel? {
      // Also a word without duration counts.
      let weights = words.map { max($0.end - $0.start, 0.01) }
      var sums: [String?: Double] = [:]
      for (label, weight) in zip(labels, weights) { sums[label?.speaker, default: 0] += weight }
      let best = sums.max { ($0.value, $1.key ?? "") < ($1.value, $0.key ?? "") }?.key
      guard let speaker = best ?? nil else { return nil }
      let own = zip(labels, weights).filter { $0.0?.speaker == speaker }
      let guess = own.first { $0.0?.basis != .person } ?? own.first
      let sure = own.compactMap { label, weight in (label?.confidence).map { ($0 * weight, weight) } }
      let total = sure.reduce(0) { $0 + $1.1 }
      return SpeakerLabel(
        speaker: speaker, basis: guess?.0?.basis ?? .voice,
        confidence: total > 0 ? sure.reduce(0) { $0 + $1.0 } / total : nil)
    }

    /// The turns without the time that a person assigned, and those of parts of segments that a person assigned.
    func turns(besides segments: [Segment]) -> [SpeakerTurn] {
      let own = segments.flatMap { segment in
        (parts[segment.id] ?? []).map { part in
          SpeakerTurn(start: part.start, end: part.end, speaker: part.speaker, channel: segment.channel)
        }
      }
      let whole = segments.filter { assignments[$0.id] != nil }
      let assigned = whole.map { ($0.range, $0.channel) } + own.map { ($0.start...$0.end, $0.channel) }
      let others = turns.flatMap { turn in
        assigned.filter { turn.isAbout($0.1) }.reduce([turn]) { parts, part in
          parts.flatMap { $0.without(part.0, least: tolerance) }
        }
      }
      return own.isEmpty ? others : (others + own).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// The parts of the sure turns in a part of the mix.
    func turns(in range: ClosedRange<TimeInterval>) -> [SpeakerTurn] {
      turns(near: range).filter(\.isSure).map { turn in
        var part = turn
        part.start = max(turn.start, range.lowerBound)
        part.end = min(turn.end, range.upperBound)
        return part
      }
    }

    /// The labels with the least cost: of times outside of their turns, of improbable turns, and of changes.
    private func labels(of words: [Word], _ channel: Int?) -> [SpeakerLabel?] {
      var rows: [[Choice]] = []
      for (index, word) in words.enumerated() {
        let change = index == 0 ? 0 : Self.cost(ofChangeAfter: words[index - 1], before: word)
        rows.append(
          choices(for: word, channel).map { choice in
            let costs = (rows.last ?? []).map { before in
              before.cost + (before.label?.speaker == choice.label?.speaker ? 0 : change)
            }
            guard let least = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return choice }
            return Choice(label: choice.label, cost: choice.cost + costs[least], previous: least)
          })
      }
      guard let last = rows.last, var place = last.indices.min(by: { last[$0].cost < last[$1].cost }) else {
        return []
      }
      var labels: [SpeakerLabel?] = []
      for row in rows.reversed() {
        labels.append(row[place].label.flatMap { $0.confidence ?? 1 < SpeakerLabel.minConfidence ? nil : $0 })
        place = row[place].previous
      }
      return labels.reversed()
    }

    /// The voices near a word, in the order of their turns; else the channel's speaker, else none.
    private func choices(for word: Word, _ channel: Int?) -> [Choice] {
      let middle = (word.start + word.end) / 2
      let own = channel.flatMap { resolved[SessionSpeakers.id(ofChannel: $0)] }
      var choices: [Choice] = []
      for turn in turns(near: middle - tolerance...middle + tolerance) where turn.isAbout(channel) {
        // What was heard in the mix says less than the channel.
        if own != nil, turn.channel == nil { continue }
        let cost = turn.distance(to: middle) / tolerance - log(max(turn.confidence ?? 1, 0.01))
        let label = SpeakerLabel(speaker: turn.speaker, basis: .voice, confidence: turn.confidence)
        if let index = choices.firstIndex(where: { $0.label?.speaker == turn.speaker }) {
          if cost < choices[index].cost { choices[index] = Choice(label: label, cost: cost) }
        } else {
          choices.append(Choice(label: label, cost: cost))
        }
      }
      guard choices.isEmpty else { return choices }
      return [Choice(label: own.map { SpeakerLabel(speaker: $0, basis: .channel) }, cost: 0)]
    }

    private static func cost(ofChangeAfter word: Word, before next: Word) -> Double {
      if word.text.endsSentence || next.start - word.end >= pause { return 0 }
      let isClause = word.text.endsClause || word.text.last == "–" || word.text.last == "—"
      return isClause ? changeCost.comma : changeCost.phrase
    }

    private func turns(near range: ClosedRange<TimeInterval>) -> [SpeakerTurn] {
      let last = turns.partitioningIndex { $0.start > range.upperBound }
      let first = ends.partitioningIndex { $0 >= range.lowerBound }
      return first < last ? turns[first..<last].filter { $0.end >= range.lowerBound } : []
    }

    private var tolerance: TimeInterval { SessionSpeakers.tolerance }
  }
}

extension SpeakerTurn {
  /// Whether the speaker is not too improbable to be named.
  package var isSure: Bool { confidence ?? 1 >= SpeakerLabel.minConfidence }

  /// The turn without its length.
  fileprivate var point: SpeakerTurn {
    var point = self
    point.end = start
    return point
  }

  /// The parts before and after a range, without those that are shorter than `least` seconds: words begin and end not exactly with
  /// their turns.
  fileprivate func without(_ range: ClosedRange<TimeInterval>, least: TimeInterval) -> [SpeakerTurn] {
    guard start < range.upperBound, end > range.lowerBound else { return [self] }
    var (before, after) = (self, self)
    before.end = range.lowerBound
    after.start = range.upperBound
    return [before, after].filter { $0.end - $0.start >= least }
  }
}

extension Array {
  /// The first index whose element has a property that all later ones have too.
  fileprivate func partitioningIndex(_ isLater: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = isLater(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
