import Foundation
import SentenceFormatting

/// Text to be read in one go: sentences up to a long pause.
package struct Paragraph: Hashable {
  var start: TimeInterval
  var end: TimeInterval
  var text: String
  /// The name of who speaks; nil in a transcript without speakers.
  var speaker: String?

  /// Paragraphs have so many words: fewer only before a very long pause, more only if there is nowhere to break.
  private static let words = 40...150
  /// After so many words without an end, the end of a segment counts as the end of a sentence.
  private static let longestSentence = 100
  /// The pause that ends a paragraph with enough words, in seconds.
  private static let pause: TimeInterval = 1.2
  /// The pause that ends any paragraph, in seconds.
  private static let longPause: TimeInterval = 4

  /// The paragraphs of a transcript, in order. They break at ends of sentences, or of segments where there are none for as
  /// many words as a paragraph should have, and where another speaker begins.
  static func all(of transcript: Transcript) -> [Paragraph] {
    let others = transcript.spans.filter { $0.kind == .wordless }.map(\.start)
    var paragraphs: [(paragraph: Paragraph, count: Int)] = []
    for unit in units(of: transcript) {
      if let (last, count) = paragraphs.last {
        let ends =
          unit.speaker != last.speaker || ends(after: count, pause: unit.start - last.end, before: unit.count)
          || others.contains { last.end <= $0 && $0 <= unit.start }
        if unit.edge.map({ $0 == .continues }) ?? !ends {
          let text = [last.text, unit.text].joinedWords()
          paragraphs[paragraphs.count - 1] = (
            Paragraph(start: last.start, end: unit.end, text: text, speaker: last.speaker), count + unit.count
          )
          continue
        }
      }
      let paragraph = Paragraph(start: unit.start, end: unit.end, text: unit.text, speaker: unit.speaker)
      paragraphs.append((paragraph, unit.count))
    }
    return paragraphs.map(\.paragraph)
  }

  /// Whether a paragraph of so many words ends before so many others of the same speaker.
  private static func ends(after count: Int, pause: TimeInterval, before next: Int) -> Bool {
    let isLong = count >= words.lowerBound
    return pause >= longPause || isLong && (pause >= Self.pause || count + next > words.upperBound)
  }

  /// The indices of the segments that a paragraph begins with, if it can begin with segments only.
  /// - Parameter segments: in order, with their speakers; a paragraph begins with the first.
  package static func starts(of segments: some Sequence<Segment>) -> Set<Int> {
    var starts: Set<Int> = []
    var last: (end: TimeInterval, speaker: String?, count: Int)?
    for (index, segment) in segments.enumerated() where !LineText.of(segment.text).isEmpty {
      let count = segment.text.split(whereSeparator: \.isWhitespace).count
      let speaker = segment.speaker?.speaker
      if let before = last, segment.paragraph != .begins,
        segment.paragraph == .continues
          || before.speaker == speaker
            && !ends(after: before.count, pause: segment.start - before.end, before: count)
      {
        last = (segment.end, before.speaker, before.count + count)
      } else {
        starts.insert(index)
        last = (segment.end, speaker, count)
      }
    }
    return starts
  }

  /// Text that is not divided.
  private struct Unit {
    var start: TimeInterval
    var end: TimeInterval
    var text: String
    var count: Int
    var isOpen: Bool
    var speaker: String?
    /// What a person decided about its beginning.
    var edge: Segment.ParagraphEdge?
  }

  private static func units(of transcript: Transcript) -> [Unit] {
    var units: [Unit] = []
    for segment in transcript.segments {
      var speaker = transcript.speakerName(of: segment)
      if segment.paragraph == .continues, let last = units.last { speaker = last.speaker }
      let tokens = TimedText(segment).tokens
      for (index, token) in tokens.enumerated() {
        let isFirst = index == 0
        let isLast = index == tokens.count - 1
        let start = isFirst ? segment.start : token.start.seconds
        let edge = isFirst ? segment.paragraph : nil
        let ends =
          units.last.map { !$0.isOpen || $0.speaker != speaker || start - $0.end >= longPause } ?? true
        if ends || edge == .begins {
          units.append(
            Unit(start: start, end: start, text: "", count: 0, isOpen: true, speaker: speaker, edge: edge))
        }
        var unit = units.removeLast()
        unit.text = token.isSpaced ? [unit.text, token.text].joinedWords() : unit.text + token.text
        unit.end = isLast ? segment.end : token.end.seconds
        unit.count += 1
        let isFull = unit.count >= (isLast ? longestSentence : words.upperBound)
        unit.isOpen = !token.text.endsSentence && !isFull
        units.append(unit)
      }
    }
    return units
  }
}
