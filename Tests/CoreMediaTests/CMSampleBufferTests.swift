import AVFoundation
import CoreMedia
import Foundation
import Testing

@Suite struct CMSampleBufferTests {
  private static func description(
    channels: UInt32 = 1, rate: Double = 16000, isPlanar: Bool = false
  ) -> AudioStreamBasicDescription {
    let bytes: UInt32 = isPlanar ? 2 : 2 * channels
    let flags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: isPlanar ? flags | kAudioFormatFlagIsNonInterleaved : flags, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: 16,
      mReserved: 0)
  }

  private static func block(_ samples: [Int16]) throws -> CMBlockBuffer {
    let block = try CMBlockBuffer(length: samples.count * 2)
    try samples.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    return block
  }

  private static func buffer(
    _ block: CMBlockBuffer?, _ stream: AudioStreamBasicDescription, count: Int,
    packets: [AudioStreamPacketDescription] = []
  ) throws -> CMSampleBuffer {
    try CMSampleBuffer(
      dataBuffer: block, formatDescription: CMFormatDescription(audioStreamBasicDescription: stream),
      numSamples: count, presentationTimeStamp: CMTime(value: 1, timescale: 2), packetDescriptions: packets)
  }

  private static func samples(of buffer: CMSampleBuffer) throws -> [[Int16]] {
    try buffer.withAudioBufferList { list, _ in
      list.map {
        Array(
          UnsafeRawBufferPointer(start: $0.mData, count: Int($0.mDataByteSize)).bindMemory(to: Int16.self))
      }
    }
  }

  @Test func aBufferReturnsItsSamplesAndTimes() throws {
    let block = try Self.block([1, 2, 3, 4])
    let buffer = try Self.buffer(block, Self.description(), count: 4)
    #expect(buffer.isValid)
    #expect(CMSampleBufferIsValid(buffer))
    #expect(CMSampleBufferGetNumSamples(buffer) == 4)
    #expect(CMSampleBufferGetPresentationTimeStamp(buffer) == CMTime(value: 1, timescale: 2))
    #expect(CMSampleBufferGetDuration(buffer) == CMTime(value: 4, timescale: 16000))
    #expect(CMSampleBufferGetDataBuffer(buffer) === block)
    let format = try #require(CMSampleBufferGetFormatDescription(buffer))
    #expect(CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee.mSampleRate == 16000)
    #expect(format.audioStreamBasicDescription?.mChannelsPerFrame == 1)
    #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
  }

  @Test func channelsAreSplitOnlyIfTheyArePlanar() throws {
    let block = try Self.block([1, 2, 3, 4, 5, 6])
    let interleaved = try Self.buffer(block, Self.description(channels: 2), count: 3)
    #expect(try Self.samples(of: interleaved) == [[1, 2, 3, 4, 5, 6]])
    #expect(try interleaved.withAudioBufferList { list, _ in list[0].mNumberChannels } == 2)
    let planar = try Self.buffer(block, Self.description(channels: 2, isPlanar: true), count: 3)
    #expect(try Self.samples(of: planar) == [[1, 2, 3], [4, 5, 6]])
    #expect(try planar.withAudioBufferList { _, backing in backing === block })
  }

  /// What clients of capture devices do with each buffer.
  @Test(arguments: [false, true]) func samplesAreCopiedToBuffersOfTheClient(isPlanar: Bool) throws {
    let block = try Self.block([1, 2, 3, 4, 5, 6])
    let buffer = try Self.buffer(block, Self.description(channels: 2, isPlanar: isPlanar), count: 3)
    var copied = [Int16](repeating: 0, count: 4)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
    try copied.withUnsafeMutableBytes { bytes in
      let channels: UInt32 = isPlanar ? 1 : 2
      list.count = isPlanar ? 2 : 1
      for (index, part) in list.indices.enumerated() {
        list[part] = AudioBuffer(
          mNumberChannels: channels, mDataByteSize: UInt32(bytes.count / list.count),
          mData: bytes.baseAddress.map { $0 + index * bytes.count / list.count })
      }
      try buffer.copyPCMData(fromRange: 1..<3, into: list.unsafeMutablePointer)
      for range in [-1..<1, 2..<4, 0..<3] {
        #expect(throws: CMSampleBuffer.Error.sampleIndexOutOfRange) {
          try buffer.copyPCMData(fromRange: range, into: list.unsafeMutablePointer)
        }
      }
      func copy(_ offset: Int32, _ count: Int32) -> OSStatus {
        CMSampleBufferCopyPCMDataIntoAudioBufferList(
          buffer, at: offset, frameCount: count, into: list.unsafeMutablePointer)
      }
      #expect(copy(1, 2) == 0 && copy(0, 0) == 0)
      #expect(copy(2, 2) == -12734 && copy(.max, .max) == -12734 && copy(0, -1) == -12734)
      list[0].mNumberChannels = 5
      #expect(copy(1, 2) == -12742)
    }
    #expect(copied == (isPlanar ? [2, 3, 5, 6] : [3, 4, 5, 6]))
  }

  /// Many clients copy into an empty buffer, and set its length afterwards.
  @Test func emptyBufferHasRoomForACopyOfSamples() throws {
    let sample = try Self.buffer(Self.block([1, 2, 3]), Self.description(), count: 3)
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3))
    let status = CMSampleBufferCopyPCMDataIntoAudioBufferList(
      sample, at: 0, frameCount: 3, into: buffer.mutableAudioBufferList)
    #expect(status == 0)
    buffer.frameLength = 3
    #expect((0..<3).map { buffer.int16ChannelData?[0][$0] } == [1, 2, 3])
  }

  /// Clients ask for the size first, and for one buffer with the size of the list's type.
  @Test func listOutlivesTheBufferWithItsBlock() throws {
    var size = 0
    var block: CMBlockBuffer?
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
    func get(
      _ buffer: CMSampleBuffer, _ list: UnsafeMutablePointer<AudioBufferList>?, _ length: Int
    ) -> OSStatus {
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        buffer, bufferListSizeNeededOut: &size, bufferListOut: list, bufferListSize: length,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil,
        flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
    }
    do {
      let planar = try Self.buffer(
        Self.block([1, 2, 3, 4, 5, 6]), Self.description(channels: 2, isPlanar: true), count: 3)
      #expect(get(planar, nil, 0) == 0)
      #expect(size == AudioBufferList.sizeInBytes(maximumBuffers: 2))
      #expect(get(planar, list.unsafeMutablePointer, MemoryLayout<AudioBufferList>.size) == -12737)
      #expect(get(planar, list.unsafeMutablePointer, size) == 0)
    }
    #expect(list.count == 2)
    #expect(block?.dataLength == 12)
    let second = UnsafeRawBufferPointer(start: list[1].mData, count: Int(list[1].mDataByteSize))
    #expect(Array(second.bindMemory(to: Int16.self)) == [4, 5, 6])
    let mono = try Self.buffer(Self.block([7]), Self.description(), count: 1)
    #expect(get(mono, list.unsafeMutablePointer, MemoryLayout<AudioBufferList>.size) == 0)
    #expect(get(try Self.buffer(nil, Self.description(), count: 1), nil, 0) == -12731)
  }

  @Test func aBufferIsFilledFromAListOnce() throws {
    let buffer = try Self.buffer(nil, Self.description(channels: 2, isPlanar: true), count: 2)
    #expect(throws: CMSampleBuffer.Error.requiredParameterMissing) { try Self.samples(of: buffer) }
    // The third sample is spare room, as in a buffer that was not filled up.
    let source = try Self.buffer(
      Self.block([1, 2, 3, 4, 5, 6]), Self.description(channels: 2, isPlanar: true), count: 3)
    try source.withAudioBufferList { list, _ in
      try buffer.setDataBuffer(fromAudioBufferList: UnsafePointer(list.unsafeMutablePointer))
    }
    #expect(try Self.samples(of: buffer) == [[1, 2], [4, 5]])
    try source.withAudioBufferList { list, _ in
      #expect(throws: CMSampleBuffer.Error.alreadyHasDataBuffer) {
        try buffer.setDataBuffer(fromAudioBufferList: UnsafePointer(list.unsafeMutablePointer))
      }
      let longer = try Self.buffer(nil, Self.description(channels: 2, isPlanar: true), count: 4)
      let mono = try Self.buffer(nil, Self.description(), count: 1)
      for other in [longer, mono] {
        #expect(throws: CMSampleBuffer.Error.invalidSampleData) {
          try other.setDataBuffer(fromAudioBufferList: UnsafePointer(list.unsafeMutablePointer))
        }
      }
    }
  }

  @Test func tooShortDataIsRefused() throws {
    let block = try Self.block([1, 2])
    let short = try Self.buffer(block, Self.description(), count: 3)
    let huge = try Self.buffer(block, Self.description(channels: .max >> 1, isPlanar: true), count: 0)
    for buffer in [short, huge] {
      #expect(throws: CMSampleBuffer.Error.invalidSampleData) { try Self.samples(of: buffer) }
    }
    let overflowing = try Self.buffer(block, Self.description(), count: .max)
    let silent = try Self.buffer(block, Self.description(channels: 0), count: 1)
    for buffer in [overflowing, silent] {
      #expect(throws: CMSampleBuffer.Error.invalidMediaFormat) { try Self.samples(of: buffer) }
    }
  }

  @Test func invalidCountsAreRefused() {
    #expect(throws: CMSampleBuffer.Error.invalidEntryCount) {
      try Self.buffer(nil, Self.description(), count: -1)
    }
    #expect(throws: CMSampleBuffer.Error.invalidEntryCount) {
      try Self.buffer(nil, Self.description(), count: 2, packets: [AudioStreamPacketDescription()])
    }
  }

  @Test func anInvalidatedBufferHasNoData() throws {
    let buffer = try Self.buffer(Self.block([1]), Self.description(), count: 1)
    try buffer.invalidate()
    #expect(!buffer.isValid)
    #expect(buffer.dataBuffer == nil)
    #expect(throws: CMSampleBuffer.Error.invalidated) { try Self.samples(of: buffer) }
  }

  @Test func theDurationFollowsFromTheFormat() throws {
    var packed = Self.description(rate: 44100)
    packed.mFormatID = 0x6161_6320  // 'aac '
    packed.mFramesPerPacket = 1024
    #expect(try Self.buffer(nil, packed, count: 3).duration == CMTime(value: 3072, timescale: 44100))
    packed.mFramesPerPacket = 0
    #expect(try !Self.buffer(nil, packed, count: 1).duration.isValid)
    let packet = AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 441, mDataByteSize: 9)
    #expect(
      try Self.buffer(nil, packed, count: 2, packets: [packet, packet]).duration
        == CMTime(value: 1, timescale: 50))
    #expect(try Self.buffer(nil, Self.description(rate: 0.5), count: 2).duration.seconds == 4)
    #expect(try !Self.buffer(nil, Self.description(rate: 0), count: 2).duration.isValid)
    packed.mFramesPerPacket = .max
    #expect(try !Self.buffer(nil, packed, count: .max).duration.isValid)
  }
}
