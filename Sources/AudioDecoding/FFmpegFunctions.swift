import CFFmpeg
import Foundation

/// libavformat and libavcodec, which are loaded when the first file is decoded.
///
/// They bring more than a hundred other libraries, which take 35 ms to load. Only a process that decodes needs them, and
/// other processes are safer without them. So no program is linked with them: the functions below take the place of
/// those that FFmpeg's headers declare, and the linker reports a function that is missing here.
enum FFmpegLibrary {
  private static var name: String { "libavformat.so.\(LIBAVFORMAT_VERSION_MAJOR)" }
  /// Code is never unloaded or changed.
  nonisolated(unsafe) private static let handle = dlopen(name, RTLD_LAZY)

  /// Loads the library. This must succeed before any other function of FFmpeg's formats and codecs is called.
  static func load(path: String) throws {
    guard handle == nil else { return }
    throw AudioError.make(.unspecified, "cannot read \(path): FFmpeg's library \(name) cannot be loaded")
  }

  /// Finds a function in the library, or in libavcodec, which it depends on.
  fileprivate static func function<Function>(_ name: String) -> Function {
    guard let handle, let symbol = dlsym(handle, name) else {
      preconditionFailure("\(Self.name) has no \(name)")
    }
    return unsafeBitCast(symbol, to: Function.self)
  }
}

private enum Loaded {
  static let avformat_alloc_context: @convention(c) @Sendable () -> UnsafeMutablePointer<AVFormatContext>? =
    FFmpegLibrary.function("avformat_alloc_context")
  static let avformat_open_input:
    @convention(c) @Sendable (
      UnsafeMutablePointer<UnsafeMutablePointer<AVFormatContext>?>?, UnsafePointer<CChar>?,
      UnsafePointer<AVInputFormat>?, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 = FFmpegLibrary.function("avformat_open_input")
  static let avformat_find_stream_info:
    @convention(c) @Sendable (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<OpaquePointer?>?)
      -> Int32 = FFmpegLibrary.function("avformat_find_stream_info")
  static let avformat_close_input:
    @convention(c) @Sendable (UnsafeMutablePointer<UnsafeMutablePointer<AVFormatContext>?>?) -> Void =
      FFmpegLibrary.function("avformat_close_input")
  static let av_find_best_stream:
    @convention(c) @Sendable (
      UnsafeMutablePointer<AVFormatContext>?, AVMediaType, Int32, Int32,
      UnsafeMutablePointer<UnsafePointer<AVCodec>?>?, Int32
    ) -> Int32 = FFmpegLibrary.function("av_find_best_stream")
  static let av_read_frame:
    @convention(c) @Sendable (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVPacket>?) ->
      Int32 = FFmpegLibrary.function("av_read_frame")
  static let av_seek_frame:
    @convention(c) @Sendable (UnsafeMutablePointer<AVFormatContext>?, Int32, Int64, Int32) -> Int32 =
      FFmpegLibrary.function("av_seek_frame")
  static let avio_alloc_context:
    @convention(c) @Sendable (
      UnsafeMutablePointer<UInt8>?, Int32, Int32, UnsafeMutableRawPointer?,
      (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32)?,
      longhand_write_packet?,
      (@convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64)?
    ) -> UnsafeMutablePointer<AVIOContext>? = FFmpegLibrary.function("avio_alloc_context")
  static let avio_context_free:
    @convention(c) @Sendable (UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?) -> Void =
      FFmpegLibrary.function("avio_context_free")
  static let av_packet_alloc: @convention(c) @Sendable () -> UnsafeMutablePointer<AVPacket>? =
    FFmpegLibrary.function("av_packet_alloc")
  static let av_packet_clone:
    @convention(c) @Sendable (UnsafePointer<AVPacket>?) -> UnsafeMutablePointer<AVPacket>? =
      FFmpegLibrary.function("av_packet_clone")
  static let av_packet_free:
    @convention(c) @Sendable (UnsafeMutablePointer<UnsafeMutablePointer<AVPacket>?>?) -> Void =
      FFmpegLibrary.function("av_packet_free")
  static let av_packet_unref: @convention(c) @Sendable (UnsafeMutablePointer<AVPacket>?) -> Void =
    FFmpegLibrary.function("av_packet_unref")
  static let avcodec_find_decoder: @convention(c) @Sendable (AVCodecID) -> UnsafePointer<AVCodec>? =
    FFmpegLibrary.function("avcodec_find_decoder")
  static let avcodec_descriptor_get:
    @convention(c) @Sendable (AVCodecID) -> UnsafePointer<AVCodecDescriptor>? = FFmpegLibrary.function(
      "avcodec_descriptor_get")
  static let avcodec_get_name: @convention(c) @Sendable (AVCodecID) -> UnsafePointer<CChar>? =
    FFmpegLibrary.function("avcodec_get_name")
  static let av_get_bits_per_sample: @convention(c) @Sendable (AVCodecID) -> Int32 = FFmpegLibrary.function(
    "av_get_bits_per_sample")
  static let avcodec_alloc_context3:
    @convention(c) @Sendable (UnsafePointer<AVCodec>?) -> UnsafeMutablePointer<AVCodecContext>? =
      FFmpegLibrary.function("avcodec_alloc_context3")
  static let avcodec_free_context:
    @convention(c) @Sendable (UnsafeMutablePointer<UnsafeMutablePointer<AVCodecContext>?>?) -> Void =
      FFmpegLibrary.function("avcodec_free_context")
  static let avcodec_parameters_to_context:
    @convention(c) @Sendable (UnsafeMutablePointer<AVCodecContext>?, UnsafePointer<AVCodecParameters>?) ->
      Int32 = FFmpegLibrary.function("avcodec_parameters_to_context")
  static let avcodec_open2:
    @convention(c) @Sendable (
      UnsafeMutablePointer<AVCodecContext>?, UnsafePointer<AVCodec>?, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 = FFmpegLibrary.function("avcodec_open2")
  static let avcodec_send_packet:
    @convention(c) @Sendable (UnsafeMutablePointer<AVCodecContext>?, UnsafePointer<AVPacket>?) -> Int32 =
      FFmpegLibrary.function("avcodec_send_packet")
  static let avcodec_receive_frame:
    @convention(c) @Sendable (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?) -> Int32 =
      FFmpegLibrary.function("avcodec_receive_frame")
  static let avcodec_flush_buffers: @convention(c) @Sendable (UnsafeMutablePointer<AVCodecContext>?) -> Void =
    FFmpegLibrary.function("avcodec_flush_buffers")
}

func avformat_alloc_context() -> UnsafeMutablePointer<AVFormatContext>! {
  Loaded.avformat_alloc_context()
}
func avformat_open_input(
  _ format: UnsafeMutablePointer<UnsafeMutablePointer<AVFormatContext>?>!, _ path: UnsafePointer<CChar>!,
  _ kind: UnsafePointer<AVInputFormat>!, _ options: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  Loaded.avformat_open_input(format, path, kind, options)
}
@discardableResult
func avformat_find_stream_info(
  _ format: UnsafeMutablePointer<AVFormatContext>!, _ options: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  Loaded.avformat_find_stream_info(format, options)
}
func avformat_close_input(_ format: UnsafeMutablePointer<UnsafeMutablePointer<AVFormatContext>?>!) {
  Loaded.avformat_close_input(format)
}
func av_find_best_stream(
  _ format: UnsafeMutablePointer<AVFormatContext>!, _ type: AVMediaType, _ wanted: Int32, _ related: Int32,
  _ decoder: UnsafeMutablePointer<UnsafePointer<AVCodec>?>!, _ flags: Int32
) -> Int32 {
  Loaded.av_find_best_stream(format, type, wanted, related, decoder, flags)
}
func av_read_frame(
  _ format: UnsafeMutablePointer<AVFormatContext>!, _ packet: UnsafeMutablePointer<AVPacket>!
) -> Int32 {
  Loaded.av_read_frame(format, packet)
}
func av_seek_frame(
  _ format: UnsafeMutablePointer<AVFormatContext>!, _ stream: Int32, _ time: Int64, _ flags: Int32
) -> Int32 {
  Loaded.av_seek_frame(format, stream, time, flags)
}
func avio_alloc_context(
  _ buffer: UnsafeMutablePointer<UInt8>!, _ size: Int32, _ writes: Int32, _ opaque: UnsafeMutableRawPointer!,
  _ read: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32)!,
  _ write: longhand_write_packet!,
  _ seek: (@convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64)!
) -> UnsafeMutablePointer<AVIOContext>! {
  Loaded.avio_alloc_context(buffer, size, writes, opaque, read, write, seek)
}
func avio_context_free(_ context: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>!) {
  Loaded.avio_context_free(context)
}
func av_packet_alloc() -> UnsafeMutablePointer<AVPacket>! {
  Loaded.av_packet_alloc()
}
func av_packet_clone(_ packet: UnsafePointer<AVPacket>!) -> UnsafeMutablePointer<AVPacket>! {
  Loaded.av_packet_clone(packet)
}
func av_packet_free(_ packet: UnsafeMutablePointer<UnsafeMutablePointer<AVPacket>?>!) {
  Loaded.av_packet_free(packet)
}
func av_packet_unref(_ packet: UnsafeMutablePointer<AVPacket>!) {
  Loaded.av_packet_unref(packet)
}
func avcodec_find_decoder(_ codec: AVCodecID) -> UnsafePointer<AVCodec>! {
  Loaded.avcodec_find_decoder(codec)
}
func avcodec_descriptor_get(_ codec: AVCodecID) -> UnsafePointer<AVCodecDescriptor>! {
  Loaded.avcodec_descriptor_get(codec)
}
func avcodec_get_name(_ codec: AVCodecID) -> UnsafePointer<CChar>! {
  Loaded.avcodec_get_name(codec)
}
func av_get_bits_per_sample(_ codec: AVCodecID) -> Int32 {
  Loaded.av_get_bits_per_sample(codec)
}
func avcodec_alloc_context3(_ decoder: UnsafePointer<AVCodec>!) -> UnsafeMutablePointer<AVCodecContext>! {
  Loaded.avcodec_alloc_context3(decoder)
}
func avcodec_free_context(_ codec: UnsafeMutablePointer<UnsafeMutablePointer<AVCodecContext>?>!) {
  Loaded.avcodec_free_context(codec)
}
func avcodec_parameters_to_context(
  _ codec: UnsafeMutablePointer<AVCodecContext>!, _ parameters: UnsafePointer<AVCodecParameters>!
) -> Int32 {
  Loaded.avcodec_parameters_to_context(codec, parameters)
}
func avcodec_open2(
  _ codec: UnsafeMutablePointer<AVCodecContext>!, _ decoder: UnsafePointer<AVCodec>!,
  _ options: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  Loaded.avcodec_open2(codec, decoder, options)
}
@discardableResult
func avcodec_send_packet(_ codec: UnsafeMutablePointer<AVCodecContext>!, _ packet: UnsafePointer<AVPacket>!)
  -> Int32
{
  Loaded.avcodec_send_packet(codec, packet)
}
func avcodec_receive_frame(
  _ codec: UnsafeMutablePointer<AVCodecContext>!, _ frame: UnsafeMutablePointer<AVFrame>!
) -> Int32 {
  Loaded.avcodec_receive_frame(codec, frame)
}
func avcodec_flush_buffers(_ codec: UnsafeMutablePointer<AVCodecContext>!) {
  Loaded.avcodec_flush_buffers(codec)
}
