import AVFAudio
import AudioStreams
import RecognitionCore

/// Converts audio of any format to that of the recognizer: 16 kHz, mono, 16-bit.
///
/// For one thread at a time.
final class AudioIntake {
  /// The recognizer's format.
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

  /// Converts a buffer. A buffer of a new format starts a new conversion, after the rest of the old one.
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
      // The speech may be on any channel.
      fresh.converter.downmix = true
      conversion = fresh
    }
    return held + (try run(giving: buffer))
  }

  /// Ends the conversion, and returns the samples that it still holds.
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
      throw error.speechError
    }
  }

  private static func samples(of buffer: AVAudioPCMBuffer) -> [Int16] {
    guard let channels = buffer.int16ChannelData else { return [] }
    return Array(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
  }
}

extension AudioRecognition {
  /// Takes a buffer of any format that nothing else uses.
  /// - Parameter converter: the same for all buffers of a recognition, and for nothing else.
  func append(_ buffer: UncheckedBox<AVAudioPCMBuffer>, by converter: UncheckedBox<AudioIntake>) {
    append {
      try converter.value.convert(buffer.value)
    } rest: {
      try converter.value.finish()
    }
  }
}

extension AudioConversionError {
  /// The error for a client.
  var speechError: SFSpeechError {
    switch self {
    case .outOfMemory: SFSpeechError(.insufficientResources)
    case .failed(let cause):
      SFSpeechError(.incompatibleAudioFormats, userInfo: [NSUnderlyingErrorKey: cause as Any])
    }
  }
}

/// Reads an audio file to its end in the recognizer's format: 16 kHz, mono, 16-bit.
///
/// For one thread at a time.
struct AudioFileReader {
  private let file: AVAudioFile
  private let intake = AudioIntake()
  private let buffer: AVAudioPCMBuffer
  private var isOver = false

  /// Opens a file.
  /// - Throws: `SFSpeechError.audioReadFailed`, `.insufficientResources`.
  init(url: URL) throws {
    do {
      try self.init(file: AVAudioFile(forReadingInService: url))
    } catch let error as SFSpeechError {
      throw error
    } catch {
      throw SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
    }
  }

  /// What opens a file, and returns what reads it.
  static func opening(_ url: URL) -> @Sendable () throws -> () throws -> [Int16]? {
    {
      var reader = try AudioFileReader(url: url)
      return { try reader.next() }
    }
  }

  /// - Throws: `SFSpeechError.insufficientResources`.
  init(file: AVAudioFile) throws {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 16_384) else {
      throw SFSpeechError(.insufficientResources)
    }
    self.file = file
    self.buffer = buffer
  }

  /// The next samples, at least one; nil at the end.
  /// - Throws: `SFSpeechError.audioReadFailed`, `.incompatibleAudioFormats`.
  mutating func next() throws -> [Int16]? {
    while !isOver {
      do {
        try file.read(into: buffer)
      } catch {
        throw SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
      }
      isOver = buffer.frameLength == 0
      let samples = isOver ? try intake.finish() : try intake.convert(buffer)
      if !samples.isEmpty { return samples }
    }
    return nil
  }
}
