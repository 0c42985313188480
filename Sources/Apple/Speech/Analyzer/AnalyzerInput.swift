import AVFAudio
import CoreMedia

/// A buffer of audio for a `SpeechAnalyzer`.
///
/// `@unchecked Sendable`, as on Apple platforms: do not change the buffer after handing it in.
public struct AnalyzerInput: @unchecked Sendable {
  /// The audio. The analyzer does not convert it; see `SpeechAnalyzer.bestAvailableAudioFormat(compatibleWith:)`.
  public let buffer: AVAudioPCMBuffer
  /// The start of the buffer on the analyzer's timeline. Nil: the buffer follows the one before, or starts at 0 if it is
  /// the first.
  public let bufferStartTime: CMTime?

  /// Creates an input that follows the one before.
  public init(buffer: AVAudioPCMBuffer) {
    self.init(buffer: buffer, bufferStartTime: nil)
  }

  /// Creates an input that starts at a time. A time before the end of the audio so far ends the analysis with
  /// `SFSpeechError.audioDisordered`.
  public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {
    self.buffer = buffer
    self.bufferStartTime = bufferStartTime
  }
}

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
      return AnalyzerInput(buffer: buffer)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }
}
