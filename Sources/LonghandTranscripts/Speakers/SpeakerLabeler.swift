import Foundation

extension SessionSpeakers {
  /// A word may begin or end so many seconds outside of a turn and still belong to it.
  private static let tolerance: TimeInterval = 0.3

  /// Labels segments and their words. The words, their times and their order stay as they are.
  ///
  /// A word has the speaker that a person assigned to its segment, else the one at its middle by the voice, else that of
  /// the segment's channel. Where two voices speak at once it has none. A segment has the speaker of most of its words.
  /// - Returns: the segments with their labels, and the speakers that have any of them, the channels first.
  package func label(_ segments: [Segment]) -> (segments: [Segment], speakers: [Speaker]) {
    guard !isEmpty else { return (segments, []) }
    let labeler = SpeakerLabeler(self)
    let labelled = segments.map { labeler.labelled(echoes.marked($0)) }
    return (labelled, speakers(of: labelled))
  }

  /// Labels the segments of a transcript and its speech without recognized words, and adds the speakers.
  package func label(_ transcript: inout Transcript) {
    guard !isEmpty else { return }
    let labeler = SpeakerLabeler(self)
    transcript.segments = transcript.segments.map { labeler.labelled(echoes.marked($0)) }
    // What is known of speech without words is known of the mix.
    let isMix = transcript.segments.allSatisfy { $0.channel == nil }
    transcript.wordlessTurns = isMix ? transcript.spans.wordless.flatMap(labeler.turns) : []
    transcript.speakers = speakers(of: transcript.segments, transcript.wordlessTurns)
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
    }.map {
      Speaker(
        id: $0.id, name: $0.shownName, basis: $0.basis, seconds: seconds[$0.id] ?? 0, engine: $0.engine,
        nameBasis: $0.name == nil && $0.recognized != nil ? .voice : nil)
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
    private let turns: [SpeakerTurn]
    private let assignments: [Int: String]
    private let known: [String: String]
    /// For each turn, the latest end of it and of all turns before it.
    private let ends: [TimeInterval]
    /// Where turns begin and end, in order.
    private let edges: [TimeInterval]

    init(_ speakers: SessionSpeakers) {
      turns = speakers.turns.sorted { $0.start < $1.start }
      assignments = speakers.assignments.compactMapValues(speakers.resolved)
      known = Dictionary(
        speakers.entries.compactMap { entry in speakers.resolved(entry.id).map { (entry.id, $0) } },
        uniquingKeysWith: { first, _ in first })
      edges = turns.flatMap { [$0.start, $0.end] }.sorted()
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
      var labels: [SpeakerLabel?] = []
      for (position, word) in segment.words.enumerated() {
        let label = assigned ?? label(at: (word.start + word.end) / 2, segment.channel)
        segment.candidates[index].words[position].speaker = label?.speaker
        labels.append(label)
      }
      segment.speaker =
        labels.isEmpty
        ? assigned ?? label(at: (segment.start + segment.end) / 2, segment.channel)
        : Self.most(of: labels, segment.words)
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
      let sure = own.compactMap { label, weight in (label?.confidence).map { ($0 * weight, weight) } }
      let total = sure.reduce(0) { $0 + $1.1 }
      return SpeakerLabel(
        speaker: speaker, basis: own.first?.0?.basis ?? .voice,
        confidence: total > 0 ? sure.reduce(0) { $0 + $1.0 } / total : nil)
    }

    /// Who speaks in a part of the mix, in order.
    func turns(in range: ClosedRange<TimeInterval>) -> [SpeakerTurn] {
      let first = edges.partitioningIndex { $0 > range.lowerBound }
      let inside = edges[first...].prefix { $0 < range.upperBound }
      let times = [range.lowerBound] + inside + [range.upperBound]
      var parts: [SpeakerTurn] = []
      for (start, end) in zip(times, times.dropFirst()) where start < end {
        guard let label = label(at: (start + end) / 2, nil) else { continue }
        if let last = parts.last, last.end == start, last.speaker == label.speaker {
          parts[parts.count - 1].end = end
        } else {
          parts.append(
            SpeakerTurn(start: start, end: end, speaker: label.speaker, confidence: label.confidence))
        }
      }
      return parts
    }

    private func label(at time: TimeInterval, _ channel: Int?) -> SpeakerLabel? {
      let near = turns(near: time).filter { $0.isAbout(channel) && known[$0.speaker] != nil }
      let inside = near.filter { $0.distance(to: time) == 0 }
      let candidates = inside.isEmpty ? near : inside
      if let turn = candidates.min(by: { $0.distance(to: time) < $1.distance(to: time) }) {
        let speakers = Set(inside.compactMap { known[$0.speaker] })
        guard speakers.count < 2, let id = known[turn.speaker] else { return nil }
        return SpeakerLabel(speaker: id, basis: .voice, confidence: turn.confidence)
      }
      guard let channel else { return nil }
      return known[SessionSpeakers.id(ofChannel: channel)].map { SpeakerLabel(speaker: $0, basis: .channel) }
    }

    private func turns(near time: TimeInterval) -> ArraySlice<SpeakerTurn> {
      let last = turns.partitioningIndex { $0.start > time + tolerance }
      let first = ends.partitioningIndex { $0 >= time - tolerance }
      return first < last ? turns[first..<last].filter { $0.distance(to: time) <= tolerance }[...] : []
    }

    private var tolerance: TimeInterval { SessionSpeakers.tolerance }
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
