/// Divides words into captions that can be read while they are spoken.
///
/// Of all divisions it takes the one with the least cost. What costs: captions of less than a second or of a single word,
/// more than 20 characters a second, an end in the middle of a phrase, and a pause within a caption. The numbers are those
/// that broadcasters use (a line of 42 characters, two lines, 1 to 7 s, 15 to 20 characters a second); the weights are
/// chosen so that a fault that a viewer notices costs more than an additional caption.
struct CaptionBreaker {
  let maxLineWidth: Int
  let maxLineCount: Int

  /// The shortest and the longest time of a caption, in milliseconds.
  static let shortest = 1000
  static let longest = 7000
  /// Characters a second that can be read.
  static let fastestReading = 20
  /// A caption stays until the next one if that is so near, in milliseconds.
  static let shortestGap = 250
  /// A longer pause is between two captions, in milliseconds.
  private static let longestPause = 2000

  private struct Item {
    var token: TimedText.Token
    var length: Int
    /// With the part of the segment before its first word and after its last one.
    var start: Int
    var end: Int
    var isTimed: Bool
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
    var items = text.tokens.map {
      Item(
        token: $0, length: $0.text.count, start: $0.start.count, end: $0.end.count, isTimed: text.isTimed,
        endsSegment: false)
    }
    guard !items.isEmpty else { return [] }
    items[0].start = min(items[0].start, Milliseconds(seconds: segment.start).count)
    items[items.count - 1].end = max(items[items.count - 1].end, Milliseconds(seconds: segment.end).count)
    items[items.count - 1].endsSegment = true
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

  /// Words whose times are estimated are not shown together with words of another segment.
  private func belongTogether(_ left: Item, _ right: Item) -> Bool {
    right.start - left.end <= Self.longestPause && (!left.endsSegment || left.isTimed && right.isTimed)
  }

  private func cost(of items: [Item], _ first: Int, _ last: Int) -> Double {
    let start = items[first].start
    let next = last + 1 < items.count ? items[last + 1].start : .max
    let shown = max(1, min(next, start + Self.longest) - start)
    let characters = Self.characters(items[first...last])
    var cost = 1.0
    if shown < Self.shortest { cost += 4 + 6 * Double(Self.shortest - shown) / 1000 }
    let speed = Double(characters) * 1000 / Double(shown)
    if speed > Double(Self.fastestReading) { cost += 4 + (speed - Double(Self.fastestReading)) / 2 }
    if first == last { cost += 5 }
    for index in first..<last {
      let pause = items[index + 1].start - items[index].end
      if pause > 700 { cost += Double(pause) / 1000 }
      if items[index].token.endsSentence { cost += 0.3 }
    }
    return cost + items[last].token.breakCost(pause: next == .max ? .max : next - items[last].end)
  }

  private static func characters(_ items: ArraySlice<Item>) -> Int {
    items.reduce(-1) { $0 + $1.length + ($1.token.isSpaced ? 1 : 0) }
  }

  private func caption(_ items: ArraySlice<Item>, next: Int) -> Caption {
    let tokens = items.map(\.token)
    let start = items.first?.start ?? 0
    let characters = Self.characters(items)
    let wanted = max(Self.shortest, (characters * 1000 + Self.fastestReading - 1) / Self.fastestReading)
    var end = max(items.last?.end ?? 0, min(start + min(wanted, Self.longest), next))
    if next != .max, next - end < Self.shortestGap, next - start <= Self.longest { end = next }
    return Caption(
      lines: CaptionLines(maxWidth: maxLineWidth).broken(tokens[...]),
      start: Milliseconds(start), end: Milliseconds(end))
  }
}

extension TimedText.Token {
  /// Whether the token ends a sentence.
  var endsSentence: Bool { text.last.map { ".?!…。？！".contains($0) } ?? false }

  /// The cost of a break after this token.
  /// - Parameter pause: the pause after it in milliseconds.
  func breakCost(pause: Int) -> Double {
    if endsSentence { return 0 }
    if text.last.map({ ",;:、".contains($0) }) == true { return 0.6 }
    return (pause >= 300 ? 0.6 : 1.6) + (CommonWords.function.contains(text.lowercased()) ? 0.6 : 0)
  }
}
