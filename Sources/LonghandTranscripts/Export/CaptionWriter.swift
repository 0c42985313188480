import SentenceFormatting

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
    var captions = captions(of: transcript.segments, layout, in: transcript.locale, next: .max)
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
        var layout = layout(for: speaker)
        if self.layout.overlap == .dashes, overlaps(index, groups.map(\.segments)) {
          layout = self.layout(beside: layout)
        }
        own += captions(of: group.segments, layout, in: transcript.locale, next: next).map { caption in
          var caption = caption
          caption.speaker = speaker
          return caption
        }
      }
      Self.separate(&own)
      all += own
    }
    all.sort { ($0.start, $0.end, $0.speaker ?? "") < ($1.start, $1.end, $1.speaker ?? "") }
    if layout.overlap == .dashes { all = joined(all) }
    if layout.overlap != .together { Self.takeTurns(&all) }
    return all
  }

  /// Whether a group of segments begins before the one before has ended, or ends after the next one has begun.
  private func overlaps(_ index: Int, _ groups: [[Segment]]) -> Bool {
    func end(_ group: [Segment]) -> Double { group.map(\.end).max() ?? 0 }
    return index > 0 && end(groups[index - 1]) > groups[index][0].start
      || index + 1 < groups.count && end(groups[index]) > groups[index + 1][0].start
  }

  /// Joins captions of two speakers that overlap and have room in one.
  private func joined(_ captions: [Caption]) -> [Caption] {
    captions.reduce(into: []) { joined, caption in
      guard var last = joined.last, last.other == nil, last.speaker != caption.speaker,
        caption.start < last.end, last.lines.count == 1, caption.lines.count == 1,
        layout.maxLineCount ?? 2 >= 2
      else { return joined.append(caption) }
      last.lines += caption.lines
      last.other = caption.speaker
      last.end = max(last.end, caption.end)
      joined[joined.count - 1] = last
    }
  }

  /// Shows captions one after another. One that begins during the one before waits until that one can be read, or has been
  /// said.
  private static func takeTurns(_ captions: inout [Caption]) {
    for index in captions.indices.dropFirst() where captions[index].start < captions[index - 1].end {
      let (before, own) = (captions[index - 1], captions[index])
      let read = before.start.count + before.readingTime
      let start = max(own.start.count, min(before.end.count, read), before.start.count + 1)
      captions[index - 1].end = Milliseconds(start)
      captions[index].start = Milliseconds(start)
      captions[index].end = Milliseconds(max(own.end.count, start + own.readingTime))
    }
  }

  /// The layout of the text beside a name. Not even a long name leaves less than half of a line.
  private func layout(for speaker: String?) -> CaptionLayout {
    guard namesSpeakers, let speaker, let width = layout.maxLineWidth else { return layout }
    return CaptionLayout(
      maxLineWidth: max(width / 2, width - speaker.columns - 2), maxLineCount: layout.maxLineCount)
  }

  /// The layout where another speaker is shown in the same caption: a line, with room for the dash.
  private func layout(beside layout: CaptionLayout) -> CaptionLayout {
    CaptionLayout(maxLineWidth: layout.maxLineWidth.map { max(1, $0 - 2) }, maxLineCount: 1)
  }

  private func captions(
    of segments: [Segment], _ layout: CaptionLayout, in locale: String, next: Int
  ) -> [Caption] {
    if !isByWord, let width = layout.maxLineWidth, let count = layout.maxLineCount {
      var captions = CaptionBreaker(
        maxLineWidth: max(1, width), maxLineCount: max(1, count), locale: locale
      ).captions(of: segments, next: next)
      Self.slowDown(&captions)
      return captions
    }
    return segments.flatMap { captions(of: $0, layout) }
  }

  /// The most milliseconds by which a caption begins after its words.
  private static let maxDelay = 1000

  /// Gives captions of fast speech the time in which they can be read: the next ones begin a little later, until a pause makes up
  /// for it.
  private static func slowDown(_ captions: inout [Caption]) {
    for index in captions.indices.dropLast() {
      let latest = captions[index + 1].start.count + maxDelay
      let end = min(captions[index].start.count + captions[index].readingTime, latest)
      guard end > captions[index].end.count else { continue }
      captions[index].end = Milliseconds(end)
      captions[index + 1].start = max(captions[index + 1].start, Milliseconds(end))
      captions[index + 1].end = max(captions[index + 1].end, Milliseconds(end + 1))
    }
  }

  private func captions(of segment: Segment, _ layout: CaptionLayout) -> [Caption] {
    let text = TimedText(segment)
    let tokens = text.unbreakable
    guard !tokens.isEmpty else { return [] }
    if isByWord, text.isTimed {
      return tokens.map { Caption(lines: [[$0]], start: $0.start, end: $0.end) }
    }
    return [
      Caption(
        lines: lines(of: tokens, layout), start: Milliseconds(seconds: segment.start),
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
  var speed = ReadingSpeed()
  /// The name of who says it; nil in a transcript without speakers.
  var speaker: String?
  /// The name of who says the last line at the same time; nil if all is said by one.
  var other: String?

  /// The texts of the lines, without escapes of any format.
  var texts: [String] { lines.map { (other == nil ? "" : "- ") + TimedText.text($0) } }

  /// Milliseconds in which it can be read.
  var readingTime: Int {
    speed.time(of: texts.reduce(-1) { $0 + $1.columns + 1 })
  }
}
