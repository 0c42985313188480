import Foundation

extension Transcript {
  /// The transcript with a segment such as `[no words recognized 0:05–0:07]` for each part without recognized words, in
  /// the order of the recording.
  var withWordlessMarks: Transcript {
    let marks = spans.filter { $0.kind == .wordless }.map { span -> Segment in
      var mark = Segment(
        id: segments.count, start: span.start, end: span.end,
        candidates: [Candidate(text: span.wordlessMark, words: [])])
      mark.speaker = .noSpeaker
      return mark
    }
    var marked = self
    marked.segments = (segments + marks).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    return marked
  }

  /// The paragraphs, and the marks of parts without recognized words, in order.
  var timedParagraphs: [Paragraph] {
    let marks = spans.filter { $0.kind == .wordless }.map {
      Paragraph(start: $0.start, end: $0.end, text: $0.wordlessMark, isRemark: true)
    }
    return (Paragraph.all(of: self) + marks).sorted { $0.start < $1.start }
  }

  /// The paragraphs, each on a line, and the marks of parts without recognized words if `marksWordless`, with blank lines
  /// between them.
  func paragraphs(marksWordless: Bool, line: (Paragraph) -> String) -> String {
    let marks = marksWordless ? spans.filter { $0.kind == .wordless } : []
    let lines =
      Paragraph.all(of: self).map { ($0.start, line($0)) } + marks.map { ($0.start, $0.wordlessMark) }
    return lines.sorted { $0.0 < $1.0 }.map { $0.1 + "\n" }.joined(separator: "\n")
  }
}

extension CoverageSpan {
  /// What documents say in place of the words that were not recognized.
  var wordlessMark: String {
    "[no words recognized \(Milliseconds(seconds: start).minutes)–\(Milliseconds(seconds: end).minutes)]"
  }
}

extension Milliseconds {
  /// `m:ss`, from an hour on `h:mm:ss`, rounded to whole seconds.
  fileprivate var minutes: String {
    let seconds = (count + 500) / 1000
    let rest = Decimals.padded(seconds % 60, to: 2)
    guard seconds >= 3600 else { return "\(seconds / 60):\(rest)" }
    return "\(seconds / 3600):\(Decimals.padded(seconds / 60 % 60, to: 2)):\(rest)"
  }
}
