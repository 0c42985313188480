/// Parts a transcript into captions.
struct CaptionWriter {
  var layout = CaptionLayout()
  /// A caption a word, where the words' times are known.
  var isByWord = false

  /// The captions in order: each is at least a millisecond long and ends before or when the next begins.
  func captions(of transcript: Transcript) -> [Caption] {
    var captions = transcript.segments.flatMap(captions(of:))
    Self.part(&captions)
    return captions
  }

  private func captions(of segment: Segment) -> [Caption] {
    let text = TimedText(segment)
    guard !text.pieces.isEmpty else { return [] }
    if isByWord, text.isTimed {
      return text.pieces.map { Caption(lines: [[$0]], start: $0.start, end: $0.end) }
    }
    let lines = lines(of: text.pieces)
    let count = layout.maxLineWidth == nil ? lines.count : max(1, layout.maxLineCount ?? lines.count)
    var captions = stride(from: 0, to: lines.count, by: count).compactMap { first -> Caption? in
      let own = Array(lines[first..<min(first + count, lines.count)])
      guard let start = own.first?.first?.start, let end = own.last?.last?.end else { return nil }
      return Caption(lines: own, start: start, end: end)
    }
    // The first and the last keep the segment's own edges, which include what the words' times leave out.
    captions[0].start = Milliseconds(seconds: segment.start)
    captions[captions.count - 1].end = Milliseconds(seconds: segment.end)
    return captions
  }

  /// Fills each line with as many pieces as fit.
  private func lines(of pieces: [TimedText.Piece]) -> [[TimedText.Piece]] {
    guard let width = layout.maxLineWidth.map({ max(1, $0) }) else { return [pieces] }
    var lines: [[TimedText.Piece]] = []
    var length = 0
    for piece in pieces {
      let added = piece.text.count + (piece.isSpaced ? 1 : 0)
      if !lines.isEmpty, length + added <= width {
        lines[lines.count - 1].append(piece)
        length += added
      } else {
        lines.append([piece])
        length = piece.text.count
      }
    }
    return lines
  }

  /// Players show overlapping captions on top of each other and drop those that last no time, so that starts become
  /// ascending and a caption ends with the next one's start at the latest.
  static func part(_ captions: inout [Caption]) {
    for index in captions.indices.dropFirst() {
      captions[index].start = max(captions[index].start, Milliseconds(captions[index - 1].start.count + 1))
    }
    for index in captions.indices {
      let limit = index + 1 < captions.count ? captions[index + 1].start : Milliseconds(Int.max)
      captions[index].end = max(
        min(captions[index].end, limit), Milliseconds(captions[index].start.count + 1))
    }
  }
}
