import CoreMedia
import ScriptedSpeech
import Testing

/// What holds for every time, tried on many of them, most at the limits of their types.
@Suite struct CMTimePropertyTests {
  private static let methods = (1...6).compactMap { CMTimeRoundingMethod(rawValue: $0) }

  @Test func noInputTraps() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<8_000 {
      let (first, second) = (generator.anyTime(), generator.anyTime())
      let (scale, other) = (generator.extreme(Int32.self), generator.extreme(Int32.self))
      let factor = Double(bitPattern: generator.next())
      var results = [
        first + second, first - second, CMTimeMultiply(first, multiplier: scale),
        CMTimeMultiplyByRatio(first, multiplier: scale, divisor: other),
        CMTimeMultiplyByFloat64(first, multiplier: factor), CMTimeAbsoluteValue(first),
        CMTime(seconds: factor, preferredTimescale: scale), CMTimeMinimum(first, second),
        CMTimeMaximum(first, second),
      ]
      results += Self.methods.map { first.convertScale(scale, method: $0) }
      let range = CMTimeRange(start: first, end: second)
      let otherRange = CMTimeRange(start: second, duration: first)
      results += [range.end, range.union(otherRange).end, range.intersection(otherRange).start]
      for result in results {
        #expect(result == result)
        #expect(result.isValid || result.seconds.isNaN)
      }
      if range.containsTime(second) { #expect(second < range.end) }
      if range.containsTimeRange(otherRange) { #expect(otherRange.isValid) }
      #expect((range == otherRange) == (otherRange == range))
      #expect(range.hashValue == range.hashValue)
    }
  }

  @Test func comparisonIsATotalOrder() {
    var generator = SeededGenerator(seed: 2)
    let times = (0..<120).map { _ in generator.anyTime() }.sorted()
    for (index, first) in times.enumerated() {
      for second in times[index...] {
        #expect(first <= second)
        #expect(CMTimeCompare(first, second) == -CMTimeCompare(second, first))
        #expect((first == second) == (CMTimeCompare(first, second) == 0))
      }
    }
  }

  @Test func equalTimesHashAlikeAtEveryTimescale() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2_500 {
      let time = generator.smallNumber()
      let factor = Int32.random(in: 1...1000, using: &generator)
      let same = CMTime(value: time.value * Int64(factor), timescale: time.timescale * factor)
      let next = CMTime(value: same.value + 1, timescale: same.timescale)
      #expect(same == time)
      #expect(same.hashValue == time.hashValue)
      #expect(next != time)
    }
  }

  @Test func exactSumsCanBeUndone() {
    var generator = SeededGenerator(seed: 4)
    var undone = 0
    for _ in 0..<8_000 {
      let (first, second) =
        Bool.random(using: &generator)
        ? (generator.anyNumber(), generator.anyNumber()) : (generator.smallNumber(), generator.smallNumber())
      #expect(first + second == second + first)
      let sum = first + second
      guard sum.isNumeric, !sum.hasBeenRounded, !(sum - second).hasBeenRounded else { continue }
      #expect(sum - second == first)
      undone += 1
    }
    #expect(undone > 2_000)
  }

  @Test func conversionIsNeverATickOff() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_500 {
      let time = generator.anyNumber()
      let scale = Int32.random(in: 1 ... .max, using: &generator)
      for method in Self.methods {
        let converted = time.convertScale(scale, method: method)
        guard converted.isNumeric else {
          #expect(abs(time.seconds * Double(scale)) >= 0x1p62)
          continue
        }
        // The error in ticks of both timescales together.
        let error =
          Int128(converted.value) * Int128(time.timescale) - Int128(time.value) * Int128(scale)
        #expect(error.magnitude < Int128(time.timescale).magnitude)
        #expect((error != 0) == converted.hasBeenRounded)
        switch method {
        case .roundHalfAwayFromZero: #expect(error.magnitude * 2 <= Int128(time.timescale).magnitude)
        case .roundTowardZero: #expect(error.signum() != Int128(time.value.signum()) || error == 0)
        case .roundAwayFromZero: #expect(error.signum() == Int128(time.value.signum()) || error == 0)
        case .roundTowardPositiveInfinity: #expect(error >= 0)
        case .roundTowardNegativeInfinity: #expect(error <= 0)
        case .quickTime: #expect(time.value >= 0 || converted.value < 0)
        }
      }
    }
  }

  @Test func theProductsAgree() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<2_500 {
      let time = generator.anyNumber()
      let factor = Int32.random(in: -30_000...30_000, using: &generator)
      let product = CMTimeMultiply(time, multiplier: factor)
      if !product.hasBeenRounded, product.isNumeric {
        #expect(CMTimeMultiplyByRatio(time, multiplier: factor, divisor: 1) == product)
        let real = CMTimeMultiplyByFloat64(time, multiplier: Double(factor))
        if !real.hasBeenRounded { #expect(real == product) }
      }
      let small = generator.smallNumber()
      let real = Double.random(in: -100...100, using: &generator)
      let scaled = CMTimeMultiplyByFloat64(small, multiplier: real)
      #expect(
        abs(scaled.seconds - small.seconds * real) <= 0.5 / Double(scaled.timescale) + abs(scaled.seconds)
          * 0x1p-50)
    }
  }
}
