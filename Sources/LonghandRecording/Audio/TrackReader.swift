import Foundation
import LonghandTranscripts

/// The samples of one audio track on a time line that begins at 0.
protocol TrackReader: Sendable {
  /// Frames per second (Hz).
  var sampleRate: Int { get }
  /// The number of channels.
  var channels: Int { get }
  /// Seconds from the beginning to the end of the audio.
  var duration: TimeInterval { get }
  /// Seconds before the audio begins.
  var lead: TimeInterval { get }
  /// The length that the file states, in seconds; nil if it states none, or the same within half a second.
  var statedDuration: TimeInterval? { get }
  /// The parts without audio, in seconds and in order, and why: before it begins, and where it is damaged.
  var gaps: [(range: ClosedRange<TimeInterval>, reason: RecordingGap.Reason)] { get }
  /// What readers of a transcript should know about the track.
  var warnings: [TranscriptWarning] { get }
  /// All tracks of the file.
  var tracks: [TranscriptTrack] { get }
  /// The time code at the beginning of the file; nil if it is not known.
  var timecode: Timecode? { get }

  /// Reads frames of the time line; fewer at the end of the audio.
  /// - Parameters:
  ///   - start: counted in frames of `rate`.
  ///   - count: the number of frames.
  ///   - rate: frames per second; not less than `sampleRate`.
  /// - Returns: the samples of each channel, from -1 to 1.
  /// - Throws: `TranscriptionError`.
  func read(at start: Int64, count: Int, rate: Int) throws(TranscriptionError) -> [[Float]]

  /// The same track, opened once more to be read at another position. What is known of it is not determined again.
  /// - Throws: `TranscriptionError`.
  func again() throws(TranscriptionError) -> any TrackReader
}

/// The same track of several files as one: each file begins where the one before it ends.
struct JoinedTrackReader: TrackReader {
  let sampleRate: Int
  let channels: Int
  let duration: TimeInterval
  let gaps: [(range: ClosedRange<TimeInterval>, reason: RecordingGap.Reason)]
  let warnings: [TranscriptWarning]
  var lead: TimeInterval { parts[0].lead }
  var statedDuration: TimeInterval? { nil }
  var tracks: [TranscriptTrack] { parts[0].tracks }
  var timecode: Timecode? { parts[0].timecode }

  private let parts: [any TrackReader]
  /// Seconds from the beginning of the first part to that of each.
  private let starts: [TimeInterval]

  /// - Parameter parts: at least one, with the names that errors use.
  /// - Throws: `TranscriptionError.undecodable` if they are not parts of one recording.
  init(_ parts: [(name: String, reader: any TrackReader)]) throws(TranscriptionError) {
    let first = parts[0]
    for part in parts {
      try Self.compare("channels", part.reader.channels, first.reader.channels, part.name, first.name)
      try Self.compare(
        "audio tracks", part.reader.tracks.count, first.reader.tracks.count, part.name, first.name)
      #if !os(Linux)
        try Self.compare("Hz", part.reader.sampleRate, first.reader.sampleRate, part.name, first.name)
      #endif
    }
    let readers = parts.map(\.reader)
    let rate = Double(readers.map(\.sampleRate).max() ?? 1)
    var starts: [TimeInterval] = []
    var end = 0.0
    for reader in readers {
      starts.append(end)
      // A part begins at a whole frame.
      end = ((end + reader.duration) * rate).rounded() / rate
    }
    self.parts = readers
    (self.starts, duration, sampleRate) = (starts, end, Int(rate))
    channels = first.reader.channels
    gaps = zip(readers, starts).flatMap { reader, start in
      reader.gaps.map { ($0.range.lowerBound + start...$0.range.upperBound + start, $0.reason) }
    }
    warnings = zip(parts, starts).flatMap { part, start in
      part.reader.warnings.map { warning in
        TranscriptWarning(
          code: warning.code, message: "\(part.name): \(warning.message)", start: warning.start + start,
          end: warning.end + start)
      }
    }
  }

  private init(_ parts: [any TrackReader], like other: JoinedTrackReader) {
    self.parts = parts
    (sampleRate, channels, duration) = (other.sampleRate, other.channels, other.duration)
    (gaps, warnings, starts) = (other.gaps, other.warnings, other.starts)
  }

  func again() throws(TranscriptionError) -> any TrackReader {
    var copies: [any TrackReader] = []
    for part in parts { copies.append(try part.again()) }
    return JoinedTrackReader(copies, like: self)
  }

  func read(at start: Int64, count: Int, rate: Int) throws(TranscriptionError) -> [[Float]] {
    func frame(_ time: TimeInterval) -> Int64 { Int64(clamping: (time * Double(rate)).rounded()) }
    var samples = Array(repeating: [Float](), count: channels)
    let end = min(start + Int64(count), frame(duration))
    var position = start
    for (index, part) in parts.enumerated() where position < end {
      let limit = index + 1 < starts.count ? frame(starts[index + 1]) : end
      let wanted = Int(min(end, limit) - position)
      guard wanted > 0 else { continue }
      let read = try part.read(at: position - frame(starts[index]), count: wanted, rate: rate)
      for channel in samples.indices {
        samples[channel] += read[channel] + Array(repeating: 0, count: wanted - read[channel].count)
      }
      position += Int64(wanted)
    }
    return samples
  }

  private static func compare(
    _ what: String, _ number: Int, _ other: Int, _ name: String, _ first: String
  ) throws(TranscriptionError) {
    guard number != other else { return }
    throw .undecodable(
      "'\(name)' has \(number) \(what) and '\(first)' has \(other), so they are not parts of one recording")
  }
}
