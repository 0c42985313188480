/// How the container's clock and the samples drift: the clocks of a camera and of its microphone, or of two computers,
/// never have the same speed. Between the points the difference changes evenly.
package struct ContainerClock: Sendable, Hashable, Codable {
  /// What the difference is at one frame.
  package struct Point: Sendable, Hashable, Codable {
    /// The position in the decoded audio, in frames.
    package var frame: Int64
    /// By how many frames the container's clock is ahead of the samples.
    package var ahead: Double

    package init(frame: Int64, ahead: Double) { (self.frame, self.ahead) = (frame, ahead) }
  }

  /// The points in order. The first one is at frame 0; empty if the clocks agree.
  package private(set) var points: [Point] = []

  /// The part of the time by which the clocks may differ. Beyond that, times are wrong.
  static let maxRate = 0.05
  private static let capacity = 2048

  package init(_ points: [Point] = []) { self.points = points }

  /// Adds a point unless it is nearer than `spacing` to the last one. The number of points is bounded.
  mutating func note(frame: Int64, ahead: Double, spacing: Int64) {
    if points.isEmpty { points.append(Point(frame: 0, ahead: 0)) }
    guard let last = points.last, frame >= last.frame + spacing else { return }
    points.append(Point(frame: frame, ahead: ahead))
    guard points.count >= Self.capacity else { return }
    points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
  }

  /// The greatest difference in frames.
  package var greatest: Double { points.reduce(0) { max($0, abs($1.ahead)) } }
  /// The difference at the end, in frames.
  package var last: Double { points.last?.ahead ?? 0 }

  /// The time of a frame by the container's clock, in frames.
  package func time(of frame: Double) -> Double {
    guard !points.isEmpty else { return frame }
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(points[middle].frame) <= frame { low = middle + 1 } else { high = middle }
    }
    return frame + ahead(at: frame, after: low - 1)
  }

  /// The frame at a time of the container's clock, in frames.
  package func frame(at time: Double) -> Double {
    guard !points.isEmpty else { return time }
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(points[middle].frame) + points[middle].ahead <= time {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > 0, low < points.count else { return time - (low > 0 ? last : 0) }
    let (a, b) = (points[low - 1], points[low])
    let (start, end) = (Double(a.frame) + a.ahead, Double(b.frame) + b.ahead)
    guard end > start else { return Double(a.frame) }
    return Double(a.frame) + (time - start) / (end - start) * Double(b.frame - a.frame)
  }

  private func ahead(at frame: Double, after index: Int) -> Double {
    guard index >= 0 else { return 0 }
    guard index + 1 < points.count else { return points[index].ahead }
    let (a, b) = (points[index], points[index + 1])
    return a.ahead + (frame - Double(a.frame)) / Double(b.frame - a.frame) * (b.ahead - a.ahead)
  }

  /// Whether the values are possible in a file of `length` frames.
  func isPlausible(length: Int64) -> Bool {
    guard let first = points.first else { return true }
    return first.frame == 0 && points.allSatisfy { (0...length).contains($0.frame) && $0.ahead.isFinite }
      && points.count <= Self.capacity
      && zip(points, points.dropFirst()).allSatisfy { a, b in
        b.frame > a.frame && abs(b.ahead - a.ahead) <= 2 * Self.maxRate * Double(b.frame - a.frame) + 1
      }
  }
}
