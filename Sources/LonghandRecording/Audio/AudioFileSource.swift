import AVFAudio
import AudioStreams
import Foundation
import LonghandTranscripts

/// The audio of a file, or of a video. Of a file with several audio tracks, each track is a channel.
package final class AudioFileSource: ChannelAudio {
  /// The extensions by which files in folders are chosen, in lower case. A file that the user names may have any.
  package static let extensions: Set<String> = [
    "3gp", "aac", "ac3", "aif", "aifc", "aiff", "amr", "ape", "au", "avi", "caf", "flac", "flv", "gsm", "m4a",
    "m4b", "m4v", "mka", "mkv", "mov", "mp2", "mp3", "mp4", "mpeg", "mpg", "mts", "oga", "ogg", "ogv", "opus",
    "rf64", "snd", "spx", "tta", "w64", "wav", "wave", "webm", "wma", "wmv", "wv",
  ]

  /// Frames per second (Hz): the greatest of all tracks.
  package let sampleRate: Int
  /// Seconds from the beginning of the file to the end of its audio.
  package let duration: TimeInterval
  /// The number of channels, or of tracks if the file has several.
  package let channels: Int
  /// The length that the file states, in seconds; nil if it states none, or the same within half a second.
  package let statedDuration: TimeInterval?
  /// The parts without audio, in order; the audio is silent there. With several tracks, they name their channel.
  package let gaps: [RecordingGap]
  /// What readers of a transcript should know about the file.
  package let warnings: [TranscriptWarning]
  /// The audio tracks of the file, if it has several.
  package let tracks: [TranscriptTrack]
  /// The time code at the beginning of the file; nil if it is not known.
  package let timecode: Timecode?

  /// The tracks that are read.
  private let readers: [any TrackReader]

  /// Opens an audio file, or a video with audio.
  /// - Parameter numbers: the numbers of the tracks to read, from 1; nil for all.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package convenience init(_ url: URL, tracks numbers: [Int]? = nil) throws(TranscriptionError) {
    try self.init(joining: [url], tracks: numbers)
  }

  /// Opens files that are parts of one recording, as one.
  /// - Parameters:
  ///   - parts: at least one, in order. They have the same number of channels and tracks.
  ///   - numbers: the numbers of the tracks to read, from 1; nil for all.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package convenience init(joining parts: [URL], tracks numbers: [Int]? = nil) throws(TranscriptionError) {
    let preferred = try Self.reader(of: parts)
    var tracks = preferred.tracks
    if let wrong = numbers?.first(where: { !(1...max(1, tracks.count)).contains($0) }) {
      throw .undecodable("the file has no audio track \(wrong): it has \(max(1, tracks.count))")
    }
    guard tracks.count > 1 else {
      self.init([preferred], tracks: [], warnings: [])
      return
    }
    var readers: [any TrackReader] = []
    var warnings: [TranscriptWarning] = []
    for index in tracks.indices {
      tracks[index].isIncluded = numbers?.contains(index + 1) ?? true
      guard tracks[index].isIncluded else { continue }
      do throws(TranscriptionError) {
        readers.append(try Self.reader(of: parts, track: index))
      } catch {
        guard numbers == nil else { throw error }
        tracks[index].isIncluded = false
        warnings.append(.tracksLeftOut([tracks[index]], 0...0, "\(error)"))
      }
    }
    if readers.isEmpty { readers = [preferred] }
    let others = tracks.filter { !$0.isIncluded && !(numbers?.contains($0.number) ?? true) }
    if !others.isEmpty { warnings.append(.tracksLeftOut(others, 0...0)) }
    self.init(readers, tracks: tracks, warnings: warnings)
  }

  private static func reader(
    of parts: [URL], track: Int? = nil
  ) throws(TranscriptionError) -> any TrackReader {
    guard parts.count > 1 else { return try AudioTrackReader(parts[0], track: track) }
    var readers: [(String, any TrackReader)] = []
    for part in parts {
      do throws(TranscriptionError) {
        let reader = try AudioTrackReader(part, track: track)
        // One track of several may be empty.
        guard reader.duration > 0 || reader.tracks.count > 1 else {
          throw TranscriptionError.undecodable("it contains no audio")
        }
        readers.append((part.lastPathComponent, reader))
      } catch {
        throw error.naming(part.lastPathComponent)
      }
    }
    return try JoinedTrackReader(readers)
  }

  private init(_ readers: [any TrackReader], tracks: [TranscriptTrack], warnings: [TranscriptWarning]) {
    self.tracks = tracks
    let rate = readers.map(\.sampleRate).max() ?? 1
    let duration = readers.map(\.duration).max() ?? 0
    (sampleRate, self.duration) = (rate, duration)
    channels = readers.count > 1 ? readers.count : readers.first?.channels ?? 0
    statedDuration = readers.compactMap(\.statedDuration).max()
    timecode = readers.first?.timecode
    gaps = Self.gaps(readers, rate)
    let own = warnings.map { TranscriptWarning(code: $0.code, message: $0.message, start: 0, end: duration) }
    self.warnings = own + readers.flatMap(\.warnings)
    self.readers = readers
  }

  /// The gaps of all tracks, in order: what is missing in all of them, and then what is missing in each.
  private static func gaps(_ readers: [any TrackReader], _ rate: Int) -> [RecordingGap] {
    func gap(_ range: ClosedRange<TimeInterval>, _ reason: RecordingGap.Reason, _ channel: Int?)
      -> RecordingGap
    {
      let start = Int64(clamping: (range.lowerBound * Double(rate)).rounded())
      let end = Int64(clamping: (range.upperBound * Double(rate)).rounded())
      return RecordingGap(start: start, frames: end - start, reason: reason, channel: channel)
    }
    guard readers.count > 1 else { return readers.flatMap(\.gaps).map { gap($0.range, $0.reason, nil) } }
    let lead = readers.map(\.lead).min() ?? 0
    let common = lead > 0 ? [gap(0...lead, .notBegun, nil)] : []
    return common
      + readers.enumerated().flatMap { channel, reader in
        reader.gaps.filter { $0.range.upperBound > lead }.map {
          gap(max($0.range.lowerBound, lead)...$0.range.upperBound, $0.reason, channel)
        }
      }
  }

  /// The audio tracks of a file. It is not decoded.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package static func tracks(of url: URL) throws(TranscriptionError) -> [TranscriptTrack] {
    try AudioTrackReader.tracks(of: url)
  }

  /// Starts what reading a file needs, so that the first file does not wait for it. Returns at once.
  package static func prepare() {
    #if os(Linux)
      AVAudioFile.prepareDecoding()
    #endif
  }

  /// The audio from a frame on. Several tracks are the channels of each chunk.
  package func chunks(from frame: Int64) -> AudioChunks {
    guard readers.count > 1 else { return chunks(from: frame, ofTrack: 0) }
    return AudioChunks {
      var tracks = self.readers.indices.map { self.chunks(from: frame, ofTrack: $0).makeAsyncIterator() }
      var phases: [PhaseCorrection?]?
      var next = frame
      return {
        var parts: [AudioChunk?] = []
        for index in tracks.indices { parts.append(try await tracks[index].next()) }
        let corrections = phases ?? parts.map { $0.flatMap { PhaseCorrection($0.buffer.format) } }
        phases = corrections
        guard let channels = zip(parts, corrections).map({ $0?.corrected(by: $1).mono }).padded else {
          return nil
        }
        defer { next += Int64(channels[0].count) }
        return try AudioChunk(channels, start: next, sampleRate: self.sampleRate)
      }
    }
  }

  /// One channel of the file, or one track with all of its channels. The file is opened once more.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  package func source(ofChannel channel: Int) throws(TranscriptionError) -> any AudioSource {
    if readers.count == 1 {
      let copy = AudioFileSource([try readers[0].again()], tracks: [], warnings: [])
      return SingleChannel(audio: copy, channel: channel) { copy.chunks(from: $0) }
    }
    guard readers.indices.contains(channel) else { throw .undecodable("it has no track \(channel + 1)") }
    let copy = AudioFileSource([try readers[channel].again()], tracks: [], warnings: [])
    return TrackAudio(track: copy, sampleRate: sampleRate, duration: duration)
  }

  fileprivate func chunks(from frame: Int64, ofTrack track: Int, at rate: Int? = nil) -> AudioChunks {
    let rate = rate ?? sampleRate
    return AudioChunks {
      var next = frame
      return {
        try Task.checkCancellation()
        let count = Int(AudioChunks.end(after: next, sampleRate: rate) - next)
        let samples = try self.readers[track].read(at: next, count: count, rate: rate)
        guard let length = samples.first?.count, length > 0 else { return nil }
        defer { next += Int64(length) }
        return try AudioChunk(samples, start: next, sampleRate: rate)
      }
    }
  }
}

extension TranscriptionError {
  /// The same error, about one of several files.
  fileprivate func naming(_ file: String) -> TranscriptionError {
    switch self {
    case .unreadable(let why): .unreadable("'\(file)': \(why)")
    case .undecodable(let why): .undecodable("'\(file)': \(why)")
    default: self
    }
  }
}

/// One track of a file, at the rate of all tracks.
private struct TrackAudio: AudioSource {
  let track: AudioFileSource
  let sampleRate: Int
  let duration: TimeInterval
  var gaps: [RecordingGap] {
    let scale = Double(sampleRate) / Double(track.sampleRate)
    return track.gaps.map { gap in
      let start = Int64(clamping: (Double(gap.start) * scale).rounded())
      return RecordingGap(
        start: start, frames: Int64(clamping: (Double(gap.start + gap.frames) * scale).rounded()) - start,
        reason: gap.reason)
    }
  }

  func chunks(from frame: Int64) -> AudioChunks { track.chunks(from: frame, ofTrack: 0, at: sampleRate) }
}
