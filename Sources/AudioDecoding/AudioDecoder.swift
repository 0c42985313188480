import CFFmpeg
import Foundation

/// Reads the audio of a file as one stream of frames, at the initial sample rate and number of channels of the file.
///
/// A position counts the frames that decoding from the start yields, so length, position and frames always agree. Where the
/// times in the container show that audio is missing, silence of the same length takes its place. The use of memory is
/// constant. Not thread-safe: `AVAudioFile` calls it
/// under its lock.
package final class AudioDecoder {
  package let file: LocalFile
  /// The layout of the first frame of the file.
  package let native: SampleLayout
  /// The layout of the output of `read`: the native rate and channels, and the sample type that the caller chose.
  package let output: SampleLayout
  /// The length in frames, if the container states it exactly.
  package let statedLength: Int64?
  package let codecID: AVCodecID
  /// The audio tracks of the file.
  package let tracks: [AudioTrack]
  /// Seconds from the start of the file to the start of this audio.
  package let lead: Double
  /// The time code at the start of the file; nil if it states none.
  package let timecode: StatedTimecode?
  /// The positions that seeking can reach; a scan of the whole file fills it.
  private var index: SeekIndex

  /// The holes found so far; complete after the end was reached once. They are the same in every pass.
  private var found = AudioFileCondition()
  /// The length that the file states, in seconds; nil if it states none.
  private let statedDuration: Double?
  /// The loudest samples, measured by `finish` alone; and the frames of the codec, and those of them beyond full scale.
  private var levels: LoudestBlocks?
  private var (measured, tooLoud) = (0, 0)

  private var timeline: FrameTimeline
  /// Whether something about the file is damaged. Then only decoding from the start yields the same frames again.
  private var isDamaged = false
  /// Silent frames to read before the pending ones.
  private var silence: Int64 = 0
  private var stream: DecodedStream
  private var pending: PendingSamples
  private var plain: SampleConverter?
  private var mixing: SampleConverter?
  private var isAtEnd = false
  /// The frame after the pending ones.
  private var decodedEnd: Int64 = 0
  /// Whether `next` still has to return the first frame, which `init` decodes to find the layout.
  private var isFirstHeld: Bool
  private var first: DecodedStream.Frame?

  /// Bytes that a resampled frame may take.
  private static let maximumRoom = 64 << 20

  /// The next frame that `read` returns.
  package var position: Int64 { decodedEnd - Int64(pending.count) - silence }

  /// Opens `file` and decodes its first frame. `type` chooses the sample type of the output.
  ///
  /// Throws an error that names the cause if nothing can be decoded. A valid header of uncompressed audio without
  /// samples is not an error: its length is 0.
  ///
  /// - Parameter track: the index among the audio tracks; nil for the one that FFmpeg prefers.
  package init(file: LocalFile, track: Int? = nil, type: (SampleLayout) -> AVSampleFormat) throws {
    self.file = file
    let stream = try DecodedStream(file: file, track: track)
    first = stream.next()
    try AudioDecoder.checkReading(stream, file)
    isFirstHeld = first != nil
    if let first {
      native = SampleLayout(first)
    } else {
      let name = String(cString: avcodec_get_name(stream.codecID))
      // A header of uncompressed audio alone is an empty recording. A compressed file without a packet is broken.
      guard stream.packets == 0, name.hasPrefix("pcm_"), stream.statedRate > 0, stream.statedChannels > 0
      else {
        throw AudioError.make(
          .invalidFile, "cannot read \(file.path): none of its \(name) audio can be decoded")
      }
      native = SampleLayout(rate: stream.statedRate, channels: stream.statedChannels, type: AV_SAMPLE_FMT_FLT)
    }
    try DecodedStream.check(rate: native.rate, path: file.path)
    guard (1...DecodedStream.maximumChannels).contains(native.channels) else {
      throw AudioError.make(
        .invalidFile, "cannot read \(file.path): \(native.channels) channels are out of range")
    }
    output = SampleLayout(rate: native.rate, channels: native.channels, type: type(native))
    pending = PendingSamples(layout: output)
    index = SeekIndex(spacing: Int64(native.rate) / 2)
    statedLength = stream.exactLength ?? (first == nil ? 0 : nil)
    codecID = stream.codecID
    statedDuration = stream.statedDuration
    tracks = stream.tracks
    timecode = stream.timecode
    lead = stream.lead(first: first.flatMap(DecodedStream.time))
    timeline = AudioDecoder.timeline(of: stream, native, statedDuration)
    self.stream = stream
    // After a seek FFmpeg counts the times of the packets from the seek's target. Decoding from the start takes a
    // two-thousandth of the audio's length.
    if stream.containerName == "ogg", stream.codecID == AV_CODEC_ID_SPEEX { index.close() }
  }

  /// Reads up to `count` frames into `target`, which has the layout `output`. Returns 0 at the end.
  package func read(into target: [SampleConverter.Plane], count: Int) throws -> Int {
    var done = 0
    while done < count {
      if silence > 0 {
        let taken = Int(min(silence, Int64(count - done)))
        for case let plane? in target {
          memset(plane + done * output.bytesPerFrame, 0, taken * output.bytesPerFrame)
        }
        silence -= Int64(taken)
        done += taken
        continue
      }
      if pending.count == 0 {
        guard try decode(until: 0) else { break }
        // Silence may come first.
        continue
      }
      done += pending.take(count - done, into: target, at: done)
    }
    return done
  }

  /// Makes `frame` the next frame to read; after the last frame, the end.
  package func seek(to frame: Int64) throws {
    let frame = max(0, frame)
    if frame < position || frame > decodedEnd { try approach(frame) }
    while position < frame {
      if silence > 0 {
        silence -= min(silence, frame - position)
        continue
      }
      if pending.count == 0 {
        guard try decode(until: frame) else { return }
        // Silence may come first.
        continue
      }
      pending.drop(Int(min(Int64(pending.count), frame - position)))
    }
  }

  /// Decodes a second stream of the file to its end, and keeps what it finds. The position stays.
  ///
  /// Returns the length of the file in frames, and what became of it.
  package func measure() throws -> (length: Int64, condition: AudioFileCondition) {
    let type = output.type
    let scan = try AudioDecoder(file: file, track: stream.track) { _ in type }
    let decoded = try scan.finish()
    if statedLength == nil { (index, found, isDamaged) = (scan.index, scan.found, scan.isDamaged) }
    let isLonger = Double(decoded) / Double(native.rate) > statedDuration ?? .infinity
    let stated = stream.mayUnderstate && isLonger ? nil : statedDuration
    var condition = found
    condition.statedDuration = stated
    condition.clock = scan.timeline.clock(at: decoded)
    condition.peak = scan.loudest
    return (statedLength ?? decoded, condition)
  }

  /// The loudest sample. A few frames beyond full scale among a thousand others are damage, and what is loud for a moment is
  /// a click.
  private var loudest: Double {
    guard let levels else { return 0 }
    let peak = levels.withoutClicks
    return tooLoud * 1000 < measured ? min(1, peak) : peak
  }

  /// Decodes to the end. Returns the length of the file in frames.
  private func finish() throws -> Int64 {
    clear()
    levels = LoudestBlocks()
    while try decode(until: .max) { clear() }
    return decodedEnd
  }

  // MARK: Decoding

  /// Decodes one more frame; false at the end. A frame that ends before `target` is counted, but not converted.
  private func decode(until target: Int64) throws -> Bool {
    guard !isAtEnd else { return false }
    if let statedLength, decodedEnd >= statedLength { return end() }
    guard let frame = nextFrame() else {
      try AudioDecoder.checkReading(stream, file)
      // Frames that a resampler of another rate still holds.
      guard try flushMixing() else { return end() }
      return true
    }
    try accept(frame, until: target)
    return true
  }

  private func end() -> Bool {
    isAtEnd = true
    return false
  }

  private func nextFrame() -> DecodedStream.Frame? {
    guard isFirstHeld else { return stream.next() }
    isFirstHeld = false
    defer { first = nil }
    return first
  }

  private func accept(_ frame: DecodedStream.Frame, until target: Int64) throws {
    let layout = SampleLayout(frame)
    if let own = levels?.add(frame) {
      measured += 1
      if own > 1 { tooLoud += 1 }
    }
    let isNative = layout.rate == native.rate && layout.channels == native.channels
    if !isNative || mixing != nil {
      // From here on frames do not correspond to times, because the resampler holds frames back.
      index.close()
      guard isNative else { return try mix(frame, layout) }
      while try flushMixing() {}
    }
    fillHole(before: frame)
    note(frame)
    var count = Int(frame.pointee.nb_samples)
    if let statedLength { count = Int(min(Int64(count), statedLength - decodedEnd)) }
    guard decodedEnd + Int64(count) > target else {
      decodedEnd += Int64(count)
      return
    }
    if plain?.input != layout { plain = SampleConverter(from: layout, to: output) }
    guard let plain else { return }
    let written = pending.append(room: count) { target in
      plain.convert(frame.planes, count: count, to: target, room: count)
    }
    decodedEnd += Int64(written)
  }

  /// Puts silence in place of frames that are missing before `frame`.
  private func fillHole(before frame: DecodedStream.Frame) {
    guard statedLength == nil else { return }
    let missing = timeline.missing(
      before: DecodedStream.time(of: frame), count: Int(frame.pointee.nb_samples), at: decodedEnd,
      isDamaged: stream.isDamaged)
    isDamaged = isDamaged || timeline.isDamaged
    guard missing > 0 else { return }
    found.add(AudioFileCondition.Hole(start: decodedEnd, frames: missing))
    silence += missing
    decodedEnd += missing
  }

  /// Forgets what is decoded and not read.
  private func clear() {
    pending.drop(pending.count)
    silence = 0
  }

  /// Adds this position to the index.
  private func note(_ frame: DecodedStream.Frame) {
    guard let time = DecodedStream.time(of: frame) else { return }
    if !stream.isRenewed {
      index.note(frame: decodedEnd, time: time)
    } else if let renewal = stream.takeRenewal(at: time) {
      index.note(frame: decodedEnd, time: time, renewal: renewal)
    }
  }

  /// Resamples or mixes a frame whose layout differs from the first frame of the file.
  private func mix(_ frame: DecodedStream.Frame, _ layout: SampleLayout) throws {
    if mixing?.input != layout {
      while try flushMixing() {}
      // At another rate a frame would grow without bound. It is skipped like a corrupt frame.
      guard DecodedStream.rates.contains(layout.rate),
        (1...DecodedStream.maximumChannels).contains(layout.channels)
      else { return }
      mixing = SampleConverter(from: layout, to: output)
    }
    guard let mixing else { return }
    let count = Int(frame.pointee.nb_samples)
    let room = mixing.bound(for: count)
    guard room <= AudioDecoder.maximumRoom / (output.bytesPerFrame * output.bufferCount) else { return }
    decodedEnd += Int64(
      pending.append(room: room) { target in
        mixing.convert(frame.planes, count: count, to: target, room: room)
      })
  }

  /// Appends the frames that the resampler holds; false if there are none.
  private func flushMixing() throws -> Bool {
    guard let mixing else { return false }
    let written = pending.append(room: 4096) { mixing.convert(nil, count: 0, to: $0, room: 4096) }
    decodedEnd += Int64(written)
    if written == 0 { self.mixing = nil }
    return written > 0
  }

  // MARK: Seeking

  /// How many frames to decode and discard before the wanted one: a lossy decoder depends on the frames before.
  private var preroll: Int64 { Int64(native.rate) }

  /// Seeks to a position before `frame`, from which decoding forward reaches it.
  private func approach(_ frame: Int64) throws {
    if isDamaged {
      if frame >= position { return }
    } else if statedLength != nil {
      if try jump(to: SeekIndex.Entry(frame: frame, time: frame), from: frame, isExact: true) { return }
    } else if let anchor = index.last(before: frame), anchor.frame > decodedEnd || frame < position {
      let start = index.last(before: anchor.frame - preroll)
      if let time = anchor.renewal?.start ?? start?.time {
        if try jump(to: anchor, from: time, isExact: false) { return }
      }
    } else if frame >= position {
      return
    }
    try restart()
  }

  /// Seeks to `time` and decodes up to `anchor`; false if the anchor is not found. Then the caller must restart.
  ///
  /// If times are exact (uncompressed audio), any frame at or before the anchor gives the position; else only a frame
  /// with the time of the anchor does.
  private func jump(to anchor: SeekIndex.Entry, from time: Int64, isExact: Bool) throws -> Bool {
    if isExact, let statedLength, anchor.frame >= statedLength {
      clear()
      decodedEnd = statedLength
      isAtEnd = true
      return true
    }
    clear()
    isFirstHeld = false
    mixing = nil
    isAtEnd = false
    timeline.resume()
    guard anchor.renewal.map({ stream.seek(to: $0) }) ?? stream.seek(to: time) else { return false }
    while let frame = stream.next() {
      guard let time = DecodedStream.time(of: frame), time <= anchor.time else { return false }
      guard isExact || time == anchor.time else { continue }
      decodedEnd = isExact ? time : anchor.frame
      try accept(frame, until: anchor.frame)
      return true
    }
    return false
  }

  /// Opens the file again and starts at its beginning.
  private func restart() throws {
    clear()
    mixing = nil
    first = nil
    isFirstHeld = false
    isAtEnd = false
    stream = try DecodedStream(file: file, track: stream.track)
    timeline = AudioDecoder.timeline(of: stream, native, statedDuration)
    decodedEnd = 0
  }
}
