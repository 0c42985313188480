import AVFAudio
import Synchronization
import Testing

/// Audio that never changes: AVFAudio of 2026.
@Suite struct ReadOnlyBufferTests {
  private func format(_ type: AVAudioCommonFormat, channels: UInt32 = 2, interleaved: Bool) throws
    -> AVAudioFormat
  {
    try #require(
      AVAudioFormat(commonFormat: type, sampleRate: 8000, channels: channels, interleaved: interleaved))
  }

  @Test func copyOwnsItsSamples() async throws {
    let source = try AVAudioPCMBuffer.make([[1, 2, 3], [4, 5, 6]], rate: 8000)
    source.frameLength = 2
    let fixed = AVReadOnlyAudioPCMBuffer(copying: source)
    source.floatChannelData?[0][0] = 99
    #expect(fixed.format == source.format && fixed.stride == 1)
    #expect(fixed.frameLength == 2 && fixed.frameCapacity == 3)
    // Any task may read it.
    let copy = await Task.detached { AVAudioPCMBuffer(copying: fixed).samples(0) }.value
    #expect(copy == [1, 2])
    // The copy of the copy can be written to.
    let written = AVAudioPCMBuffer(copying: fixed)
    written.floatChannelData?[1][1] = -1
    #expect(written.samples(1) == [4, -1])
    #expect(AVAudioPCMBuffer(copying: fixed).samples(1) == [4, 5])
    #expect(AVAudioPCMBuffer(copying: written).samples(1) == [4, -1])
  }

  @Test func retainedBufferIsNotCopied() throws {
    let source = try AVAudioPCMBuffer.make([[1]], rate: 8000)
    let memory = source.audioBufferList.pointee.mBuffers.mData
    nonisolated(unsafe) let given = source
    let fixed = AVReadOnlyAudioPCMBuffer(unsafeRetaining: given)
    #expect(fixed.withUnsafeAudioBufferList { $0.pointee.mBuffers.mData } == memory)
    #expect(
      AVReadOnlyAudioPCMBuffer(copying: source).withUnsafeAudioBufferList { $0.pointee.mBuffers.mData }
        != memory)
  }

  @Test func closureWritesTheAudio() throws {
    let format = try format(.pcmFormatInt16, interleaved: true)
    let fixed = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 4) { list in
      let buffer = list.pointee.mBuffers
      #expect(buffer.mDataByteSize == 16)
      let samples = buffer.mData?.assumingMemoryBound(to: Int16.self)
      for index in 0..<6 { samples?[index] = Int16(index) }
      list.pointee.mBuffers.mDataByteSize = 12
    }
    #expect(fixed.frameCapacity == 4 && fixed.frameLength == 3 && fixed.stride == 2)
    let copy = AVAudioPCMBuffer(copying: fixed)
    #expect(copy.int16ChannelData?[1][4] == 5)
    #expect(throws: CocoaError.self) {
      _ = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: 4) { _ in
        throw CocoaError(.fileNoSuchFile)
      }
    }
    for capacity in [-1, 1 << 40] {
      #expect(throws: NSError.self) {
        _ = try AVReadOnlyAudioPCMBuffer(format: format, frameCapacity: capacity) { _ in }
      }
    }
  }

  private func sum(_ data: borrowing AVReadOnlyAudioPCMBuffer.ChannelData) -> (count: Int, sum: Double) {
    switch data {
    case .float(let samples): (samples.count, samples.indices.reduce(0) { $0 + Double(samples[$1]) })
    case .int16(let samples): (samples.count, samples.indices.reduce(0) { $0 + Double(samples[$1]) })
    case .int32(let samples): (samples.count, samples.indices.reduce(0) { $0 + Double(samples[$1]) })
    }
  }

  @Test(arguments: [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatInt16, .pcmFormatInt32])
  func channelsCanBeReadAndWritten(type: AVAudioCommonFormat) throws {
    for interleaved in [false, true] {
      let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: format(type, interleaved: interleaved), frameCapacity: 5))
      buffer.frameLength = 3
      for channel in 0..<2 {
        // As far as the capacity, and in an interleaved buffer past the other channels.
        switch buffer.mutableChannelData(channel) {
        case .float(var samples): for i in samples.indices { samples[i] = Float(channel + 1) }
        case .int16(var samples): for i in samples.indices { samples[i] = Int16(channel + 1) }
        case .int32(var samples): for i in samples.indices { samples[i] = Int32(channel + 1) }
        }
      }
      // The second channel wrote over the first from its own first sample on.
      let first = sum(buffer.channelData(0))
      #expect(first.count == (interleaved ? 6 : 3))
      #expect(first.sum == (interleaved ? 11 : 3))
      let fixed = AVReadOnlyAudioPCMBuffer(copying: buffer)
      let second = sum(fixed.channelData(1))
      #expect(second.count == (interleaved ? 5 : 3))
      #expect(second.sum == (interleaved ? 10 : 6))
    }
    let empty = try #require(AVAudioPCMBuffer(pcmFormat: format(type, interleaved: true), frameCapacity: 5))
    #expect(sum(empty.channelData(1)).count == 0)
  }

  @Test func fileGivesAndTakesFixedBuffers() throws {
    let folder = try TemporaryFolder()
    let file = try AVAudioFile(
      forWriting: folder.file("a.wav"), settings: [AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1])
    try file.write(from: AVReadOnlyAudioPCMBuffer(copying: .make([[0.5, -0.5, 0.25]], rate: 8000)))
    file.close()
    let reading = try AVAudioFile(forReading: folder.file("a.wav"))
    #expect(try AVAudioPCMBuffer(copying: reading.read(frameCount: 2)).samples(0) == [0.5, -0.5])
    #expect(try reading.read(frameCount: 2).frameLength == 1)
    #expect(try reading.read(frameCount: 2).frameLength == 0)
  }

  @Test func bufferOverForeignMemoryReleasesIt() throws {
    let format = try format(.pcmFormatFloat32, channels: 1, interleaved: false)
    let fixed = AVReadOnlyAudioPCMBuffer(copying: try .make([[1, 2, 3]], rate: 8000))
    let released = Mutex(0)
    fixed.withUnsafeAudioBufferList { list in
      let view = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list) { given in
        #expect(given == list)
        released.withLock { $0 += 1 }
      }
      #expect(view?.frameLength == 3 && view?.frameCapacity == 3)
      #expect(view?.samples(0) == [1, 2, 3])
      #expect(view?.floatChannelData?[0] == list.pointee.mBuffers.mData?.assumingMemoryBound(to: Float.self))
      #expect(released.withLock { $0 } == 0)
    }
    #expect(released.withLock { $0 } == 1)
    let stereo = try self.format(.pcmFormatFloat32, interleaved: false)
    fixed.withUnsafeAudioBufferList {
      #expect(AVAudioPCMBuffer(pcmFormat: stereo, bufferListNoCopy: $0) == nil)
    }
  }

  @Test func tapThatCannotBeInstalledIsAnError() throws {
    let node = AVAudioInputNode()
    let odd = try #require(AVAudioFormat(standardFormatWithSampleRate: 12_345, channels: 1))
    try node.installAudioTap(onBus: 0, bufferSize: 1024, format: odd) { _, _ in }
    #expect {
      try node.installAudioTap(onBus: 0, bufferSize: 1024, format: nil) { _, _ in }
    } throws: { ($0 as NSError).code == -10_863 && "\($0)".contains("removeTap") }
    node.removeTap(onBus: 0)
    #expect(throws: NSError.self) {
      try node.installAudioTap(onBus: 1, bufferSize: 1024, format: nil) { _, _ in }
    }
    #expect(throws: NSError.self) {
      try node.installAudioTap(onBus: 0, bufferSize: 1024, format: AVAudioFormat()) { _, _ in }
    }
    let aac = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
      ]))
    #expect {
      try node.installAudioTap(onBus: 0, bufferSize: 1024, format: aac) { _, _ in }
    } throws: { "\($0)".contains("compressed") }
    // A tap that was refused leaves no trace.
    try node.installAudioTap(onBus: 0, bufferSize: 1024, format: nil) { _, _ in }
  }
}
