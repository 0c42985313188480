/// The place of a segment among those of its session, as a text that sorts by its bytes. Between any two there is room for
/// another, so that a division changes no other segment.
///
/// The first eight hexadecimal digits are a whole number, which grows with each segment that is appended; those after them
/// are a fraction, which does not end in 0.
struct SegmentRank: Hashable, Comparable {
  let text: String

  /// Before the first segment; none has it.
  static let start = SegmentRank(text: String(repeating: "0", count: wholeDigits))

  private static let wholeDigits = 8

  static func < (left: SegmentRank, right: SegmentRank) -> Bool { left.text < right.text }

  /// The place at the end.
  /// - Parameter last: that of the last segment.
  init(after last: SegmentRank) {
    let whole = (UInt32(last.text.prefix(Self.wholeDigits), radix: 16) ?? 0) + 1
    text =
      String(repeating: "0", count: Self.wholeDigits - String(whole, radix: 16).count)
      + String(whole, radix: 16)
  }

  /// A place between two others.
  init(between first: SegmentRank, and second: SegmentRank) {
    let (low, high) = (first.digits, second.digits)
    var digits: [Int] = []
    for (index, next) in high.enumerated() {
      let digit = index < low.count ? low[index] : 0
      guard digit == next else {
        digits +=
          next - digit > 1 ? [(digit + next) / 2] : [digit] + Self.digits(after: low.dropFirst(index + 1))
        break
      }
      digits.append(digit)
    }
    text = digits.map { String($0, radix: 16) }.joined()
  }

  init(text: String) { self.text = text }

  private var digits: [Int] { text.compactMap(\.hexDigitValue) }

  /// The digits of a greater fraction.
  private static func digits(after digits: ArraySlice<Int>) -> [Int] {
    guard let first = digits.first else { return [8] }
    return first < 15 ? [(first + 16) / 2] : [15] + Self.digits(after: digits.dropFirst())
  }
}
