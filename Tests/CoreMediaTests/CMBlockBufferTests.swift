import CoreMedia
import Foundation
import Testing

@Suite struct CMBlockBufferTests {
  @Test func bytesAreReadAsWritten() throws {
    let block = try CMBlockBuffer(length: 4)
    #expect(try block.dataBytes() == Data([0, 0, 0, 0]))
    try [1, 2, 3].withUnsafeBufferPointer { (values: UnsafeBufferPointer<UInt8>) in
      try block.replaceDataBytes(with: UnsafeRawBufferPointer(values))
    }
    try block.withUnsafeMutableBytes(atOffset: 3) { $0[0] = 9 }
    #expect(try block.dataBytes() == Data([1, 2, 3, 9]))
    #expect(try block.withContiguousStorage { Array($0) } == [1, 2, 3, 9])
    #expect(CMBlockBufferGetDataLength(block) == 4)
    var start: [UInt8] = [0, 0]
    try start.withUnsafeMutableBytes { try block.copyDataBytes(to: $0) }
    #expect(start == [1, 2])
  }

  @Test func invalidLengthsAreRefused() {
    #expect(throws: CMBlockBuffer.Error.badLengthParameter) { try CMBlockBuffer(length: 0) }
    #expect(throws: CMBlockBuffer.Error.badLengthParameter) { try CMBlockBuffer(length: -1) }
    #expect(throws: CMBlockBuffer.Error.blockAllocationFailed) { try CMBlockBuffer(length: .max) }
  }

  @Test func bytesOutsideAreRefused() throws {
    let block = try CMBlockBuffer(length: 2)
    var larger: [UInt8] = [1, 2, 3]
    #expect(throws: CMBlockBuffer.Error.badLengthParameter) {
      try larger.withUnsafeMutableBytes { try block.copyDataBytes(to: $0) }
    }
    #expect(throws: CMBlockBuffer.Error.badLengthParameter) {
      try larger.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    }
    for offset in [-1, 2, Int.max] {
      #expect(throws: CMBlockBuffer.Error.badOffsetParameter) {
        try block.withUnsafeMutableBytes(atOffset: offset) { _ in }
      }
    }
  }
}
