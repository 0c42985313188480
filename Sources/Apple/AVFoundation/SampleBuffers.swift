import AVFAudio
import CoreMedia

extension CMSampleBuffer {
  convenience init(copying buffer: AVAudioPCMBuffer, at time: CMTime) throws {
    try self.init(
      dataBuffer: nil,
      formatDescription: CMFormatDescription(
        audioStreamBasicDescription: buffer.format.streamDescription.pointee),
      numSamples: Int(buffer.frameLength), presentationTimeStamp: time, packetDescriptions: [])
    try setDataBuffer(fromAudioBufferList: buffer.audioBufferList)
  }
}

extension AVAudioFormat {
  /// The format that `settings` ask for, with what they leave open from this format: uncompressed, 16-bit integers and
  /// interleaved by default. Nil if there is no such format.
  func changed(by settings: [String: Any]?) -> AVAudioFormat? {
    var values: [String: Any] = [AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount)]
    if let channelLayout { values[AVChannelLayoutKey] = channelLayout }
    values.merge(settings ?? [:]) { $1 }
    if channelCount != (values[AVNumberOfChannelsKey] as? NSNumber)?.uint32Value,
      settings?[AVChannelLayoutKey] == nil
    {
      values[AVChannelLayoutKey] = nil
    }
    let format = AVAudioFormat(settings: values)
    return format?.commonFormat == .otherFormat ? nil : format
  }
}
