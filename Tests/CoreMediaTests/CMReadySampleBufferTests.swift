import CoreMedia
import Foundation
import Testing

@Suite struct CMReadySampleBufferTests {
  private let time = CMTime(value: 7, timescale: 2)

  private func format() throws -> CMFormatDescription {
    try CMFormatDescription(
      audioStreamBasicDescription: AudioStreamBasicDescription(
        mSampleRate: 16_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2,
        mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0))
  }

  @Test func bufferOfDataHasItsTimesAndBytes() throws {
    let data = Data((0..<32).map(UInt8.init))
    // A slice does not begin at index 0.
    let block = CMReadOnlyDataBlockBuffer((Data([9, 9]) + data)[2...])
    #expect(block.count == 32 && block.isContiguous && block.startIndex == 0)
    #expect(Array(block) == Array(data))
    #expect(Data(block.regions.joined()) == data)
    let buffer = CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>(
      audioDataBuffer: block, formatDescription: try format(), sampleCount: 16, presentationTimeStamp: time)
    #expect(buffer.sampleCount == 16)
    #expect(buffer.presentationTimeStamp == time)
    #expect(buffer.duration == CMTime(value: 16, timescale: 16_000))
    #expect(buffer.formatDescription.audioStreamBasicDescription?.mSampleRate == 16_000)
    let (bytes, samples, start) = try buffer.withUnsafeSampleBuffer { sample in
      (try sample.dataBuffer?.dataBytes(), sample.numSamples, sample.presentationTimeStamp)
    }
    #expect(bytes == data && samples == 16 && start == time)
  }

  @Test func bufferOfASampleBufferIsItsCopy() throws {
    let block = try CMBlockBuffer(length: 4)
    try [1, 2, 3, 4].withUnsafeBytes { try block.replaceDataBytes(with: .init(rebasing: $0[..<4])) }
    let before = try block.dataBytes()
    let sample = try CMSampleBuffer(
      dataBuffer: block, formatDescription: format(), numSamples: 2, presentationTimeStamp: time,
      packetDescriptions: [])
    nonisolated(unsafe) let unsafe = sample
    let ready = CMReadySampleBuffer<CMReadOnlyDataBlockBuffer>(unsafeWithDataBuffer: unsafe)
    try block.withUnsafeMutableBytes { $0[0] = 99 }
    #expect(Data(ready.content) == before)
    #expect(ready.sampleCount == 2 && ready.presentationTimeStamp == time)
    nonisolated(unsafe) let changed = block
    #expect(CMReadOnlyDataBlockBuffer(unsafeBlockBuffer: changed).first == 99)
  }
}
