import Foundation

/// How much each speaker of a transcript says.
///
/// ```swift
/// for row in SpeakerShares(of: try store.transcript(of: session)).speakers {
///   print(row.name, row.timeShare, row.wordShare)
/// }
/// ```
package struct SpeakerShares: Sendable, Hashable, Encodable {
  /// What one speaker says.
  package struct Row: Sendable, Hashable, Encodable {
    /// The `Speaker.id`.
    package var id: String
    /// The name for a reader.
    package var name: String
    /// How the speaker is known.
    package var basis: Speaker.Basis
    /// See `Speaker.nameBasis`.
    package var nameBasis: Speaker.Basis?
    /// Seconds of speech.
    package var seconds: TimeInterval
    /// The number of words.
    package var words: Int
    /// The share of the seconds with a known speaker, 0 to 1.
    package var timeShare: Double
    /// The share of the words with a known speaker, 0 to 1.
    package var wordShare: Double
    /// The share of the words that is probably this speaker's, 0 to 1; nil where it is not known.
    package var confidence: Double?
  }

  /// In the order of the transcript's speakers.
  package var speakers: [Row]
  /// Words whose speaker is unknown; 0 if all speakers are unknown.
  package var unknownWords: Int

  /// Counts what the speakers of a transcript say.
  package init(of transcript: Transcript) {
    guard !transcript.speakers.isEmpty else {
      speakers = []
      unknownWords = 0
      return
    }
    let said = transcript.segments.compactMap(\.withoutEcho).flatMap { segment in
      // A segment without words counts by its text.
      segment.words.isEmpty
        ? segment.text.split(whereSeparator: \.isWhitespace).map { _ in segment.speaker?.speaker }
        : segment.words.map(\.speaker)
    }
    let sure = Dictionary(
      grouping: transcript.segments.flatMap(\.words).filter { $0.speakerConfidence != nil }, by: \.speaker
    ).mapValues { words in words.reduce(0) { $0 + ($1.speakerConfidence ?? 0) } / Double(words.count) }
    let counts = Dictionary(grouping: said.compactMap(\.self), by: \.self).mapValues(\.count)
    let seconds = transcript.speakers.reduce(0) { $0 + $1.seconds }
    let words = counts.values.reduce(0, +)
    unknownWords = said.count - words
    speakers = transcript.speakers.map { speaker in
      let count = counts[speaker.id] ?? 0
      return Row(
        id: speaker.id, name: speaker.name, basis: speaker.basis, nameBasis: speaker.nameBasis,
        seconds: speaker.seconds, words: count,
        timeShare: seconds > 0 ? speaker.seconds / seconds : 0,
        wordShare: words > 0 ? Double(count) / Double(words) : 0, confidence: sure[speaker.id])
    }
  }
}
