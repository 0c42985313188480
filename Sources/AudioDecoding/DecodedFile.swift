import CFFmpeg

/// What a decoder says about a file.
package struct DecodedFile: Sendable, Equatable, Codable {
  /// The sample rate of the first frame, in Hz.
  package var rate: Int32
  /// The number of channels of the first frame.
  package var channels: Int32
  /// FFmpeg's name of the codec, such as `mp3`.
  package var codec: String
  /// The bits of a sample on disk, if the codec says them; else 0.
  package var bitsPerSample: Int32
  /// Whether the decoder yields floating point, in which samples can be beyond full scale.
  package var isFloat = false
  /// The exact number of frames, where it is known.
  package var length: Int64?
  /// The audio tracks of the file, in its order.
  package var tracks: [AudioTrack] = []
  /// Seconds from the start of the file, which may begin with a picture, to the start of this track's audio.
  package var lead = 0.0
  /// The time code at its beginning, and the rate of its frames; nil if it states neither.
  package var timecode: StatedTimecode?
  /// The stated length and the damaged parts; nil before all of the file was decoded.
  package var condition: AudioFileCondition?

  /// Whether the values are possible in a file of `size` bytes. A file that is decoded elsewhere has only claims.
  func isPlausible(size: Int64) -> Bool {
    let length = length ?? 0
    // The holes of a condition that is possible are no longer than the file.
    guard length >= 0, condition?.isPlausible(length: length) != false else { return false }
    let missing = condition?.missingFrames ?? 0
    return DecodedStream.rates.contains(rate) && (1...DecodedStream.maximumChannels).contains(channels)
      && (0...64).contains(bitsPerSample) && codec.utf8.count <= 64
      && codec.utf8.allSatisfy { $0 > 32 && $0 < 127 }
      && missing <= maxMissing && length - missing <= Self.maximumLength(size: size)
      && tracks.count <= AudioTrack.maxCount && tracks.allSatisfy(\.isPlausible)
      && lead >= 0 && lead <= Self.maxLead && timecode?.isPlausible != false
  }

  /// Seconds: no picture lasts longer before the audio begins.
  static let maxLead = 1e6

  /// More frames than any file of `size` bytes has. FLAC has 65,535 frames of silence in a dozen bytes.
  private static func maximumLength(size: Int64) -> Int64 {
    let (length, overflow) = size.multipliedReportingOverflow(by: 1 << 16)
    return overflow ? .max : length
  }

  /// The most frames of silence in place of holes, whose length does not depend on the size of the file.
  private var maxMissing: Int64 { Int64(FrameTimeline.maxMissing * Double(rate)) }

  /// A position that is after the end of every file of `size` bytes, with its holes.
  func maximumPosition(size: Int64) -> Int64 {
    let (end, overflow) = Self.maximumLength(size: size).addingReportingOverflow(maxMissing)
    return overflow ? .max : end
  }
}

/// Decodes one file, in this process or in another. Not thread-safe.
package protocol FileDecoding: AnyObject {
  /// What is known without decoding all of it.
  var file: DecodedFile { get }

  /// Decodes all of the file, to find out what only its end shows. The next read is not affected.
  func scan() throws -> DecodedFile

  /// Reads up to `count` frames from `position` on into `planes`, which have the sample type that the decoder was opened
  /// for. Returns how many; 0 at the end.
  func read(at position: Int64, into planes: [SampleConverter.Plane], count: Int) throws -> Int
}

/// Where a file is decoded.
package enum DecodingIsolation: Sendable {
  /// In a process of its own, or in this one if there is no `audio-decoder`.
  case preferred
  /// In a process of its own. Without `audio-decoder` opening the file throws.
  case required
}

/// Decodes a file in this process.
package final class ProcessDecoder: FileDecoding {
  private let decoder: AudioDecoder
  package private(set) var file: DecodedFile

  /// The layout of the samples that `read` returns.
  package var output: SampleLayout { decoder.output }

  /// Opens a file, and decodes its first frame.
  /// - Parameter track: the index among the audio tracks; nil for the one that FFmpeg prefers.
  package init(file: LocalFile, track: Int? = nil, type: AVSampleFormat) throws {
    decoder = try AudioDecoder(file: file, track: track) { _ in type }
    self.file = DecodedFile(
      rate: decoder.native.rate, channels: decoder.native.channels,
      codec: String(cString: avcodec_get_name(decoder.codecID)),
      bitsPerSample: av_get_bits_per_sample(decoder.codecID), isFloat: decoder.native.isFloat,
      length: decoder.statedLength,
      tracks: decoder.tracks, lead: decoder.lead, timecode: decoder.timecode)
  }

  package func scan() throws -> DecodedFile {
    if file.condition == nil {
      let measured = try decoder.measure()
      file.length = measured.length
      file.condition = measured.condition
    }
    return file
  }

  package func read(
    at position: Int64, into planes: [SampleConverter.Plane], count: Int
  ) throws -> Int {
    try decoder.seek(to: position)
    guard decoder.position == position else { return 0 }
    return try decoder.read(into: planes, count: count)
  }
}
