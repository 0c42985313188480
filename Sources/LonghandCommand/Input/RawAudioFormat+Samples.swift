import Foundation

extension RawAudioFormat {
  /// Turns whole samples into those of a recording: numbers of 16 bits, the little end first. Those with more bits are
  /// rounded, and what is beyond full scale, or no number, becomes full scale or silence.
  func recorded(_ samples: ArraySlice<UInt8>) -> Data {
    if encoding.kind == .signed, encoding.bytes == 2, !encoding.isBigEndian { return Data(samples) }
    var numbers: [Int16] = []
    numbers.reserveCapacity(samples.count / encoding.bytes)
    for start in stride(from: samples.startIndex, to: samples.endIndex, by: encoding.bytes) {
      numbers.append(number(samples[start..<start + encoding.bytes]).littleEndian)
    }
    return numbers.withUnsafeBytes { Data($0) }
  }

  private func number(_ sample: ArraySlice<UInt8>) -> Int16 {
    var bits: UInt64 = 0
    if encoding.isBigEndian {
      for byte in sample { bits = bits << 8 | UInt64(byte) }
    } else {
      for byte in sample.reversed() { bits = bits << 8 | UInt64(byte) }
    }
    switch encoding.kind {
    case .unsigned: return Int16(bitPattern: UInt16(truncatingIfNeeded: (bits ^ 0x80) << 8))
    case .signed:
      // As the upper bits of a number of 64: the sign comes by itself.
      let whole = Int64(bitPattern: bits << UInt64(64 - 8 * encoding.bytes))
      let (rounded, overflow) = whole.addingReportingOverflow(1 << 47)
      return overflow ? .max : Int16(truncatingIfNeeded: rounded >> 48)
    case .float:
      let value =
        encoding.bytes == 4
        ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      return value.isNaN ? 0 : Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    }
  }
}
