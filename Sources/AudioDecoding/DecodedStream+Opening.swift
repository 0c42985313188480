import CFFmpeg
import Foundation

extension DecodedStream {
  typealias Container = UnsafeMutablePointer<AVFormatContext>

  /// The maximum number of channels of FFmpeg's resampler.
  package static let maximumChannels: Int32 = 64
  /// More than any recorder has, and far too low to make a ratio of sample rates overflow.
  package static let maximumRate: Int32 = 16_000_000
  /// The sample rates of files in Hz, as in `RecordingFormat` of Longhand.
  static let rates: ClosedRange<Int32> = 1000...768_000
  /// More frames than any encoder puts into a packet.
  private static let maximumSamples: Int64 = 1 << 20

  /// Detects the container format and reads its header.
  ///
  /// - Parameters:
  ///   - isPatient: whether streams are looked for in more than the first seconds.
  static func openContainer(
    path: String, reader: LocalFile.Reader, isPatient: Bool = false
  ) throws -> Container {
    var format = avformat_alloc_context()
    guard let context = format else { throw AudioError.make(.noMemory, "cannot read \(path): out of memory") }
    context.pointee.pb = reader.context
    // In addition to the two lists below: a demuxer cannot open anything by name.
    context.pointee.io_open = { _, _, _, _, _ in -EACCES }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    av_dict_set(&options, "format_whitelist", Demuxers.allowed, 0)
    let code = avformat_open_input(&format, path, nil, &options)
    guard code >= 0, let format else {
      throw AudioError.make(
        .unsupportedFileType,
        "cannot read \(path): its header is broken or of no known format")
    }
    // In an MPEG program stream, a second track is found only when its first packet comes.
    if isPatient || name(of: format) == "mpeg" {
      format.pointee.probesize = 100_000_000
      format.pointee.max_analyze_duration = 3600 * Int64(AV_TIME_BASE)
    }
    return format
  }

  /// The indices of the container's streams with audio.
  static func soundStreams(of format: Container) -> [Int32] {
    (0..<Int32(clamping: format.pointee.nb_streams)).filter { index in
      let kind = format.pointee.streams[Int(index)]?.pointee.codecpar?.pointee.codec_type
      return kind == AVMEDIA_TYPE_AUDIO
    }
  }

  /// Whether streams with audio are not known yet: some containers have no list of their streams, and some do not state
  /// the format of a stream. Both are found in the first packets.
  static func hasHiddenStreams(_ format: Container) -> Bool {
    let known = soundStreams(of: format).compactMap {
      format.pointee.streams[Int($0)]?.pointee.codecpar?.pointee
    }
    if known.contains(where: { $0.sample_rate == 0 || $0.ch_layout.nb_channels == 0 }) { return true }
    return ["mpeg", "mpegts", "flv"].contains(name(of: format)) && known.isEmpty
  }

  /// The short name of a container's format.
  static func name(of format: Container?) -> String {
    format?.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
  }

  /// Finds an audio stream of the container, and skips all others.
  /// - Parameter track: the index among the streams with audio; nil for the one that FFmpeg prefers.
  static func soundStream(of format: Container, track: Int?, path: String) throws -> Int32 {
    let count = Int32(clamping: format.pointee.nb_streams)
    let all = soundStreams(of: format)
    if let track, !all.indices.contains(track) {
      throw AudioError.make(
        .invalidFile, "cannot read \(path): it has no audio track \(track + 1), only \(all.count)")
    }
    let index = track.map { all[$0] } ?? av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard index >= 0, index < count else {
      throw AudioError.make(.invalidFile, "cannot read \(path): it holds no audio")
    }
    for other in 0..<count where other != index {
      format.pointee.streams[Int(other)]?.pointee.discard = AVDISCARD_ALL
    }
    return index
  }

  /// Throws if no recorder uses a sample rate: a few bytes at 1 Hz would become hours of audio.
  static func check(rate: Int32, path: String) throws {
    guard rates.contains(rate) else {
      throw AudioError.make(
        .unsupportedFormat,
        "cannot read \(path): its sample rate of \(rate) Hz is not between \(rates.lowerBound) and \(rates.upperBound) Hz"
      )
    }
  }

  /// Checks the header of a stream, and opens its decoder.
  static func openDecoder(
    of format: Container, stream index: Int32, path: String
  ) throws -> UnsafeMutablePointer<AVCodecContext> {
    guard let stream = format.pointee.streams[Int(index)], let parameters = stream.pointee.codecpar else {
      throw AudioError.make(.invalidFile, "cannot read \(path): it holds no audio")
    }
    let (rate, channels) = (parameters.pointee.sample_rate, parameters.pointee.ch_layout.nb_channels)
    // Some containers do not state the rate; then that of the first frame is checked.
    if rate != 0 { try check(rate: rate, path: path) }
    guard channels >= 0, channels <= maximumChannels else {
      throw AudioError.make(
        .unsupportedFormat,
        "cannot read \(path): it claims \(channels) channels, more than \(maximumChannels)")
    }
    let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(path): there is no decoder for its \(name) audio")
    }
    var codec = avcodec_alloc_context3(decoder)
    guard let context = codec else { throw AudioError.make(.noMemory, "cannot read \(path): out of memory") }
    var code = avcodec_parameters_to_context(context, parameters)
    // Needed to trim the encoder's delay and padding.
    context.pointee.pkt_timebase = stream.pointee.time_base
    // More threads would only use more memory.
    context.pointee.thread_count = 1
    context.pointee.max_samples = maximumSamples
    if code >= 0 { code = avcodec_open2(context, decoder, nil) }
    guard code >= 0 else {
      avcodec_free_context(&codec)
      throw AudioError.make(
        .unsupportedFormat,
        "cannot read \(path): its \(name) audio cannot be decoded (\(AudioError.text(ffmpeg: code)))")
    }
    return context
  }
}

/// FFmpeg's demuxers that may open a file.
///
/// This is a list of allowed formats. It leaves out formats that open other files or addresses (hls, concat, dash, imf,
/// sdp, image sequences), devices, raw samples without a header, and synthesizers that may never end (module music, game
/// music). They never read a byte of the file.
enum Demuxers {
  static let allowed = [
    // Audio files.
    "3dostr", "aac", "ac3", "act", "aiff", "amr", "amrnb", "amrwb", "ape", "au", "avr", "caf", "codec2",
    "dsf",
    "dts", "dtshd", "eac3", "flac", "gsm", "ilbc", "ircam", "iss", "loas", "mlp", "mp3", "mpc", "mpc8",
    "nistsphere",
    "oma", "ogg", "paf", "pvf", "qcp", "rso", "sbc", "sds", "sln", "smjpeg", "sol", "sox", "spdif", "sup",
    "svs", "tak",
    "truehd", "tta", "voc", "w64", "wav", "wsd", "wv", "wve", "xwma",
    // Containers of audio and video.
    "asf", "asf_o", "avi", "dhav", "dv", "ea", "flv", "gxf", "iff", "ifv", "ivf", "live_flv", "lxf",
    "matroska,webm", "mmf", "mov,mp4,m4a,3gp,3g2,mj2", "mpeg", "mpegts", "mtv", "mxf", "nsv", "nut", "nuv",
    "r3d",
    "rm", "roq", "smk", "swf", "thp", "ty", "vivo", "wc3movie", "wtv", "xmv", "yop",
    // Images and subtitles. They can be opened, so that the error is "no audio" and not "unknown format".
    "ass", "gif", "h264", "hevc", "image2pipe", "jpeg_pipe", "m4v", "png_pipe", "srt", "webp_pipe", "webvtt",
  ].joined(separator: ",")
}
