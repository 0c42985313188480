/// Splits a transcript into captions.
struct CaptionWriter {
  var layout = CaptionLayout()
  /// Whether each word is a caption, if its time is known.
  var isByWord = false

  /// The captions in order. Each is at least a millisecond long and ends no later than the next one starts.
  func captions(of transcript: Transcript) -> [Caption] {
    var captions: [Caption]
    if !isByWord, let width = layout.maxLineWidth, let count = layout.maxLineCount {
      captions = CaptionBreaker(maxLineWidth: max(1, width), maxLineCount: max(1, count))
        .captions(of: transcript.segments)
    } else {
      captions = transcript.segments.flatMap(captions(of:))
    }
    Self.separate(&captions)
    return captions
  }

  private func captions(of segment: Segment) -> [Caption] {
    let text = TimedText(segment)
    guard !text.tokens.isEmpty else { return [] }
    if isByWord, text.isTimed {
      return text.tokens.map { Caption(lines: [[$0]], start: $0.start, end: $0.end) }
    }
    return [
      Caption(
        lines: lines(of: text.tokens), start: Milliseconds(seconds: segment.start),
        end: Milliseconds(seconds: segment.end))
    ]
  }

  /// Fills each line with as many tokens as fit.
  private func lines(of tokens: [TimedText.Token]) -> [[TimedText.Token]] {
    guard let width = layout.maxLineWidth else { return [tokens] }
    return CaptionLines(maxWidth: max(1, width)).filled(tokens[...])
  }

  /// Makes starts ascending and ends captions no later than the next one starts: players show overlapping captions on top
  /// of each other and drop captions without duration.
  static func separate(_ captions: inout [Caption]) {
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

/// Text that is on the screen for a time.
struct Caption: Hashable {
  /// The tokens of each line.
  var lines: [[TimedText.Token]]
  var start: Milliseconds
  var end: Milliseconds

  /// The texts of the lines, without escapes of any format.
  var texts: [String] { lines.map { TimedText.text($0) } }
}
