import Foundation

/// A time on the clock of the audio, in whole milliseconds, as documents write it.
package struct Milliseconds: Hashable, Comparable {
  package var count: Int

  init(_ count: Int) { self.count = count }

  /// Rounds halves upwards. Times before 0 and what is no number become 0.
  package init(seconds: TimeInterval) { count = Decimals.units(of: seconds, perOne: 1000) }

  package static func < (left: Self, right: Self) -> Bool { left.count < right.count }

  /// `hh:mm:ss` with whole seconds, cut off and not rounded, so that a reader who seeks there hears the beginning.
  package var clock: String {
    let seconds = count / 1000
    return "\(Self.padded(seconds / 3600, to: 2)):\(Self.padded(seconds / 60 % 60, to: 2))"
      + ":\(Self.padded(seconds % 60, to: 2))"
  }

  /// `hh:mm:ss.mmm`; hours have more digits from 100 hours on.
  func clock(fraction separator: Character) -> String {
    "\(clock)\(separator)\(Self.padded(count % 1000, to: 3))"
  }

  /// Seconds with three decimals.
  var fixedSeconds: String { "\(count / 1000).\(Self.padded(count % 1000, to: 3))" }

  /// Seconds with as many decimals as it takes.
  var shortSeconds: String { Decimals.text(units: count, decimals: 3) }

  private static func padded(_ number: Int, to width: Int) -> String { Decimals.padded(number, to: width) }
}
