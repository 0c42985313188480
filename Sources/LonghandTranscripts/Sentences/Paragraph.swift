import Foundation
import SentenceFormatting

/// Text to be read in one go: segments up to a long pause, or to another speaker.
package struct Paragraph: Hashable {
  var start: TimeInterval
  var end: TimeInterval
  var text: String
  /// The name of who speaks; nil in a transcript without speakers.
  var speaker: String?
  /// Whether it is a document's own remark, and nothing that was said.
  var isRemark = false

  /// Paragraphs have so many words: fewer only before a very long pause, more only if no segment ends with a sentence.
  private static let words = 40...150
  /// A paragraph with so many words ends within a sentence.
  private static let maxWords = 250
  /// The pause that ends a paragraph with enough words, in seconds.
  private static let pause: TimeInterval = 1.2
  /// The pause that ends any paragraph, in seconds.
  private static let longPause: TimeInterval = 4

  /// The paragraphs of a transcript, in order.
  static func all(of transcript: Transcript) -> [Paragraph] {
    var apart = transcript.spans.filter(\.isShownBetweenParagraphs)[...]
    let starts = starts(of: transcript.segments, in: transcript.locale)
    var paragraphs: [Paragraph] = []
    for (index, segment) in transcript.segments.enumerated() {
      let text = LineText.of(segment.text)
      guard !text.isEmpty else { continue }
      let speaker = transcript.speakerName(of: segment)
      guard let last = paragraphs.last, last.speaker == speaker, !starts.contains(index),
        !apart.isBetween(last.end, segment.start)
      else {
        paragraphs.append(Paragraph(start: segment.start, end: segment.end, text: text, speaker: speaker))
        continue
      }
      paragraphs[paragraphs.count - 1].text = [last.text, text].joinedWords()
      paragraphs[paragraphs.count - 1].end = segment.end
    }
    return paragraphs
  }

  // MARK: Where paragraphs begin

  /// Whether a paragraph begins with a segment depends on none before the group before its own, of so many segments.
  package static let group = 64

  /// The indices of the segments that a paragraph begins with: after a pause and enough words, where another speaker begins,
  /// and where a person decided that. No paragraph ends within a sentence. What follows a segment does not count, so
  /// that a live transcript has the paragraphs of the stored one.
  ///
  /// The page, the editor and all documents have these paragraphs.
  /// - Parameters:
  ///   - segments: in order, with their speakers, as they are stored. Capitals, marks and numbers that are written for readers
  ///     would change the paragraphs.
  ///   - locale: the language of segments that have none of their own.
  ///   - first: the number of the first of the segments.
  package static func starts(of segments: [Segment], in locale: String, from first: Int = 0) -> Set<Int> {
    let groups = first / group..<(first + segments.count + group - 1) / group
    return groups.reduce(into: []) { starts, number in
      let own = segments.indices.clamped(to: number * group - first..<(number + 1) * group - first)
      let near = segments.indices.clamped(to: (number - 1) * group - first..<own.upperBound)
      starts.formUnion(Self.starts(within: segments[near], locale).filter(own.contains))
    }
  }

  private static func starts(within segments: ArraySlice<Segment>, _ locale: String) -> [Int] {
    var (starts, open): ([Int], Open) = ([], Open())
    // Where a recognizer writes no marks, they are those that readers see.
    var writer = SentenceWriter(locale: locale)
    var written = segments.startIndex
    for (index, segment) in zip(segments.indices, segments) {
      var certain = writer.append(segment)[...]
      func take(upTo end: Int) {
        while written < end, let next = certain.popFirst() {
          open.passed(LineText.of(next.text))
          written += 1
        }
      }
      take(upTo: index)
      let text = LineText.of(segment.text)
      if !text.isEmpty {
        let count = text.writtenWords.count
        let begins = segment.paragraph.map { $0 == .begins } ?? open.ends(before: segment, count)
        if begins || starts.isEmpty {
          starts.append(index)
          (open.count, open.speaker) = (0, segment.speaker?.speaker)
        }
        open.end = segment.end
        open.count += count
      }
      take(upTo: index + 1)
    }
    return starts
  }

  /// A paragraph that may go on.
  private struct Open {
    var end: TimeInterval = 0
    var count = 0
    var speaker: String?
    /// Whether sentences have ends, as not in writing without capitals.
    private var hasEnds = false
    private var isInSentence = false

    /// - Parameter text: that of a segment with its marks.
    mutating func passed(_ text: String) {
      guard !text.isEmpty else { return }
      hasEnds = hasEnds || text.endsSentence
      isInSentence = hasEnds && !text.endsSentence
    }

    func ends(before segment: Segment, _ next: Int) -> Bool {
      let pause = segment.start - end
      if segment.speaker?.speaker != speaker || pause >= longPause { return true }
      if isInSentence { return count + next > maxWords }
      return count >= words.lowerBound && (pause >= Paragraph.pause || count + next > words.upperBound)
    }
  }
}

extension Transcript {
  /// The transcript with each segment saying whether a paragraph begins with it. Then its words can be written otherwise, and
  /// segments be divided, without other paragraphs. What a person joined to a paragraph is said by who said the text before it,
  /// as the page shows it.
  var inParagraphs: Transcript {
    let starts = Paragraph.starts(of: segments, in: locale)
    var result = self
    var last: SpeakerLabel?
    for index in segments.indices where !LineText.of(segments[index].text).isEmpty {
      let isJoined = segments[index].paragraph == .continues && !starts.contains(index)
      if isJoined { result.segments[index].setSpeaker(last) }
      result.segments[index].paragraph = starts.contains(index) ? .begins : .continues
      last = result.segments[index].lastSpeaker
    }
    return result
  }
}

extension Segment {
  /// Who said the last words.
  fileprivate var lastSpeaker: SpeakerLabel? {
    guard let id = speakerRuns.last?.speaker, id != speaker?.speaker else { return speaker }
    return SpeakerLabel(speaker: id, basis: speaker?.basis ?? .voice)
  }

  fileprivate mutating func setSpeaker(_ label: SpeakerLabel?) {
    speaker = label
    for index in words.indices { candidates[selection.index].words[index].speaker = label?.speaker }
  }
}

extension CoverageSpan {
  /// Whether readers see it between paragraphs; the page has the same rule (`notableSpans`).
  fileprivate var isShownBetweenParagraphs: Bool {
    switch kind {
    case .gap, .failed, .pending, .wordless: true
    case .transcribed, .silent, .nonspeech: false
    }
  }
}

extension ArraySlice<CoverageSpan> {
  /// Whether one of the spans is between two times; those before them are removed.
  fileprivate mutating func isBetween(_ from: TimeInterval, _ to: TimeInterval) -> Bool {
    self = drop { $0.end <= from + 0.05 }
    return first.map { $0.start < to - 0.05 } ?? false
  }
}
