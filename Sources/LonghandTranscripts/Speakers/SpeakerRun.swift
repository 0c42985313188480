import Foundation

/// Consecutive words of a segment with the same label, as a person is asked about them: "Who said this?".
package struct SpeakerRun: Sendable, Hashable {
  /// A longer pause ends it, in seconds.
  static let maxPause: TimeInterval = 1

  /// The ID of the segment.
  package var segment: Int
  /// The number of the segment in its session.
  package var number: Int
  /// The words; empty if the segment has none.
  package var words: Range<Int>
  /// Seconds from the start of the audio.
  package var start: TimeInterval
  /// Seconds from the start of the audio.
  package var end: TimeInterval
  /// The `Speaker.id`; nil if the speaker is unknown.
  package var speaker: String?
  /// How probable it is that the speaker is the right one, in the mean of the words; nil if that is not known.
  package var confidence: Double?
  /// Whether the label is below `SpeakerLabel.sureConfidence`, or missing though several speak. A person's label is sure.
  package var isUnsure: Bool
}

extension SessionSpeakers {
  /// The runs of unsure labels, in order. Where no voices were separated, nobody expects labels.
  /// - Parameter segments: all segments of the session, without labels, in order.
  package func unsureRuns(in segments: [Segment]) -> [SpeakerRun] {
    guard !isEmpty else { return [] }
    let (labelled, speakers) = label(segments)
    return labelled.enumerated().flatMap { number, segment in
      segment.runs(number, severalSpeak: speakers.count > 1 && !turns.isEmpty)
    }.filter(\.isUnsure)
  }
}

extension Segment {
  /// A word that has a label, or a segment without words.
  private struct Labelled {
    var index: Int?
    var start: TimeInterval
    var end: TimeInterval
    var speaker: String?
    var confidence: Double?
  }

  /// The words by their labels; echoes, and unknown words that readers see as those beside them, are skipped.
  /// - Parameters:
  ///   - number: the number of the segment.
  ///   - severalSpeak: whether a missing label is unsure.
  ///   - cut: a run ends before these words, too.
  func runs(_ number: Int, severalSpeak: Bool, cut: Set<Int> = []) -> [SpeakerRun] {
    guard !text.isEmpty else { return [] }
    let shown = speakerRuns.flatMap { run in run.words.map { _ in run.speaker } }
    let said: [Labelled] =
      words.isEmpty
      ? [Labelled(start: start, end: end, speaker: speaker?.speaker, confidence: speaker?.confidence)]
      : words.enumerated().compactMap { index, word in
        word.isEcho || word.speaker == nil && shown[index] != nil
          ? nil
          : Labelled(
            index: index, start: word.start, end: word.end, speaker: word.speaker,
            confidence: word.speakerConfidence)
      }
    func isUnsure(_ word: Labelled) -> Bool {
      word.speaker == nil ? severalSpeak : word.confidence ?? 1 < SpeakerLabel.sureConfidence
    }
    let groups = said.reduce(into: [[Labelled]]()) { groups, word in
      guard let last = groups.last?.last, last.speaker == word.speaker, isUnsure(last) == isUnsure(word),
        word.start - (word.index.map { words[$0 - 1].end } ?? last.end) <= SpeakerRun.maxPause,
        !cut.contains(where: { (last.index ?? 0) < $0 && $0 <= (word.index ?? 0) })
      else { return groups.append([word]) }
      groups[groups.count - 1].append(word)
    }
    return groups.compactMap { group in
      guard let first = group.first, let last = group.last else { return nil }
      let known = group.compactMap(\.confidence)
      return SpeakerRun(
        segment: id, number: number, words: (first.index ?? 0)..<(last.index.map { $0 + 1 } ?? 0),
        start: first.start,
        end: last.end, speaker: first.speaker,
        confidence: known.isEmpty ? nil : known.reduce(0, +) / Double(known.count), isUnsure: isUnsure(first))
    }
  }
}
