/// Splits a transcript into captions.
struct CaptionWriter {
  var layout = CaptionLayout()
  /// Whether each word is a caption, if its time is known.
  var isByWord = false
  /// Whether the first line has the name of the speaker, which leaves less room for the text.
  var namesSpeakers = false

  /// The captions in order. Each is at least a millisecond long and ends no later than the next one starts.
  func captions(of transcript: Transcript) -> [Caption] {
    guard transcript.speakers.isEmpty else { return spoken(transcript.dividedBySpeaker) }
    var captions = captions(of: transcript.segments, layout, next: .max)
    Self.separate(&captions)
    return captions
  }

  /// Captions that have one speaker each. Those of several speakers overlap only where they speak at once.
  private func spoken(_ transcript: Transcript) -> [Caption] {
    var groups: [(speaker: String?, segments: [Segment])] = []
    for segment in transcript.segments where !LineText.of(segment.text).isEmpty {
      let name = transcript.speakerName(of: segment)
      if let last = groups.last, last.speaker == name {
        groups[groups.count - 1].segments.append(segment)
      } else {
        groups.append((name, [segment]))
      }
    }
    let starts = groups.map { Milliseconds(seconds: $0.segments[0].start).count }
    var all: [Caption] = []
    for speaker in Set(groups.map(\.speaker)) {
      var own: [Caption] = []
      for (index, group) in groups.enumerated() where group.speaker == speaker {
        let next = index + 1 < starts.count ? starts[index + 1] : .max
        own += captions(of: group.segments, layout(for: speaker), next: next).map { caption in
          var caption = caption
          caption.speaker = speaker
          return caption
        }
      }
      Self.separate(&own)
      all += own
    }
    return all.sorted { ($0.start, $0.end, $0.speaker ?? "") < ($1.start, $1.end, $1.speaker ?? "") }
  }

  /// The layout of the text beside a name. Not even a long name leaves less than half of a line.
  private func layout(for speaker: String?) -> CaptionLayout {
    guard namesSpeakers, let speaker, let width = layout.maxLineWidth else { return layout }
    return CaptionLayout(
      maxLineWidth: max(width / 2, width - speaker.count - 2), maxLineCount: layout.maxLineCount)
  }

  private func captions(of segments: [Segment], _ layout: CaptionLayout, next: Int) -> [Caption] {
    if !isByWord, let width = layout.maxLineWidth, let count = layout.maxLineCount {
      return CaptionBreaker(maxLineWidth: max(1, width), maxLineCount: max(1, count))
        .captions(of: segments, next: next)
    }
    return segments.flatMap { captions(of: $0, layout) }
  }

  private func captions(of segment: Segment, _ layout: CaptionLayout) -> [Caption] {
    let text = TimedText(segment)
    guard !text.tokens.isEmpty else { return [] }
    if isByWord, text.isTimed {
      return text.tokens.map { Caption(lines: [[$0]], start: $0.start, end: $0.end) }
    }
    return [
      Caption(
        lines: lines(of: text.tokens, layout), start: Milliseconds(seconds: segment.start),
        end: Milliseconds(seconds: segment.end))
    ]
  }

  /// Fills each line with as many tokens as fit.
  private func lines(of tokens: [TimedText.Token], _ layout: CaptionLayout) -> [[TimedText.Token]] {
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
  /// The name of who says it; nil in a transcript without speakers.
  var speaker: String?

  /// The texts of the lines, without escapes of any format.
  var texts: [String] { lines.map { TimedText.text($0) } }
}
