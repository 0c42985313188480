import AVFAudio

/// The audio of a file, from where it is read next to its end, as inputs that every module takes. It is read as it
/// is asked for.
struct AudioFileInputs: AsyncSequence, Sendable {
  let file: AVAudioFile

  struct AsyncIterator: AsyncIteratorProtocol {
    let file: AVAudioFile
    private let intake = AudioIntake()
    private let buffer: AVAudioPCMBuffer?
    private var isOver = false

    init(file: AVAudioFile) {
      self.file = file
      buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 16_384)
    }

    /// - Throws: `SFSpeechError.audioReadFailed`, `.incompatibleAudioFormats`.
    mutating func next() async throws -> AnalyzerInput? {
      guard let buffer else { throw SFSpeechError(.insufficientResources) }
      while !isOver, !Task.isCancelled {
        do {
          try file.read(into: buffer)
        } catch {
          throw SFSpeechError(.audioReadFailed, userInfo: [NSUnderlyingErrorKey: error])
        }
        isOver = buffer.frameLength == 0
        let samples = isOver ? try intake.finish() : try intake.convert(buffer)
        if !samples.isEmpty { return try Self.input(samples) }
      }
      return nil
    }

    private static func input(_ samples: [Int16]) throws -> AnalyzerInput {
      guard
        let buffer = AVAudioPCMBuffer(
          pcmFormat: AudioIntake.format, frameCapacity: AVAudioFrameCount(samples.count)),
        let channels = buffer.int16ChannelData
      else { throw SFSpeechError(.insufficientResources) }
      buffer.frameLength = AVAudioFrameCount(samples.count)
      channels[0].update(from: samples, count: samples.count)
      return AnalyzerInput(buffer: buffer)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }
}
