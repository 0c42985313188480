import AVFAudio

/// Reads a sound file, from where it is read next to its end, as what the recognizer takes: 16 kHz, mono, 16-bit.
///
/// Not for more than one thread.
struct AudioFileReader {
  private let file: AVAudioFile
  private let intake = AudioIntake()
  private let buffer: AVAudioPCMBuffer
  private var isOver = false

  /// Opens a file.
  /// - Throws: `SFSpeechError.audioReadFailed`, `.insufficientResources`.
  init(url: URL) throws {
    do {
      try self.init(file: AVAudioFile(forReading: url))
    } catch let error as SFSpeechError {
      throw error
    } catch {
      throw SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
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

  /// The next samples, never none; nil at the end.
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
