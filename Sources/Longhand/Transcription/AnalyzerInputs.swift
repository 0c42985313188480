import AVFAudio
import AudioStreams
import CoreMedia
import Speech

/// The audio of a source as inputs of an analyzer, from a time on.
@available(macOS 26, iOS 26, *)
struct AnalyzerInputs: AsyncSequence, Sendable {
  let audio: any AudioSource
  /// Seconds from the start of the source; a whole number, so that chunks are cut at the same frames as from 0.
  let start: TimeInterval
  /// What the analyzer takes.
  let format: AVAudioFormat
  /// Called with each range (seconds) in which the channels have opposite phases.
  let reportOppositePhase: @Sendable (ClosedRange<TimeInterval>) -> Void

  func makeAsyncIterator() -> Iterator {
    let chunks = audio.chunks(from: Int64(start) * Int64(audio.sampleRate))
    let rate = Double(audio.sampleRate)
    return Iterator(chunks: chunks.makeAsyncIterator(), start: start, format: format) { chunk in
      reportOppositePhase(Double(chunk.start) / rate...Double(chunk.end) / rate)
    }
  }

  struct Iterator: AsyncIteratorProtocol {
    private var chunks: AudioChunks.Iterator
    private let start: TimeInterval
    private let format: AVAudioFormat
    private let reportOppositePhase: (AudioChunk) -> Void
    private var conversion: AudioConversion?
    /// Converted audio that the analyzer has not had yet.
    private var ready: [AVAudioPCMBuffer] = []
    private var hasBegun = false

    init(
      chunks: AudioChunks.Iterator, start: TimeInterval, format: AVAudioFormat,
      reportOppositePhase: @escaping (AudioChunk) -> Void
    ) {
      self.chunks = chunks
      self.start = start
      self.format = format
      self.reportOppositePhase = reportOppositePhase
    }

    /// - Throws: `TranscriptionError`, `CancellationError`.
    mutating func next() async throws -> AnalyzerInput? {
      while ready.isEmpty {
        let chunk = try await chunks.next()
        guard chunk != nil || conversion != nil else { return nil }
        do {
          ready = try convert(chunk)
          if let chunk, chunk.isPhaseCorrected || conversion?.isPhaseCorrected == true {
            reportOppositePhase(chunk)
          }
        } catch let error as AudioConversionError {
          throw TranscriptionError.undecodable(error.description)
        }
      }
      return input(ready.removeFirst())
    }

    /// Converts the next chunk; nil ends the audio.
    private mutating func convert(_ chunk: AudioChunk?) throws -> [AVAudioPCMBuffer] {
      guard let chunk else {
        defer { conversion = nil }
        return try conversion?.finish() ?? []
      }
      if let conversion { return try conversion.convert(chunk.buffer) }
      let source = chunk.buffer.format
      guard let conversion = AudioConversion(from: source, to: format) else {
        throw TranscriptionError.undecodable(
          "audio at \(source.sampleRate) Hz cannot be converted to \(format.sampleRate) Hz")
      }
      // The speaker may be on any channel.
      conversion.converter.downmix = true
      self.conversion = conversion
      return try conversion.convert(chunk.buffer)
    }

    private mutating func input(_ buffer: AVAudioPCMBuffer) -> AnalyzerInput {
      defer { hasBegun = true }
      let time = CMTime(value: Int64(start * format.sampleRate), timescale: Int32(format.sampleRate))
      return AnalyzerInput(buffer: buffer, bufferStartTime: hasBegun || start == 0 ? nil : time)
    }
  }
}
