extension FixedWidthInteger {
  /// The nearest integer to a number that a file, a row or a client states, without its fraction; 0 for one that is not a
  /// number. `Int(_:)` ends the program for a number that it cannot hold.
  package init(clamping value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}
