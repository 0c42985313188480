import Foundation

/// Who speaks in a part of a segment, as a person said: in the words whose middle is in it.
package struct AssignedPart: Sendable, Hashable, Codable {
  /// The ID of the segment.
  package var segment: Int
  /// Seconds from the start of the audio.
  package var start: TimeInterval
  /// Seconds from the start of the audio; not before `start`.
  package var end: TimeInterval
  /// The `Speaker.id`.
  package var speaker: String

  package init(segment: Int, start: TimeInterval, end: TimeInterval, speaker: String) {
    self.segment = segment
    self.start = start
    self.end = end
    self.speaker = speaker
  }

  func contains(_ word: Word) -> Bool { (start...end).contains(word.middle) }
}

/// What a person said of who speaks in some segments, to say it again.
package struct AssignedSpeakers: Sendable, Hashable {
  /// The IDs of the segments, in order.
  package var segments: [Int]
  /// The speakers of whole segments.
  package var assignments: [Int: String]
  package var parts: [AssignedPart]

  package init(segments: [Int], assignments: [Int: String], parts: [AssignedPart]) {
    self.segments = segments
    self.assignments = assignments
    self.parts = parts
  }
}

extension SessionSpeakers {
  /// What an assignment changed.
  package struct Assignment: Sendable, Hashable {
    /// The runs of words that followed the assigned ones, before and after them, in order.
    package var before: [SpeakerRun] = []
    package var after: [SpeakerRun] = []
    /// What a person had said of the segments before; `restore` takes the assignment back.
    package var replaced: AssignedSpeakers

    /// What moved too, for a reader, such as "and 2 turns after it"; nil for nothing.
    package var moved: String? {
      let parts = [(before, "before"), (after, "after")].filter { !$0.0.isEmpty }.map { runs, place in
        "\(runs.count) \(runs.count == 1 ? "turn" : "turns") \(place) it"
      }
      return parts.isEmpty ? nil : "and " + parts.joined(separator: " and ")
    }
  }

  /// Says who speaks in a segment, or in words of it. It stays when the recording is transcribed again.
  ///
  /// Words beside them that only followed their label get the new speaker too: those before and after with the same label as the
  /// first and the last of them, as far as that label is unsure, and no pause of more than a second is between. A sure label and
  /// one that a person gave never move.
  ///
  /// - Parameters:
  ///   - segment: the segment.
  ///   - words: the words of it; nil for the whole segment, whatever words and times it will have.
  ///   - speaker: the name or the ID of a speaker, or the name of a new one.
  ///   - segments: all segments of the session, in order. Without them, nothing follows.
  /// - Returns: what changed.
  /// - Throws: `SpeakerError`.
  @discardableResult package mutating func assign(
    _ segment: Segment, words: Range<Int>? = nil, to speaker: String, among segments: [Segment] = []
  ) throws(SpeakerError) -> Assignment {
    let known = segments.isEmpty ? [segment] : segments
    let labelled = label(known).segments
    let id = try personsChoice(speaker)
    let own = words.map { $0.isEmpty ? nil : $0 } ?? nil
    let beside = Self.followers(of: own, in: segment, among: labelled, unless: id)
    let changed = Set((beside.before + beside.after).map(\.segment) + [segment.id])
    let ids = known.map(\.id).filter(changed.contains)
    let replaced = AssignedSpeakers(
      segments: ids, assignments: assignments.filter { changed.contains($0.key) },
      parts: parts.filter { changed.contains($0.segment) })
    assign(own, of: segment, to: id)
    for run in beside.before + beside.after {
      guard let other = known.first(where: { $0.id == run.segment }) else { continue }
      assign(run.words.isEmpty ? nil : run.words, of: echoes.marked(other), to: id)
    }
    return Assignment(before: beside.before, after: beside.after, replaced: replaced)
  }

  /// Takes an assignment back: what a person says of the segments is what it was before. A speaker whom the assignment added is
  /// removed.
  /// - Throws: `SpeakerError.unknown` if a speaker is not known any more.
  package mutating func restore(_ earlier: AssignedSpeakers) throws(SpeakerError) {
    for speaker in earlier.assignments.values.sorted() + earlier.parts.map(\.speaker)
    where !entries.contains(where: { $0.id == speaker }) {
      throw .unknown(speaker, known: named.map(\.name))
    }
    let ids = Set(earlier.segments)
    let taken = Set(assignments.filter { ids.contains($0.key) }.values)
      .union(parts.filter { ids.contains($0.segment) }.map(\.speaker))
    for id in ids { assignments[id] = earlier.assignments[id] }
    parts.removeAll { ids.contains($0.segment) }
    parts += earlier.parts.filter { ids.contains($0.segment) }
    let needless = entries.filter { entry in
      entry.basis == .person && taken.contains(entry.id) && !isAssigned(entry.id)
        && !entries.contains { $0.mergedInto == entry.id }
    }
    entries.removeAll(where: needless.contains)
  }

  /// Whether a person assigned something to a speaker.
  func isAssigned(_ id: String) -> Bool {
    assignments.values.contains(id) || parts.contains { $0.speaker == id }
  }

  private mutating func assign(_ words: Range<Int>?, of segment: Segment, to speaker: String) {
    let others = segment.words.indices.filter { !segment.words[$0].isEcho && words?.contains($0) == false }
    guard let words, !others.isEmpty else {
      assignments[segment.id] = speaker
      return parts.removeAll { $0.segment == segment.id }
    }
    let said = segment.words
    var part = AssignedPart(
      segment: segment.id, start: said[words.lowerBound].start, end: said[words.upperBound - 1].end,
      speaker: speaker)
    // The middle of no other word is in it.
    if words.lowerBound > 0 {
      part.start = max(part.start, (said[words.lowerBound - 1].middle + said[words.lowerBound].middle) / 2)
    }
    if words.upperBound < said.count {
      part.end = min(part.end, (said[words.upperBound - 1].middle + said[words.upperBound].middle) / 2)
    }
    part.end = max(part.start, part.end)
    parts = parts.flatMap { $0.segment == part.segment ? $0.without(part) : [$0] } + [part]
  }

  /// The runs beside words that only follow them.
  private static func followers(
    of words: Range<Int>?, in segment: Segment, among labelled: [Segment], unless new: String
  ) -> (before: [SpeakerRun], after: [SpeakerRun]) {
    let cut = words.map { [$0.lowerBound, $0.upperBound] } ?? []
    let runs = labelled.enumerated().filter { $1.channel == segment.channel }.flatMap { number, other in
      // An unknown speaker follows nobody.
      other.runs(number, severalSpeak: false, cut: other.id == segment.id ? Set(cut) : [])
    }
    let own = runs.indices.filter { index in
      runs[index].segment == segment.id && (words.map { $0.overlaps(runs[index].words) } ?? true)
    }
    guard let first = own.first, let last = own.last else { return ([], []) }
    /// The runs from one on that follow it; `isNext` says whether no pause is between two.
    func following(
      _ from: SpeakerRun, _ others: some Sequence<SpeakerRun>, pause: (SpeakerRun, SpeakerRun) -> TimeInterval
    ) -> [SpeakerRun] {
      // Two who are unknown need not be one person.
      guard let old = from.speaker, old != new else { return [] }
      var found = [from]
      for run in others {
        guard let before = found.last, run.isUnsure, run.speaker == old,
          pause(before, run) <= SpeakerRun.maxPause
        else { break }
        found.append(run)
      }
      return Array(found.dropFirst())
    }
    return (
      following(runs[first], runs[..<first].reversed()) { $0.start - $1.end }.reversed(),
      following(runs[last], runs[(last + 1)...]) { $1.start - $0.end }
    )
  }
}

extension Word {
  fileprivate var middle: TimeInterval { (start + end) / 2 }
}

extension AssignedPart {
  /// What is left of it before and after another part.
  fileprivate func without(_ other: AssignedPart) -> [AssignedPart] {
    guard start <= other.end, end >= other.start else { return [self] }
    var (before, after) = (self, self)
    before.end = other.start
    after.start = other.end
    return [before, after].filter { $0.start < $0.end }
  }
}
