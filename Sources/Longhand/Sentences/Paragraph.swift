import Foundation
import SentenceFormatting

/// Text to be read in one go: sentences up to a long pause.
struct Paragraph: Hashable {
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
        let pause = unit.start - last.end
        let isLong = count >= words.lowerBound
        let ends =
          unit.speaker != last.speaker || pause >= longPause
          || isLong && (pause >= Self.pause || count + unit.count > words.upperBound)
          || others.contains { last.end <= $0 && $0 <= unit.start }
        if !ends {
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

  /// Text that is not divided.
  private struct Unit {
    var start: TimeInterval
    var end: TimeInterval
    var text: String
    var count: Int
    var isOpen: Bool
    var speaker: String?
  }

  private static func units(of transcript: Transcript) -> [Unit] {
    var units: [Unit] = []
    for segment in transcript.segments {
      let speaker = transcript.speakerName(of: segment)
      let tokens = TimedText(segment).tokens
      for (index, token) in tokens.enumerated() {
        let isFirst = index == 0
        let isLast = index == tokens.count - 1
        let start = isFirst ? segment.start : token.start.seconds
        if units.last.map({ !$0.isOpen || $0.speaker != speaker || start - $0.end >= longPause }) ?? true {
          units.append(Unit(start: start, end: start, text: "", count: 0, isOpen: true, speaker: speaker))
        }
        var unit = units.removeLast()
        unit.text = token.isSpaced ? [unit.text, token.text].joinedWords() : unit.text + token.text
        unit.end = isLast ? segment.end : token.end.seconds
        unit.count += 1
        let isFull = unit.count >= (isLast ? longestSentence : words.upperBound)
        unit.isOpen = !token.endsSentence && !isFull
        units.append(unit)
      }
    }
    return units
  }
}
