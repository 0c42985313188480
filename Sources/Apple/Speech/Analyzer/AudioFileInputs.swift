import AVFAudio

/// The audio of a file, from its current position to its end, in a format that every module accepts. The file is read on
/// demand.
struct AudioFileInputs: AsyncSequence, Sendable {
  let file: AVAudioFile

  struct AsyncIterator: AsyncIteratorProtocol {
    let file: AVAudioFile
    private var reader: AudioFileReader?

    init(file: AVAudioFile) { self.file = file }

    /// - Throws: `SFSpeechError.audioReadFailed`, `.incompatibleAudioFormats`, `.insufficientResources`.
    mutating func next() async throws -> AnalyzerInput? {
      var reader = try self.reader ?? AudioFileReader(file: file)
      defer { self.reader = reader }
      guard !Task.isCancelled, let samples = try reader.next() else { return nil }
      return try Self.input(samples)
    }

    private static func input(_ samples: [Int16]) throws -> AnalyzerInput {
      guard
        let buffer = AVAudioPCMBuffer(
          pcmFormat: AudioIntake.format, frameCapacity: AVAudioFrameCount(samples.count)),
        let channels = buffer.int16ChannelData
      else { throw SFSpeechError(.insufficientResources) }
      buffer.frameLength = AVAudioFrameCount(samples.count)
      channels[0].update(from: samples, count: samples.count)
      return AnalyzerInput(.init(owned: buffer), at: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }
}
