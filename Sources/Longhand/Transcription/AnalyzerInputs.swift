import AVFAudio
import CoreMedia
import Speech

/// A recording as inputs of an analyzer, from a time on.
struct AnalyzerInputs: AsyncSequence, Sendable {
  let audio: RecordingAudio
  /// Seconds from the start of the recording; a whole number, so that frames fall on the same places as from 0.
  let start: TimeInterval
  /// What the analyzer takes.
  let format: AVAudioFormat

  func makeAsyncIterator() -> Iterator {
    Iterator(
      pieces: audio.pieces(from: Int64(start) * Int64(audio.format.sampleRate)).makeAsyncIterator(),
      start: start, format: format)
  }

  struct Iterator: AsyncIteratorProtocol {
    private var pieces: RecordingAudio.Pieces.Iterator
    private let start: TimeInterval
    private let format: AVAudioFormat
    private var conversion: AudioConversion?
    private var hasBegun = false

    init(pieces: RecordingAudio.Pieces.Iterator, start: TimeInterval, format: AVAudioFormat) {
      self.pieces = pieces
      self.start = start
      self.format = format
    }

    /// - Throws: `TranscriptionError`, `CancellationError`.
    mutating func next() async throws -> AnalyzerInput? {
      while let sound = try await pieces.next() {
        let conversion = try self.conversion ?? AudioConversion(from: sound.format, to: format)
        self.conversion = conversion
        let buffer = try conversion.convert(sound.buffer())
        guard buffer.frameLength > 0 else { continue }
        return input(buffer)
      }
      guard let rest = try conversion?.finish(), rest.frameLength > 0 else { return nil }
      conversion = nil
      return input(rest)
    }

    private mutating func input(_ buffer: AVAudioPCMBuffer) -> AnalyzerInput {
      defer { hasBegun = true }
      let time = CMTime(value: Int64(start * format.sampleRate), timescale: Int32(format.sampleRate))
      return AnalyzerInput(buffer: buffer, bufferStartTime: hasBegun || start == 0 ? nil : time)
    }
  }
}
