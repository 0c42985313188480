import Foundation
import SentenceFormatting

/// Divides words into captions that can be read while they are spoken.
///
/// Of all divisions it takes the one with the least cost. What costs: captions of less than a second or of a single word,
/// faster ones than can be read, a sentence that begins in a caption and ends in another, an end in the middle of a phrase, and
/// a pause within a caption. The numbers are those that broadcasters use (a line of 42 columns, two lines, 1 to 7 s, see also
/// ``ReadingSpeed``); the weights are chosen so that a fault that a viewer notices costs more than an additional caption.
struct CaptionBreaker {
  let maxLineWidth: Int
  let maxLineCount: Int
  /// The language of segments that have none of their own.
  var locale = "en"

  /// The shortest and the longest time of a caption, in milliseconds.
  static let shortest = 1000
  static let longest = 7000
  /// A caption stays until the next one if that is so near, in milliseconds.
  static let shortestGap = 250
  /// A longer pause is between two captions, in milliseconds.
  private static let longestPause = 2000

  private struct Item {
    var token: TimedText.Token
    /// Columns.
    var length: Int
    var speed: ReadingSpeed
    /// With the part of the segment before its first word and after its last one.
    var start: Int
    var end: Int
    var isTimed: Bool
    var beginsParagraph = false
    var endsSegment: Bool
  }

  /// The captions of the segments, in order.
  /// - Parameter next: where the caption after them begins, in milliseconds; the largest number if there is none.
  func captions(of segments: [Segment], next: Int = .max) -> [Caption] {
    let items = segments.flatMap(items(of:))
    let ends = ends(of: items)
    var first = 0
    return ends.map { end in
      defer { first = end }
      return caption(
        items[first..<end], next: end < items.count ? items[end].start : max(next, items[end - 1].end))
    }
  }

  private func items(of segment: Segment) -> [Item] {
    let text = TimedText(segment)
    let speed = ReadingSpeed(of: segment.language ?? locale)
    var items = text.unbreakable.map {
      Item(
        token: $0, length: $0.text.columns, speed: speed, start: $0.start.count, end: $0.end.count,
        isTimed: text.isTimed, endsSegment: false)
    }
    guard !items.isEmpty else { return [] }
    items[0].start = min(items[0].start, Milliseconds(seconds: segment.start).count)
    items[items.count - 1].end = max(items[items.count - 1].end, Milliseconds(seconds: segment.end).count)
    items[items.count - 1].endsSegment = true
    items[0].beginsParagraph = segment.paragraph == .begins
    return items
  }

  /// Where captions end, by the least cost of all before.
  private func ends(of items: [Item]) -> [Int] {
    var costs = [0.0] + Array(repeating: Double.infinity, count: items.count)
    var starts = Array(repeating: 0, count: items.count + 1)
    let lines = CaptionLines(maxWidth: maxLineWidth)
    for first in items.indices {
      var fill = CaptionLines.Fill()
      for last in first..<items.count {
        if last > first, !belongTogether(items[last - 1], items[last]) { break }
        let count = fill.add(items[last].length, isSpaced: items[last].token.isSpaced, to: lines)
        let isTooLong = items[last].end - items[first].start > Self.longest
        if last > first, count > maxLineCount || isTooLong { break }
        let cost = costs[first] + cost(of: items, first, last)
        if cost < costs[last + 1] {
          costs[last + 1] = cost
          starts[last + 1] = first
        }
      }
    }
    var ends: [Int] = []
    var end = items.count
    while end > 0 {
      ends.append(end)
      end = starts[end]
    }
    return ends.reversed()
  }

  /// Words whose times are estimated are not shown together with words of another segment, nor any with those of another
  /// paragraph.
  private func belongTogether(_ left: Item, _ right: Item) -> Bool {
    !right.beginsParagraph && right.start - left.end <= Self.longestPause
      && (!left.endsSegment || left.isTimed && right.isTimed)
  }

  private func cost(of items: [Item], _ first: Int, _ last: Int) -> Double {
    let start = items[first].start
    let next = last + 1 < items.count ? items[last + 1].start : .max
    let shown = max(1, min(next, start + Self.longest) - start)
    let columns = Self.columns(items[first...last])
    var cost = 1.0
    if shown < Self.shortest { cost += 4 + 6 * Double(Self.shortest - shown) / 1000 }
    let excess = Double(columns) * 1000 / Double(shown) - Double(items[first].speed.columns)
    if excess > 0 { cost += 4 + excess / 2 }
    if first == last { cost += 5 }
    var hasEnd = false
    for index in first..<last {
      let pause = items[index + 1].start - items[index].end
      if pause > 700 { cost += Double(pause) / 1000 }
      if items[index].token.text.endsSentence {
        cost += 0.3
        hasEnd = true
      }
    }
    // A sentence of several captions begins with one.
    if hasEnd, !items[last].token.text.endsSentence { cost += 4 }
    return cost + items[last].token.breakCost(pause: next == .max ? .max : next - items[last].end)
  }

  private static func columns(_ items: ArraySlice<Item>) -> Int {
    items.reduce(-1) { $0 + $1.length + ($1.token.isSpaced ? 1 : 0) }
  }

  private func caption(_ items: ArraySlice<Item>, next: Int) -> Caption {
    let tokens = items.map(\.token)
    let start = items.first?.start ?? 0
    let speed = items.first?.speed ?? ReadingSpeed()
    let wanted = max(Self.shortest, speed.time(of: Self.columns(items)))
    // A single word may last longer.
    let said = min(items.last?.end ?? 0, start + Self.longest)
    var end = max(said, min(start + min(wanted, Self.longest), next))
    if next != .max, next - end < Self.shortestGap, next - start <= Self.longest { end = next }
    return Caption(
      lines: CaptionLines(maxWidth: maxLineWidth).broken(tokens[...]),
      start: Milliseconds(start), end: Milliseconds(end), speed: speed)
  }
}

extension TimedText.Token {
  /// The cost of a break after this token.
  /// - Parameter pause: the pause after it in milliseconds.
  func breakCost(pause: Int) -> Double {
    if text.endsSentence { return 0 }
    if text.endsClause { return 0.6 }
    return (pause >= 300 ? 0.6 : 1.6) + (CommonWords.function.contains(text.lowercased()) ? 0.6 : 0)
  }
}

/// How fast captions in the language that is spoken can be read: what Netflix's style guides allow captions for the deaf of programs
/// for adults, as Subtitle Edit has it (`NetflixQualityController.cs` in its repository, at 1318ec78). For other languages of India
/// it has no figures; theirs are a guess, between Hindi's and the usual one.
struct ReadingSpeed: Hashable {
  private static let columns = [
    "ar": 23, "hi": 25, "ja": 14, "ko": 28, "yue": 22, "zh": 22,
    "bn": 22, "gu": 22, "kn": 22, "ml": 22, "mr": 22, "ne": 22, "pa": 22, "si": 22, "ta": 22, "te": 22,
  ]

  /// Columns a second; a character of Chinese, Japanese or Korean has two.
  var columns = 20

  init() {}

  /// - Parameter language: such as `en-US`.
  init(of language: String) {
    let code = Locale(identifier: language).language.languageCode?.identifier
    columns = code.flatMap { Self.columns[$0] } ?? columns
  }

  /// Milliseconds in which a text of so many columns can be read.
  func time(of count: Int) -> Int { (max(0, count) * 1000 + columns - 1) / columns }
}
