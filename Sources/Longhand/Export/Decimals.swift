/// Decimal numbers without locale, exponent or surprises of binary fractions.
enum Decimals {
  /// `value` in units of a `perOne`th, halves rounded upwards; 0 for what is negative or no number.
  static func units(of value: Double, perOne: Double) -> Int {
    // No document needs more, and beyond 2^53 whole numbers have gaps.
    guard value > 0 else { return 0 }
    // 1.0005 is stored a little below the half that its author meant; a billionth of a second mends that.
    return Int((min(value, 1e11) * perOne + 0.5 + 1e-6).rounded(.down))
  }

  /// `units` as a decimal number with at most `decimals` digits after the point, and no zeros at its end.
  static func text(units: Int, decimals: Int) -> String {
    let one = (0..<decimals).reduce(1) { power, _ in power * 10 }
    var fraction = padded(units % one, to: decimals)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return fraction.isEmpty ? "\(units / one)" : "\(units / one).\(fraction)"
  }

  /// `number` with zeros before it, at least `width` digits.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
