import AVFAudio
import Foundation
import LonghandTranscripts
import Synchronization

/// The samples of one audio track, on the time line of its file: from the file's beginning, by the container's clock, and at
/// a level that recognizers and 16-bit integers can take.
final class AudioTrackReader: TrackReader {
  /// The decoded samples beyond which audio is scaled down: a little more than what encoders overshoot.
  private static let maxPeak = 1.12
  /// The loudest sample below which audio is scaled up (-40 dBFS).
  private static let quiet = 0.01
  /// The loudest sample of a file that is empty but for noise: with up to 16 bits (-80 dBFS), and with more (-100 dBFS).
  private static let noise = (short: 0.0001, long: 0.00001)
  /// What the loudest sample of audio becomes that is scaled up (-12 dBFS).
  private static let raised = 0.25

  let sampleRate: Int
  let channels: Int
  let duration: TimeInterval
  let lead: TimeInterval
  let statedDuration: TimeInterval?
  let gaps: [(range: ClosedRange<TimeInterval>, reason: RecordingGap.Reason)]
  let warnings: [TranscriptWarning]
  let tracks: [TranscriptTrack]
  let timecode: Timecode?

  /// Readers take turns: after a failure a second one may start before the first one has noticed.
  private let file: Mutex<(file: AVAudioFile, reads: OverlappingReads)>
  private let url: URL
  private let index: Int?
  private let gain: Float
  #if os(Linux)
    private let clock: AVAudioFile.Clock
  #endif

  /// Opens an audio track.
  /// - Parameter index: from 0; nil for the one that is preferred.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  convenience init(_ url: URL, track index: Int? = nil) throws(TranscriptionError) {
    try self.init(url, track: index, file: Self.open(url, index))
  }

  /// Decodes an open file to its end, to find its length and its damage.
  /// - Throws: `TranscriptionError.unreadable`, `.undecodable`.
  init(_ url: URL, track index: Int?, file: AVAudioFile) throws(TranscriptionError) {
    (self.url, self.index) = (url, index)
    sampleRate = Int(clamping: file.processingFormat.sampleRate.rounded())
    channels = Int(file.processingFormat.channelCount)
    guard AudioLimits.sampleRates.contains(sampleRate) else {
      throw .undecodable("its sample rate of \(sampleRate) Hz is not between 1000 and 768000 Hz")
    }
    let rate = file.processingFormat.sampleRate
    #if os(Linux)
      let scanned = try Self.decoding(url) { try file.scan() }
      let (length, condition, decoded) = (Double(scanned.length), scanned.condition, file.decoded)
      lead = decoded?.lead ?? 0
      clock = condition.clock
      timecode = decoded?.timecode.flatMap {
        Timecode(
          stated: $0.text, seconds: $0.seconds, rate: .init(Int($0.numerator), Int($0.denominator)))
      }
      tracks = Self.tracks(of: file)
      func time(_ frame: Int64) -> TimeInterval { condition.clock.time(of: Double(frame)) / rate }
      let end = condition.clock.time(of: length) / rate
      duration = length > 0 ? lead + end : 0
      gain = Self.gain(
        condition.peak, isFloat: decoded?.isFloat ?? false, bits: decoded?.bitsPerSample ?? 0)
      try Self.check(duration, decoded: (length - Double(condition.missingFrames)) / rate, url)
      let stated = condition.statedDuration.flatMap { TranscriptWarning(stated: $0, decoded: end) }
      statedDuration = stated == nil ? nil : condition.statedDuration
      let before = lead
      let isPausing =
        decoded?.codec == "opus" && Self.isPausing(condition.holes.map { Double($0.frames) / rate })
      let damaged = condition.holes.filter { !isPausing || Double($0.frames) / rate > Self.longestPause }
        .map { before + time($0.start)...before + time($0.start + $0.frames) }
      // There is audio between these, so they are no gap; the decoder yields silence where there is none.
      let further = (isPausing ? nil : condition.furtherHoles).map {
        TranscriptWarning.damagedInPlaces(before + time($0.start)...before + time($0.end))
      }
      gaps =
        (length > 0 && lead > 0 ? [(0...lead, .notBegun)] : [])
        + damaged.map { ($0, RecordingGap.Reason.damaged) }
      warnings =
        [
          stated, TranscriptWarning(peak: condition.peak, gain: gain, 0...duration),
          TranscriptWarning(
            ahead: condition.clock.last / rate, condition.clock.greatest / rate, 0...duration),
        ].compactMap(\.self) + Self.joined(damaged).map(TranscriptWarning.damaged)
        + [further].compactMap(\.self)
    #else
      (duration, lead, gain) = (Double(file.length) / rate, 0, 1)
      (statedDuration, gaps, warnings) = (nil, [], [])
      tracks = Self.tracks(of: file)
      timecode = nil
    #endif
    self.file = Mutex((file, OverlappingReads()))
  }

  func again() throws(TranscriptionError) -> any TrackReader { try AudioTrackReader(again: self) }

  private init(again other: AudioTrackReader) throws(TranscriptionError) {
    let file = try Self.open(other.url, other.index)
    (url, index) = (other.url, other.index)
    (sampleRate, channels, duration, lead) = (other.sampleRate, other.channels, other.duration, other.lead)
    (statedDuration, gaps, warnings) = (other.statedDuration, other.gaps, other.warnings)
    (tracks, gain, timecode) = (other.tracks, other.gain, other.timecode)
    #if os(Linux)
      clock = other.clock
    #endif
    self.file = Mutex((file, OverlappingReads()))
  }

  func read(at start: Int64, count: Int, rate: Int) throws(TranscriptionError) -> [[Float]] {
    let left = Int(clamping: Int64(clamping: (duration * Double(rate)).rounded()) - start)
    let count = min(count, max(0, left))
    let (from, to) = (Double(start) / Double(rate), Double(start + Int64(count)) / Double(rate))
    if count == 0 || isGap(from, to) {
      return Array(repeating: Array(repeating: 0, count: count), count: channels)
    }
    #if os(Linux)
      guard rate == sampleRate, clock.points.isEmpty else {
        return try interpolated(from: from, to: to, count: count)
      }
    #endif
    return try decoded(from: start - Int64(clamping: (lead * Double(rate)).rounded()), count: count)
  }

  /// Whether a time lies in one of the gaps.
  private func isGap(_ from: TimeInterval, _ to: TimeInterval) -> Bool {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].range.upperBound < to { low = middle + 1 } else { high = middle }
    }
    return low < gaps.count && gaps[low].range.lowerBound <= from
  }

  #if os(Linux)
    /// Reads what the container's clock shows from one time to another, in seconds.
    private func interpolated(
      from start: TimeInterval, to end: TimeInterval, count: Int
    ) throws(TranscriptionError) -> [[Float]] {
      let rate = Double(sampleRate)
      let (first, last) = (clock.frame(at: (start - lead) * rate), clock.frame(at: (end - lead) * rate))
      let reach = SampleInterpolation.reach
      let base = Int64(clamping: first.rounded(.down)) - Int64(reach)
      let needed = Int(clamping: Int64(clamping: last.rounded(.up)) + Int64(reach) - base)
      return try decoded(from: base, count: needed, overlap: 2 * (reach + 1)).map { samples in
        SampleInterpolation.samples(
          samples, from: first - Double(base), step: (last - first) / Double(count), count: count)
      }
    }
  #endif

  /// Reads frames as they are decoded, with silence before the first and after the last one.
  private func decoded(
    from start: Int64, count: Int, overlap: Int = 0
  ) throws(TranscriptionError) -> [[Float]] {
    do {
      return try file.withLock { file in
        let source = file.file
        return try file.reads.read(from: start, count: count, overlap: overlap) {
          try Self.decoded(source, from: $0, count: $1, gain)
        }
      }
    } catch let error as TranscriptionError {
      throw error
    } catch {
      throw Self.undecodable(error, url)
    }
  }

  private static func decoded(
    _ file: AVAudioFile, from start: Int64, count: Int, _ gain: Float
  ) throws -> [[Float]] {
    let before = Int(clamping: min(Int64(count), max(0, -start)))
    let channels = Int(file.processingFormat.channelCount)
    guard
      let buffer = AVAudioPCMBuffer(
        pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(max(1, count - before)))
    else { throw TranscriptionError.undecodable("no buffer for \(channels) channels") }
    if before < count {
      let position = max(0, start)
      if file.framePosition != position { file.framePosition = position }
      try file.read(into: buffer)
    }
    guard let data = buffer.floatChannelData else {
      throw TranscriptionError.undecodable("no samples in floating point")
    }
    let (frames, stride) = (min(count - before, Int(buffer.frameLength)), buffer.stride)
    return (0..<channels).map { channel in
      var samples = [Float](repeating: 0, count: count)
      for frame in 0..<frames { samples[before + frame] = data[channel][frame * stride] }
      guard gain != 1 else { return samples }
      for index in samples.indices { samples[index] = max(-1, min(1, samples[index] * gain)) }
      return samples
    }
  }

  /// The tracks of a file, which is not decoded.
  static func tracks(of url: URL) throws(TranscriptionError) -> [TranscriptTrack] {
    tracks(of: try open(url, nil))
  }

  private static func tracks(of file: AVAudioFile) -> [TranscriptTrack] {
    #if os(Linux)
      (file.decoded?.tracks ?? []).enumerated().map { index, track in
        TranscriptTrack(
          number: index + 1, title: track.title, language: track.language, codec: track.codec,
          channels: Int(track.channels), sampleRate: Int(track.rate))
      }
    #else
      []
    #endif
  }

  private static func open(_ url: URL, _ index: Int?) throws(TranscriptionError) -> AVAudioFile {
    try decoding(url) {
      #if os(Linux)
        return try AVAudioFile(forReadingInService: url, track: index)
      #else
        return try AVAudioFile(forReading: url)
      #endif
    }
  }

  /// Opens a file or decodes it to its end.
  private static func decoding<Value>(
    _ url: URL, _ body: () throws -> Value
  ) throws(TranscriptionError) -> Value {
    do {
      return try body()
    } catch {
      #if os(Linux)
        if AVAudioFile.isDecoderMissing(error) {
          throw .notInstalled(error.localizedDescription, hint: TranscriptionError.installation)
        }
      #endif
      guard FileManager.default.isReadableFile(atPath: url.path) else {
        throw .unreadable("no such file, or it may not be read")
      }
      throw undecodable(error, url)
    }
  }

  /// Messages of this package name the file already, so its path is cut off.
  private static func undecodable(_ error: any Error, _ url: URL) -> TranscriptionError {
    let text = (error as NSError).localizedDescription
    return .undecodable(text.range(of: "\(url.path): ").map { String(text[$0.upperBound...]) } ?? text)
  }
}

#if os(Linux)
  extension AudioTrackReader {
    /// How many times the time that its bytes can hold a file may have: recordings have long pauses without any audio.
    private static let maxEmptiness = 100.0
    /// Bytes per second of the smallest compressed speech.
    private static let minBytesPerSecond = 1000.0

    /// Seconds that an encoder of Opus leaves out in a pause: it sends one packet in 0.4 s. A packet can be as short as
    /// 2.5 ms or as long as 60 ms.
    private static let longestPause = 0.42
    private static let wholePauses = 0.33...longestPause

    /// Whether the encoder of a file in Opus left out pauses, so that its short holes are no damage.
    /// - Parameter lengths: of the holes, in seconds.
    private static func isPausing(_ lengths: [Double]) -> Bool {
      lengths.count { wholePauses.contains($0) } >= 3
    }

    /// Seconds between damaged parts that are one part for a reader.
    private static let adjoining = 1.0

    /// The damaged parts as a reader sees them: what follows another one directly belongs to it.
    private static func joined(_ parts: [ClosedRange<TimeInterval>]) -> [ClosedRange<TimeInterval>] {
      parts.reduce(into: []) { joined, part in
        if let last = joined.last, part.lowerBound - last.upperBound < adjoining {
          joined[joined.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
        } else {
          joined.append(part)
        }
      }
    }

    /// Throws if a file of a few bytes states hours.
    private static func check(
      _ duration: TimeInterval, decoded: TimeInterval, _ url: URL
    ) throws(TranscriptionError) {
      let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
      let possible = max(decoded, Double(size) / minBytesPerSecond)
      guard duration > maxEmptiness * possible else { return }
      throw .undecodable(
        String(
          format: "its times say that it is %.0f s long, but its %d bytes have only %.1f s of audio",
          duration,
          size, decoded))
    }

    /// What samples are multiplied by. Integers are never beyond full scale.
    private static func gain(_ peak: Double, isFloat: Bool, bits: Int32) -> Float {
      if isFloat, peak > maxPeak { return Float(1 / peak) }
      return peak > (bits > 16 ? noise.long : noise.short) && peak < quiet ? Float(raised / peak) : 1
    }
  }
#endif
