import AVFAudio
import AudioStreams

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
  private var conversion: AudioConversion?

  /// Converts a buffer. A buffer of another format than the one before starts anew, after what was held back.
  /// - Throws: `SFSpeechError.incompatibleAudioFormats`.
  func convert(_ buffer: AVAudioPCMBuffer) throws -> [Int16] {
    guard buffer.frameLength > 0 else { return [] }
    if buffer.format == output, conversion == nil { return Self.samples(of: buffer) }
    var held: [Int16] = []
    if conversion?.converter.inputFormat != buffer.format {
      held = try finish()
      guard let fresh = AudioConversion(from: buffer.format, to: output) else {
        throw SFSpeechError(.incompatibleAudioFormats)
      }
      // Every channel may be the one that is spoken into.
      fresh.converter.downmix = true
      conversion = fresh
    }
    return held + (try run(giving: buffer))
  }

  /// What the conversion still holds back.
  func finish() throws -> [Int16] {
    defer { conversion = nil }
    return try run(giving: nil)
  }

  private func run(giving buffer: AVAudioPCMBuffer?) throws -> [Int16] {
    guard let conversion else { return [] }
    do {
      let outputs = if let buffer { try conversion.convert(buffer) } else { try conversion.finish() }
      return outputs.flatMap(Self.samples)
    } catch {
      switch error {
      case .outOfMemory: throw SFSpeechError(.insufficientResources)
      case .failed(let cause):
        throw SFSpeechError(.incompatibleAudioFormats, userInfo: [NSUnderlyingErrorKey: cause as Any])
      }
    }
  }

  private static func samples(of buffer: AVAudioPCMBuffer) -> [Int16] {
    guard let channels = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
  }
}
