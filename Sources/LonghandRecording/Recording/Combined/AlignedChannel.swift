import Foundation
import LonghandTranscripts

/// The samples of one of several sources, moved onto the time of the recording: a pure value. The callers pass the time, in
/// seconds of one clock for all sources.
///
/// Each sound card has a clock of its own, which runs a little slower or faster. A busy machine makes samples arrive late,
/// never early, so the least lateness within a window shows how far the source has moved. A slow control follows it, and the
/// samples are interpolated at the places that it gives. It corrects up to 1,000 parts per million.
struct AlignedChannel: Sendable {
  /// The length of a window in seconds.
  static let window = 10.0
  /// Seconds of audio that have to arrive before a stream has its place, because the first arrivals may be late.
  static let settling = 0.5
  /// The least lateness, in seconds, that means that audio is missing which the source has not counted.
  static let maxLateness = 0.2
  private static let maxSlope = 0.001

  /// Frames per second of the source.
  let rate: Double
  private var samples: [Float] = []
  /// The index of the first of `samples` in the source's stream.
  private var first: Int64 = 0
  /// The frames that have arrived, with the missing ones.
  private var received: Int64 = 0
  /// The position of the next frame on the source's clock.
  private var expected: Int64?
  /// The missing frames, as indices in the stream.
  private var holes: [Range<Int64>] = []
  /// The index of the next frame to give; nil until the source has settled.
  private var position: Double?
  /// How many seconds the source moves in a second.
  private var slope = 0.0
  private var drift = 0.0
  private var leastLateness = Double.infinity
  private var windowStart: TimeInterval?
  private var lastArrival: TimeInterval?
  /// The frames that had arrived when the stream lost its place; nil while it has one.
  private var unsettled: Int64? = 0

  init(rate: Double) { self.rate = rate }

  /// Whether enough has arrived since the stream lost its place.
  var canSettle: Bool { unsettled.map { Double(received - $0) / rate >= Self.settling } ?? false }
  /// Whether the stream has its place.
  var isSettled: Bool { unsettled == nil }
  /// The time of the first frame; nil until it is known, and after the first frames were given.
  var origin: TimeInterval? { isSettled && position == nil ? leastLateness : nil }

  /// Audio came.
  /// - Parameters:
  ///   - samples: from -1 to 1.
  ///   - sampleTime: the position of the first frame on the source's clock; nil if the source has none.
  mutating func receive(_ samples: [Float], at sampleTime: Int64?, now: TimeInterval) {
    if let sampleTime, let expected, sampleTime > expected {
      skip(min(sampleTime - expected, Int64(rate * 60)))
    }
    expected = sampleTime.map { $0 + Int64(samples.count) }
    self.samples += samples
    received += Int64(samples.count)
    lastArrival = now
    windowStart = windowStart ?? now
    leastLateness = min(leastLateness, now - Double(received) / rate)
  }

  private mutating func skip(_ missing: Int64) {
    holes.append(received..<received + missing)
    samples += Array(repeating: 0, count: Int(missing))
    received += missing
  }

  /// The source stopped: what comes next begins a new stream.
  mutating func restart() { self = AlignedChannel(rate: rate) }

  /// The others were given without this source. What comes next is late, or something is missing before it: its arrivals
  /// show which of the two.
  mutating func unsettle() { (unsettled, leastLateness, windowStart) = (received, .infinity, nil) }

  /// Finds the place of the stream by its arrivals so far.
  /// - Parameter time: that of the next frame of the recording; nil before the first one.
  mutating func settle(at time: TimeInterval?) {
    defer { unsettled = nil }
    guard let mark = unsettled, let position, let time else { return }
    let lateness = leastLateness - (time - position / rate)
    guard lateness >= Self.maxLateness else { return }
    // All before the mark was given or passed. What comes after it moves.
    let missing = Int64(clamping: (lateness * rate).rounded())
    samples.removeFirst(Int(mark - first))
    holes.append(mark..<mark + missing)
    (first, received) = (mark + missing, received + missing)
    leastLateness -= lateness
  }

  /// How many seconds of the recording after `time` can be given.
  func available(after time: TimeInterval) -> TimeInterval {
    guard isSettled, let position = position ?? origin.map({ (time - $0) * rate }) else { return 0 }
    // The interpolation needs two frames after the place.
    return max(0, (Double(received) - 3 - position) / rate / (1 - slope))
  }

  /// Gives the next samples.
  /// - Parameters:
  ///   - count: the number of samples.
  ///   - time: that of the first one.
  ///   - targetRate: samples per second of the recording.
  /// - Returns: the samples, and which of them are missing in the source.
  mutating func next(
    _ count: Int, from time: TimeInterval, targetRate: Double
  ) -> (samples: [Float], missing: [Range<Int>]) {
    guard var place = position ?? origin.map({ (time - $0) * rate }) else {
      return (Array(repeating: 0, count: count), [0..<count])
    }
    let step = rate / targetRate * (1 - slope)
    let start = place
    var output: [Float] = []
    output.reserveCapacity(count)
    samples.withUnsafeBufferPointer { samples in
      for _ in 0..<count {
        output.append(Self.interpolated(samples, at: place - Double(first)))
        place += step
      }
    }
    position = place
    follow(at: time + Double(count) / targetRate)
    forget(before: place)
    // What lies outside of the stream is missing too.
    let outside = [Int64.min / 2..<0, received..<Int64.max / 2]
    let missing = (holes + outside).compactMap { hole -> Range<Int>? in
      let begin = (Double(hole.lowerBound) - start) / step
      let end = (Double(hole.upperBound) - start) / step
      let first = Int(begin.clamped(to: 0...Double(count)).rounded(.up))
      let last = Int(end.clamped(to: 0...Double(count)).rounded(.down))
      return first < last ? first..<last : nil
    }
    holes.removeAll { Double($0.upperBound) < place }
    return (output, missing)
  }

  /// Corrects the control at the end of a window.
  private mutating func follow(at time: TimeInterval) {
    guard let position, let began = windowStart, let lastArrival, lastArrival - began >= Self.window else {
      return
    }
    var error = leastLateness - (time - position / rate)
    // A source with a clock counts what is missing.
    if expected == nil, error >= Self.maxLateness {
      skip(Int64(clamping: (error * rate).rounded()))
      error = 0
    }
    drift = (drift + 0.3 * error / Self.window).clamped(to: -Self.maxSlope...Self.maxSlope)
    slope = (drift + 0.5 * error / Self.window).clamped(to: -Self.maxSlope...Self.maxSlope)
    (leastLateness, windowStart) = (.infinity, lastArrival)
  }

  private mutating func forget(before place: Double) {
    let count = min(samples.count, max(0, Int(place) - 2 - Int(first)))
    samples.removeFirst(count)
    first += Int64(count)
  }

  /// The value between four samples (Catmull and Rom's cubic); 0 outside of the samples.
  private static func interpolated(_ samples: UnsafeBufferPointer<Float>, at place: Double) -> Float {
    guard place > -1, place < Double(samples.count) else { return 0 }
    let index = Int(clamping: place.rounded(.down))
    let part = Float(place - Double(index))
    func sample(_ index: Int) -> Float { samples.indices.contains(index) ? samples[index] : 0 }
    let (a, b, c, d) = (sample(index - 1), sample(index), sample(index + 1), sample(index + 2))
    if part == 0 { return b }
    return b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * (3 * (b - c) + d - a)))
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
