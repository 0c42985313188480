import AVFAudio
import AudioStreams
import Foundation
import LonghandTranscripts

/// Audio that an engine reads: a file, or a recording that may still grow.
///
/// An engine reads from any frame on, and again from an earlier one after a failure. Audio from a pipe therefore goes to
/// a file or a recording first.
package protocol AudioSource: Sendable {
  /// Frames per second (Hz).
  var sampleRate: Int { get }
  /// Seconds that can be read now; once the source has ended, its whole length.
  var duration: TimeInterval { get }
  /// The parts that are known to have no audio, in order; the chunks are silent there. Readers may skip long ones.
  var gaps: [RecordingGap] { get }

  /// The audio from a frame on. Reading waits while a source still grows, and ends when the source has ended.
  func chunks(from frame: Int64) -> AudioChunks
}

extension AudioSource {
  /// By default, nothing is known.
  package var gaps: [RecordingGap] { [] }

  /// The gaps of all channels that last so many seconds, from chunk to chunk.
  /// - Parameter seconds: depends on the reason of the gap.
  package func gaps(ofAtLeast seconds: (RecordingGap.Reason) -> TimeInterval) -> [RecordingGap] {
    let length = Int64(max(1, sampleRate / 10))
    return gaps.filter { $0.channel == nil }.compactMap { gap in
      let (start, end) = (
        (gap.start + length - 1) / length * length, (gap.start + gap.frames) / length * length
      )
      guard Double(end - start) >= seconds(gap.reason) * Double(sampleRate) else { return nil }
      return RecordingGap(start: start, frames: end - start, reason: gap.reason)
    }
  }
}

/// The formats of audio that can be transcribed and stored.
package enum AudioLimits {
  /// In Hz. At a lower rate a few bytes would become hours.
  package static let sampleRates = 1000...768_000
  package static let channelCounts = 1...64
}

/// The chunks of a source, in order and without gaps. Each is a tenth of a second long and starts at a multiple of a tenth
/// of a second, wherever reading starts. The first and the last may be shorter.
package struct AudioChunks: AsyncSequence, Sendable {
  /// Returns the next chunk, or nil at the end.
  package typealias Next = () async throws -> AudioChunk?

  private let reader: @Sendable () -> Next

  /// Creates a sequence of chunks.
  /// - Parameter reader: starts reading at the first frame; called once for each iteration.
  package init(_ reader: @escaping @Sendable () -> Next) { self.reader = reader }

  /// Starts reading.
  package func makeAsyncIterator() -> Iterator { Iterator(body: reader()) }

  /// Reads the chunks one after another.
  package struct Iterator: AsyncIteratorProtocol {
    let body: Next

    /// Reads the next chunk; nil at the end.
    /// - Throws: `TranscriptionError`, `CancellationError`.
    package mutating func next() async throws -> AudioChunk? { try await body() }
  }

  /// The frame after the last of the chunk that contains `frame`.
  package static func end(after frame: Int64, sampleRate: Int) -> Int64 {
    let length = Int64(Swift.max(1, sampleRate / 10))
    return (frame / length + 1) * length
  }
}

/// A part of a source's audio.
///
/// `@unchecked Sendable`: nothing changes the buffer after the chunk is made.
package struct AudioChunk: @unchecked Sendable {
  /// 32-bit floating-point samples from -1 to 1, not interleaved, at the source's rate.
  package let buffer: AVAudioPCMBuffer
  /// The offset of the first frame from the start of the source.
  package let start: Int64
  /// Whether the channels of the source had opposite phases, so that one of them was used instead of their mix.
  package var isPhaseCorrected = false

  /// A chunk of `buffer`, which must not change any more.
  package init(_ buffer: AVAudioPCMBuffer, start: Int64) {
    self.buffer = buffer
    self.start = start
  }

  /// A chunk of one channel.
  /// - Parameter samples: from -1 to 1.
  /// - Throws: `TranscriptionError.undecodable`.
  init(_ samples: [Float], start: Int64, sampleRate: Int) throws(TranscriptionError) {
    try self.init([samples], start: start, sampleRate: sampleRate)
  }

  /// A chunk of channels.
  /// - Parameter channels: the samples of each, from -1 to 1; at least one channel, and all of the same length.
  /// - Throws: `TranscriptionError.undecodable`.
  init(_ channels: [[Float]], start: Int64, sampleRate: Int) throws(TranscriptionError) {
    let count = channels.first?.count ?? 0
    let (rate, number) = (Double(sampleRate), UInt32(channels.count))
    let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | number)
    let format =
      number > 2
      ? layout.map { AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: $0) }
      : AVAudioFormat(standardFormatWithSampleRate: rate, channels: number)
    guard let format,
      let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(1, count))),
      let data = buffer.floatChannelData
    else { throw .undecodable("no buffer for audio at \(sampleRate) Hz") }
    buffer.frameLength = AVAudioFrameCount(count)
    for (index, samples) in channels.enumerated() { data[index].update(from: samples, count: samples.count) }
    self.init(buffer, start: start)
  }

  /// The chunk, with one channel in place of the channels if they have opposite phases.
  package func corrected(by phase: PhaseCorrection?) -> AudioChunk {
    guard let phase else { return self }
    var chunk = AudioChunk(phase.correct(buffer), start: start)
    chunk.isPhaseCorrected = phase.channel != nil
    return chunk
  }

  /// The frame after the last one.
  package var end: Int64 { start + Int64(buffer.frameLength) }

  /// The mean of the channels, from -1 to 1.
  package var mono: [Float] {
    guard let channels = buffer.floatChannelData else { return [] }
    let (count, stride) = (Int(buffer.format.channelCount), buffer.stride)
    let length = Int(buffer.frameLength)
    if count == 1, stride == 1 { return Array(UnsafeBufferPointer(start: channels[0], count: length)) }
    return (0..<length).map { frame in
      (0..<count).reduce(Float(0)) { $0 + channels[$1][frame * stride] } / Float(count)
    }
  }
}
