import CFFmpeg
import Foundation

/// Decodes one audio stream of a file with FFmpeg.
///
/// Owns FFmpeg's contexts. Skips corrupt packets. Not thread-safe.
package final class DecodedStream {
  typealias Frame = UnsafeMutablePointer<AVFrame>

  private var reader: LocalFile.Reader
  private(set) var format: UnsafeMutablePointer<AVFormatContext>?
  private var codec: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: Frame?
  /// A frame decoded in advance, to find out whether the one before is the last.
  private var queued: Frame?
  private var hasQueued = false
  private let index: Int32
  /// The index among the streams with audio; nil for the one that FFmpeg prefers.
  let track: Int?
  private var isDraining = false
  /// How many packets of the stream the decoder has got.
  private(set) var packets = 0
  /// True while the old decoder is drained before a new one replaces it. `packet` waits meanwhile.
  private var isRenewing = false
  /// Frames before this time are preroll and are discarded.
  private var dropsBefore: Int64?
  private let recent = PacketRing(capacity: DecodedStream.prerollPackets)
  /// Whether the decoder is renewed regularly; see `Renewal`.
  let isRenewed: Bool
  /// The last renewal, until `takeRenewal` returns it.
  private var renewal: Renewal?
  private var repair: PacketRepair
  private let firstPage: FirstPage?
  /// The chunk with the samples; nil for formats that have none.
  let chunk: SampleChunk?
  /// Where the samples end, if the header states too little.
  private let laterEnd: Int64?
  /// The offset of the first packet in the file, in bytes; -1 if unknown.
  private(set) var firstPacketPosition: Int64 = -1

  /// Opens the file and its decoder; throws an error that names the cause.
  init(file: LocalFile, track: Int? = nil) throws {
    let path = file.path
    self.track = track
    try FFmpegLibrary.load(path: path)
    _ = Self.silence
    chunk = SampleChunk(file)
    let correction = chunk?.correction
    laterEnd = chunk?.laterEnd
    reader = try LocalFile.Reader(file: file, correction: correction)
    var container: Container? = try Self.openContainer(path: path, reader: reader)
    do {
      avformat_find_stream_info(container, nil)
      if let first = container, Self.hasHiddenStreams(first) {
        avformat_close_input(&container)
        // The container keeps no reference to its reader.
        reader = try LocalFile.Reader(file: file, correction: correction)
        container = try Self.openContainer(path: path, reader: reader, isPatient: true)
        avformat_find_stream_info(container, nil)
      }
      guard let container else { throw AudioError.make(.noMemory, "cannot read \(path): out of memory") }
      index = try Self.soundStream(of: container, track: track, path: path)
      codec = try Self.openDecoder(of: container, stream: index, path: path)
    } catch {
      avformat_close_input(&container)
      throw error
    }
    format = container
    let number = Int(index)
    let stream = container.flatMap { $0.pointee.streams[number] }
    firstPage = FirstPage(of: container, stream: index, file: file)
    if let firstPage { stream?.pointee.start_time = firstPage.delay }
    repair = PacketRepair(
      file,
      container: Self.name(of: container),
      stream.flatMap { UnsafePointer($0.pointee.codecpar) })
    isRenewed = codec.map { Self.hasHiddenMemory($0.pointee.codec_id) } ?? false
    packet = av_packet_alloc()
    frame = av_frame_alloc()
    queued = av_frame_alloc()
    guard packet != nil, frame != nil, queued != nil else {
      throw AudioError.make(.noMemory, "cannot read \(path): out of memory")
    }
  }

  deinit {
    av_frame_free(&queued)
    av_frame_free(&frame)
    av_packet_free(&packet)
    avcodec_free_context(&codec)
    avformat_close_input(&format)
  }

  /// Stops FFmpeg from writing to the terminal: errors are `NSError`s. No header can make it allocate without bound.
  private static let silence: Void = {
    av_log_set_level(AV_LOG_QUIET)
    av_max_alloc(1 << 28)
  }()

  var stream: UnsafeMutablePointer<AVStream>? { format?.pointee.streams[Int(index)] }

  /// The `errno` that ended reading early; 0 if none.
  var readFailure: Int32 { reader.failure }
  /// The codec of the stream.
  var codecID: AVCodecID { stream?.pointee.codecpar.pointee.codec_id ?? AV_CODEC_ID_NONE }
  /// The rate that the container states, in Hz.
  var statedRate: Int32 { stream?.pointee.codecpar.pointee.sample_rate ?? 0 }
  /// The number of channels that the container states.
  var statedChannels: Int32 { stream?.pointee.codecpar.pointee.ch_layout.nb_channels ?? 0 }
  var file: LocalFile { reader.file }
  /// Whether packets were damaged.
  var isDamaged: Bool { repair.isDamaged }
  /// Seconds of a unit of the stream's times.
  var unit: Double { stream.map { av_q2d($0.pointee.time_base) } ?? 0 }
  /// The time of the first frame of the undamaged file; nil where it is unknown.
  var firstTime: Int64? {
    guard let stream, containerName.hasPrefix("mov") || containerName == "flac" else { return nil }
    // Without a length it may be a part of a longer stream.
    if containerName == "flac" { return streamDuration == nil ? nil : 0 }
    return stream.pointee.start_time == longhand_av_nopts_value ? nil : stream.pointee.start_time
  }
  /// The number of streams.
  var streamCount: Int { format.map { Int($0.pointee.nb_streams) } ?? 0 }
  /// The frames of a packet, if all packets have the same number.
  var frameLength: Int32 { stream?.pointee.codecpar.pointee.frame_size ?? 0 }
  /// The length of the longest stream in seconds; nil if FFmpeg estimated it.
  var fileDuration: Double? {
    guard let format, format.pointee.duration > 0,
      format.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
    else { return nil }
    return Double(format.pointee.duration) / Double(AV_TIME_BASE)
  }
  /// The length of the stream, in seconds; nil if FFmpeg estimated it.
  var streamDuration: Double? {
    guard let format, let stream, stream.pointee.duration > 0,
      format.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
    else { return nil }
    return Double(stream.pointee.duration) * unit
  }
  /// The short name of the container.
  var containerName: String { Self.name(of: format) }

  /// The exact number of frames; nil if the container does not state it, or if the file is too short for it.
  ///
  /// Only for uncompressed audio in containers where the offset of a frame can be computed: there a time is a frame
  /// number. Known after the first frame has been decoded.
  var exactLength: Int64? {
    guard let stream, ["wav", "aiff", "w64", "caf", "au"].contains(containerName) else {
      return nil
    }
    let parameters = stream.pointee.codecpar.pointee
    let (base, start) = (stream.pointee.time_base, stream.pointee.start_time)
    let bits = Int64(av_get_bits_per_sample(parameters.codec_id))
    let block = Int64(parameters.ch_layout.nb_channels) * bits / 8
    guard String(cString: avcodec_get_name(parameters.codec_id)).hasPrefix("pcm_"), block > 0,
      Int64(parameters.block_align) == block, base.num == 1, base.den == parameters.sample_rate,
      start == 0 || start == longhand_av_nopts_value, firstPacketPosition >= 0
    else { return nil }
    // The header is wrong.
    if let laterEnd { return max(0, laterEnd - firstPacketPosition) / block }
    guard stream.pointee.duration > 0 else { return nil }
    // Another field may count more frames than the chunk has.
    let frames = min(stream.pointee.duration, chunk?.statedLength.map { $0 / block } ?? .max)
    let (bytes, overflow) = frames.multipliedReportingOverflow(by: block)
    guard !overflow, bytes <= reader.file.size - firstPacketPosition else { return nil }
    return frames
  }

  /// Decodes the next frame, which is valid until the next call; nil at the end.
  func next() -> Frame? {
    if hasQueued {
      hasQueued = false
      swap(&frame, &queued)
      return frame
    }
    guard let frame, receive(frame) else { return nil }
    let excess = padding(of: frame)
    // Only the last frame is trimmed: a fragmented file may state only the duration of its first fragment.
    if excess > 0, let queued {
      hasQueued = receive(queued)
      if !hasQueued { frame.pointee.nb_samples -= Int32(excess) }
    }
    return frame
  }

  /// How many frames at the end of `frame` are padding, if it is the last frame.
  ///
  /// FFmpeg trims the encoder's padding if the container states it, but not for MP4. There the duration of the last
  /// packet shows it if it is shorter than a frame, else the duration of the track. Some writers state the end of the
  /// track in whole milliseconds.
  private func padding(of frame: Frame) -> Int64 {
    guard let stream, containerName.hasPrefix("mov"), frame.pointee.pts != longhand_av_nopts_value,
      stream.pointee.duration > 0, frame.pointee.sample_rate > 0
    else { return 0 }
    let base = stream.pointee.time_base
    let rate = AVRational(num: 1, den: frame.pointee.sample_rate)
    let samples = Int64(frame.pointee.nb_samples)
    let own = av_rescale_q(longhand_frame_duration(frame), base, rate)
    if own > 0, own < samples { return samples - own }
    let start = stream.pointee.start_time == longhand_av_nopts_value ? 0 : stream.pointee.start_time
    let (end, overflow) = start.addingReportingOverflow(stream.pointee.duration)
    guard !overflow else { return 0 }
    let left = av_rescale_q(end - frame.pointee.pts, base, rate)
    return left > 0 && left < samples ? samples - left : 0
  }

  private func receive(_ frame: Frame) -> Bool {
    while true {
      let code = avcodec_receive_frame(codec, frame)
      if code == 0 {
        if frame.pointee.nb_samples > 0, !isPreroll(frame) { return true }
      } else if isRenewing {
        renew()
      } else if code == longhand_averror_again, !isDraining {
        feed()
      } else if isDraining || code == longhand_averror_eof {
        // An error while draining repeats itself.
        return false
      }
    }
  }

  private func isPreroll(_ frame: Frame) -> Bool {
    guard let dropsBefore, let time = Self.time(of: frame) else { return false }
    if time >= dropsBefore { self.dropsBefore = nil }
    return time < dropsBefore
  }

  /// Sends one packet to the decoder, or starts to drain it if there are no more.
  private func feed() {
    while let packet = readPacket() {
      if isRenewed, packets > 0, packets % Self.renewalPackets == 0,
        packet.pointee.pts != longhand_av_nopts_value,
        let first = recent.full?.first, let first, first.pointee.pts != longhand_av_nopts_value
      {
        isRenewing = true
        renewal = Renewal(start: first.pointee.pts, time: packet.pointee.pts, packet: packets)
        avcodec_send_packet(codec, nil)
        return
      }
      if send(packet) { return }
      // A packet that cannot be decoded is skipped.
    }
    isDraining = true
    avcodec_send_packet(codec, nil)
  }

  /// Sends `packet` to the decoder and releases it; false if it cannot be decoded.
  private func send(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    packets += 1
    if isRenewed { recent.append(packet) }
    // The MPEG audio decoder accepts a new sample rate only if it has none.
    if [AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3].contains(codecID) {
      codec?.pointee.sample_rate = 0
    }
    defer { av_packet_unref(packet) }
    return avcodec_send_packet(codec, packet) >= 0
  }

  /// The next packet of the stream; nil at the end.
  private func readPacket() -> UnsafeMutablePointer<AVPacket>? {
    var failures = 0
    while let packet {
      let code = av_read_frame(format, packet)
      if code < 0 {
        failures += 1
        // A demuxer may fail at corrupt data and continue after it. Many failures in a row mean the end.
        guard code == longhand_averror_invalid_data, failures < 64, reader.failure == 0 else { return nil }
      } else if packet.pointee.stream_index == index {
        if packets == 0, firstPacketPosition < 0 { firstPacketPosition = packet.pointee.pos }
        firstPage?.correct(packet)
        if repair.correct(packet) { return packet }
        av_packet_unref(packet)
      } else {
        av_packet_unref(packet)
      }
    }
    return nil
  }

  /// Replaces the decoder with a new one, sends it the last packets, and continues with the waiting packet.
  private func renew() {
    isRenewing = false
    guard let packet else { return }
    refreshDecoder()
    for previous in recent.full ?? [] {
      guard let previous, avcodec_send_packet(codec, previous) >= 0 else { continue }
      while avcodec_receive_frame(codec, queued) == 0 {}
    }
    dropsBefore = packet.pointee.pts
    _ = send(packet)
  }

  /// Opens a new decoder. If that fails, flushes the old one.
  private func refreshDecoder() {
    guard let format, let fresh = try? Self.openDecoder(of: format, stream: index, path: reader.file.path)
    else {
      avcodec_flush_buffers(codec)
      return
    }
    avcodec_free_context(&codec)
    codec = fresh
  }

  /// Returns the last renewal once, if its first frame has this time.
  func takeRenewal(at time: Int64) -> Renewal? {
    guard let renewal, renewal.time == time else { return nil }
    self.renewal = nil
    return renewal
  }

  /// Seeks to the last position at or before `time`, in units of the stream; false if there is none.
  func seek(to time: Int64) -> Bool {
    guard av_seek_frame(format, index, time, AVSEEK_FLAG_BACKWARD) >= 0 else { return false }
    avcodec_flush_buffers(codec)
    forget()
    return true
  }

  /// Seeks to a renewal, so that exactly the same frames follow; false if the position is not found.
  func seek(to renewal: Renewal) -> Bool {
    guard av_seek_frame(format, index, renewal.start, AVSEEK_FLAG_BACKWARD) >= 0 else { return false }
    forget()
    refreshDecoder()
    while let packet = readPacket() {
      let time = packet.pointee.pts
      guard time != longhand_av_nopts_value, time < renewal.start else {
        packets = renewal.packet - Self.prerollPackets
        dropsBefore = renewal.time
        let isThere = time == renewal.start
        _ = send(packet)
        return isThere
      }
      av_packet_unref(packet)
    }
    return false
  }

  private func forget() {
    av_packet_unref(packet)
    repair.reset()
    recent.clear()
    isDraining = false
    isRenewing = false
    hasQueued = false
    dropsBefore = nil
    renewal = nil
  }

  /// The time of `frame` in units of the stream; nil if the container has none.
  static func time(of frame: Frame) -> Int64? {
    let time = frame.pointee.best_effort_timestamp
    return time == longhand_av_nopts_value ? nil : time
  }
}
