/// A defect that the checks must find: what shows that they can fail.
enum SweepFault: String, CaseIterable, Sendable {
  /// One final is never told.
  case drop
  /// A word is another than was said.
  case invent
  /// What was said is told at another time.
  case move
  /// A segment is committed a second time.
  case twice
  /// A segment that was committed is changed.
  case change
  /// Nothing is known of some seconds.
  case hole
  /// What the recognizer failed on is not told.
  case hush
  /// The engine never ends.
  case hang
}
