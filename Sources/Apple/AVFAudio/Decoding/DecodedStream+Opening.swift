import CFFmpeg
import Foundation

extension DecodedStream {
  typealias Container = UnsafeMutablePointer<AVFormatContext>

  /// Channels that FFmpeg's resampler can handle.
  static let maximumChannels: Int32 = 64
  /// Beyond any recorder; far below where a ratio of rates overflows.
  static let maximumRate: Int32 = 16_000_000

  /// Recognizes the container and reads its head.
  static func openContainer(path: String, reader: LocalFile.Reader) throws -> Container {
    var format = avformat_alloc_context()
    guard let context = format else { throw AudioError.make(.noMemory, "cannot read \(path): out of memory") }
    context.pointee.pb = reader.context
    // Besides the two lists below: whatever a demuxer wants to open by name is refused.
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
    return format
  }

  /// Finds the sound among the container's streams, and has the others skipped; closes the container on failure.
  static func soundStream(of format: Container, path: String) throws -> Int32 {
    avformat_find_stream_info(format, nil)
    let index = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    let count = Int32(clamping: format.pointee.nb_streams)
    guard index >= 0, index < count else {
      throw AudioError.make(.invalidFile, "cannot read \(path): it holds no sound")
    }
    for other in 0..<count where other != index {
      format.pointee.streams[Int(other)]?.pointee.discard = AVDISCARD_ALL
    }
    return index
  }

  /// Opens the decoder of a stream after checking what its header claims.
  static func openDecoder(
    of format: Container, stream index: Int32, path: String
  ) throws -> UnsafeMutablePointer<AVCodecContext> {
    guard let stream = format.pointee.streams[Int(index)], let parameters = stream.pointee.codecpar else {
      throw AudioError.make(.invalidFile, "cannot read \(path): it holds no sound")
    }
    let (rate, channels) = (parameters.pointee.sample_rate, parameters.pointee.ch_layout.nb_channels)
    guard rate >= 0, rate <= maximumRate else {
      throw AudioError.make(.invalidFile, "cannot read \(path): a rate of \(rate) Hz is out of range")
    }
    guard channels >= 0, channels <= maximumChannels else {
      throw AudioError.make(
        .unsupportedFormat,
        "cannot read \(path): it claims \(channels) channels, more than \(maximumChannels)")
    }
    let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
    guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(path): there is no decoder for its sound (\(name))")
    }
    var codec = avcodec_alloc_context3(decoder)
    guard let context = codec else { throw AudioError.make(.noMemory, "cannot read \(path): out of memory") }
    var code = avcodec_parameters_to_context(context, parameters)
    // Needed to trim the encoder's delay and padding.
    context.pointee.pkt_timebase = stream.pointee.time_base
    // Threads would add nothing to sound but memory.
    context.pointee.thread_count = 1
    if code >= 0 { code = avcodec_open2(context, decoder, nil) }
    guard code >= 0 else {
      avcodec_free_context(&codec)
      throw AudioError.make(
        .unsupportedFormat,
        "cannot read \(path): its \(name) sound cannot be decoded (\(AudioError.text(ffmpeg: code)))")
    }
    return context
  }
}
