import AVFAudio

/// Brings audio of any format to what the recognizer takes: 16 kHz, mono, 16-bit.
///
/// Not for more than one thread.
final class AudioIntake {
  /// Where it all ends up.
  static var format: AVAudioFormat {
    guard
      let format = AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: Double(SpeechSegmenter.sampleRate), channels: 1,
        interleaved: true)
    else { preconditionFailure("16 kHz mono is a valid format") }
    return format
  }

  private let output = AudioIntake.format
  private var converter: AVAudioConverter?

  /// Converts a buffer. A buffer of another format than the one before starts anew, after what was held back.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats`.
  func convert(_ buffer: AVAudioPCMBuffer) throws -> [Int16] {
    guard buffer.frameLength > 0 else { return [] }
    if buffer.format == output, converter == nil { return Self.samples(of: buffer) }
    var held: [Int16] = []
    if converter?.inputFormat != buffer.format {
      held = try finish()
      guard let fresh = AVAudioConverter(from: buffer.format, to: output) else {
        throw SFSpeechError(.incompatibleAudioFormats)
      }
      // Every channel may be the one that is spoken into.
      fresh.downmix = true
      converter = fresh
    }
    return held + (try run(giving: buffer))
  }

  /// What the conversion still holds back.
  func finish() throws -> [Int16] {
    guard converter != nil else { return [] }
    defer { converter = nil }
    return try run(giving: nil)
  }

  private func run(giving buffer: AVAudioPCMBuffer?) throws -> [Int16] {
    guard let converter else { return [] }
    let ratio = output.sampleRate / converter.inputFormat.sampleRate
    let expected = Double(buffer?.frameLength ?? 0) * ratio
    guard let part = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: AVAudioFrameCount(expected) + 4096)
    else {
      throw SFSpeechError(.insufficientResources)
    }
    var result: [Int16] = []
    var left = buffer
    while true {
      var error: NSError?
      let status = converter.convert(to: part, error: &error) { _, inputStatus in
        defer { left = nil }
        inputStatus.pointee = left != nil ? .haveData : buffer == nil ? .endOfStream : .noDataNow
        return left
      }
      result += Self.samples(of: part)
      switch status {
      case .haveData where part.frameLength > 0: continue
      case .error:
        throw SFSpeechError(.incompatibleAudioFormats, userInfo: [NSUnderlyingErrorKey: error as Any])
      default: return result
      }
    }
  }

  private static func samples(of buffer: AVAudioPCMBuffer) -> [Int16] {
    guard let channels = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
  }
}
