import AVFAudio
import CoreMedia

extension AVAudioPCMBuffer {
  /// A copy of the PCM audio in a sample buffer; nil if it holds none, or less than it says.
  convenience init?(sampleBuffer: CMSampleBuffer) {
    guard sampleBuffer.numSamples > 0, sampleBuffer.numSamples <= Int(UInt32.max),
      let data = sampleBuffer.dataBuffer,
      var description = sampleBuffer.formatDescription?.audioStreamBasicDescription,
      let format = AVAudioFormat(streamDescription: &description)
    else { return nil }
    self.init(pcmFormat: format, frameCapacity: AVAudioFrameCount(sampleBuffer.numSamples))
    frameLength = frameCapacity
    let buffers = UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
    guard let bytes = try? data.dataBytes(),
      bytes.count >= buffers.reduce(0, { $0 + Int($1.mDataByteSize) })
    else { return nil }
    var start = 0
    for buffer in buffers {
      guard let memory = buffer.mData else { return nil }
      bytes.copyBytes(
        to: UnsafeMutableRawBufferPointer(start: memory, count: Int(buffer.mDataByteSize)),
        from: start..<start + Int(buffer.mDataByteSize))
      start += Int(buffer.mDataByteSize)
    }
  }
}
