import Longhand
import Testing

@Suite struct ClampedIntegerTests {
  @Test(
    arguments: [
      (1.9, 1), (-1.9, -1), (0, 0), (.nan, 0), (1e300, Int.max), (-1e300, .min), (.infinity, .max),
      (9.3e18, .max), (-9.3e18, .min), (9e15, 9_000_000_000_000_000),
    ] as [(Double, Int)])
  func numberIsTheNearestInteger(number: Double, integer: Int) {
    #expect(Int(clamping: number) == integer)
  }

  @Test func boundsAreThoseOfTheType() {
    #expect(Int64(clamping: 1e300) == .max)
    #expect(UInt8(clamping: -3.5) == 0)
    #expect(UInt8(clamping: 255.9) == 255)
    #expect(UInt8(clamping: 256.0) == 255)
  }
}
