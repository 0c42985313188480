import AVFAudio
import Testing

@Suite struct PCMBufferTests {
  @Test(arguments: [
    AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32,
  ])
  func buffersFollowTheFormat(type: AVAudioCommonFormat) throws {
    for interleaved in [false, true] {
      let format = try #require(
        AVAudioFormat(commonFormat: type, sampleRate: 16_000, channels: 2, interleaved: interleaved))
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
      #expect(buffer.frameLength == 0)
      #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 0)
      buffer.frameLength = 60
      let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
      #expect(list.count == (interleaved ? 1 : 2))
      let bytes = format.streamDescription.pointee.mBytesPerFrame
      // What is written has room for the capacity; what is read ends with the length.
      #expect(list.allSatisfy { $0.mDataByteSize == 100 * bytes })
      #expect(list.allSatisfy { $0.mNumberChannels == (interleaved ? 2 : 1) })
      let filled = buffer.audioBufferList.pointee
      #expect(Int(filled.mNumberBuffers) == list.count)
      #expect(filled.mBuffers.mDataByteSize == 60 * bytes)
      #expect(filled.mBuffers.mData == list[0].mData)
      // A size that a program reduced is the capacity again at the next use.
      list[0].mDataByteSize = 1
      #expect(buffer.mutableAudioBufferList.pointee.mBuffers.mDataByteSize == 100 * bytes)
      #expect(buffer.stride == (interleaved ? 2 : 1))
      #expect((buffer.floatChannelData != nil) == (type == .pcmFormatFloat32))
      #expect((buffer.int16ChannelData != nil) == (type == .pcmFormatInt16))
      #expect((buffer.int32ChannelData != nil) == (type == .pcmFormatInt32))
    }
  }

  @Test func interleavedChannelsAreInterwoven() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 8000, channels: 2, interleaved: true))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    let data = try #require(buffer.int16ChannelData)
    data[1][buffer.stride * 3] = 7
    #expect(data[0][7] == 7)
  }

  @Test func lengthStaysWithinCapacity() throws {
    let buffer = try AVAudioPCMBuffer.make([[0, 0, 0]], rate: 8000)
    buffer.frameLength = 4_000_000_000
    #expect(buffer.frameLength == 3)
  }

  @Test func hugeCapacitiesGiveNil() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 2))
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: .max) == nil)
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1 << 30) == nil)
    #expect(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0) != nil)
  }

  @Test func compressedAndBrokenFormatsGiveNil() throws {
    let aac: [String: Any] = [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
    ]
    #expect(AVAudioPCMBuffer(pcmFormat: try #require(AVAudioFormat(settings: aac)), frameCapacity: 10) == nil)
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono))
    let broken = AVAudioFormat(standardFormatWithSampleRate: -1, channelLayout: layout)
    #expect(AVAudioPCMBuffer(pcmFormat: broken, frameCapacity: 10) == nil)
  }

  @Test func copiesAreDeep() throws {
    let buffer = try AVAudioPCMBuffer.make([[1, 2, 3], [4, 5, 6]], rate: 8000)
    let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
    buffer.floatChannelData?[1][0] = 99
    #expect(copy.samples(0) == [1, 2, 3])
    #expect(copy.samples(1) == [4, 5, 6])
    #expect(copy.frameCapacity == 3)
    #expect(copy.format == buffer.format)
  }
}
