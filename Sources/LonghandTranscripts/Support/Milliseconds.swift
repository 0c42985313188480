import Foundation

/// A time in the audio in whole milliseconds, as documents write it.
package struct Milliseconds: Hashable, Comparable {
  package var count: Int

  init(_ count: Int) { self.count = count }

  /// Rounds halves up. Negative times and NaN become 0.
  package init(seconds: TimeInterval) { count = Decimals.units(of: seconds, perOne: 1000) }

  /// The time in seconds.
  var seconds: TimeInterval { TimeInterval(count) / 1000 }

  package static func < (left: Self, right: Self) -> Bool { left.count < right.count }

  /// `hh:mm:ss` with whole seconds, rounded down, so that playback from there includes the start.
  package var clock: String {
    let seconds = count / 1000
    return "\(Self.padded(seconds / 3600, to: 2)):\(Self.padded(seconds / 60 % 60, to: 2))"
      + ":\(Self.padded(seconds % 60, to: 2))"
  }

  /// `hh:mm:ss.mmm`; from 100 hours on, hours have more digits.
  package func clock(fraction separator: Character) -> String {
    "\(clock)\(separator)\(Self.padded(count % 1000, to: 3))"
  }

  /// Seconds with three decimals.
  var fixedSeconds: String { "\(count / 1000).\(Self.padded(count % 1000, to: 3))" }

  /// Seconds with at most three decimals, without trailing zeros.
  var shortSeconds: String { Decimals.text(units: count, decimals: 3) }

  private static func padded(_ number: Int, to width: Int) -> String { Decimals.padded(number, to: width) }
}

/// Writes decimal numbers without locale or exponent, and without digits that come from binary fractions.
enum Decimals {
  /// `value` in units of 1/`perOne`, with halves rounded up; 0 for negative values and NaN.
  static func units(of value: Double, perOne: Double) -> Int {
    // No document needs more, and beyond 2^53 whole numbers are not exact.
    guard value > 0 else { return 0 }
    // 1.0005 is stored as a little less than the half that was meant; adding a billionth of a second corrects that.
    return Int(clamping: (min(value, 1e11) * perOne + 0.5 + 1e-6).rounded(.down))
  }

  /// `units` as a decimal number with at most `decimals` digits after the point, and without trailing zeros.
  static func text(units: Int, decimals: Int) -> String {
    let one = (0..<decimals).reduce(1) { power, _ in power * 10 }
    var fraction = padded(units % one, to: decimals)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(units / one)" : "\(units / one).\(fraction)"
  }

  /// `number` with leading zeros, at least `width` digits.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
