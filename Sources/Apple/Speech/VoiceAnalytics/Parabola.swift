/// The extremum of the parabola through three values at -1, 0 and 1.
struct Parabola: Sendable {
  /// Where the extremum lies, from -1 to 1 when the middle value is the largest or the smallest.
  let position: Double

  /// The value there.
  let value: Double

  init(_ left: Double, _ middle: Double, _ right: Double) {
    let curvature = 2 * middle - left - right
    // Three equal values have no extremum: stay in the middle.
    guard curvature != 0 else {
      position = 0
      value = middle
      return
    }
    position = (right - left) / (2 * curvature)
    value = middle + (right - left) * position / 4
  }
}
