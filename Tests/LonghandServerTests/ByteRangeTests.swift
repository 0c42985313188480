import Testing

@testable import LonghandServer

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, 100, .whole), ("bytes=0-", 100, .part(0..<100)), ("bytes=0-0", 100, .part(0..<1)),
      ("bytes=10-19", 100, .part(10..<20)), ("bytes=90-200", 100, .part(90..<100)),
      ("bytes=-5", 100, .part(95..<100)), ("bytes=-500", 100, .part(0..<100)),
      ("bytes=99-", 100, .part(99..<100)), ("bytes=100-", 100, .unsatisfiable),
      ("bytes=-0", 100, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable), ("bytes=-1", 0, .unsatisfiable),
      ("bytes=5-4", 100, .whole), ("bytes=0-1,5-6", 100, .whole), ("bytes=a-b", 100, .whole),
      ("bytes=--5", 100, .whole), ("bytes=-", 100, .whole), ("bytes=1", 100, .whole),
      ("chapters=1-2", 100, .whole), ("bytes= 1-2", 100, .whole), ("bytes=+1-2", 100, .whole),
      ("bytes=0-99999999999999999999999", 100, .part(0..<100)),
      ("bytes=99999999999999999999999-", 100, .unsatisfiable),
      ("bytes=0-18446744073709551615", 100, .part(0..<100)),
      ("bytes=-99999999999999999999999", 100, .part(0..<100)),
    ] as [(String?, UInt64, ByteRange)])
  func aHeaderIsUnderstood(_ header: String?, _ length: UInt64, _ expected: ByteRange) {
    #expect(ByteRange(header, of: length) == expected)
  }
}
