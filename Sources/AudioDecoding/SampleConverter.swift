import CFFmpeg
import Foundation

/// Sample rate, channels and sample type, in FFmpeg's terms.
package struct SampleLayout: Equatable {
  package var rate: Int32
  package var channels: Int32
  package var type: AVSampleFormat

  package init(rate: Int32, channels: Int32, type: AVSampleFormat) {
    (self.rate, self.channels, self.type) = (rate, channels, type)
  }

  /// How many bytes a frame takes in one buffer.
  package var bytesPerFrame: Int {
    let bytes = Int(av_get_bytes_per_sample(type))
    return isPlanar ? bytes : bytes * Int(channels)
  }
  /// The number of buffers: one for each channel, or one for all.
  package var bufferCount: Int { isPlanar ? Int(channels) : 1 }
  /// Whether a sample has more than the 24 significant bits of a 32-bit float.
  package var isWiderThanFloat: Bool {
    [AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_DBL].contains(av_get_packed_sample_fmt(type))
  }
  /// Whether a sample can be beyond full scale.
  var isFloat: Bool { [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_DBL].contains(av_get_packed_sample_fmt(type)) }
  private var isPlanar: Bool { av_sample_fmt_is_planar(type) != 0 }
}

/// Converts a stream of samples to another sample type, rate and number of channels with FFmpeg's swresample.
package final class SampleConverter {
  package typealias Plane = UnsafeMutablePointer<UInt8>?

  package struct Options: Equatable {
    /// Taps of the resampling filter at equal rates.
    package var filterSize: Int32 = 32
    /// Whether to add noise when bits are dropped.
    package var isDithered = false
    /// The gain of each input channel in each output channel, output by output; nil for FFmpeg's own mix.
    package var matrix: [Double]?

    package init() {}
  }

  package let input: SampleLayout
  package let output: SampleLayout
  private var context: OpaquePointer?

  package init?(from input: SampleLayout, to output: SampleLayout, options: Options = Options()) {
    self.input = input
    self.output = output
    var (source, target) = (AVChannelLayout(), AVChannelLayout())
    av_channel_layout_default(&source, input.channels)
    av_channel_layout_default(&target, output.channels)
    defer {
      av_channel_layout_uninit(&source)
      av_channel_layout_uninit(&target)
    }
    let code = swr_alloc_set_opts2(
      &context, &target, output.type, output.rate, &source, input.type, input.rate, 0, nil)
    guard code >= 0, let context else { return nil }
    let object = UnsafeMutableRawPointer(context)
    av_opt_set_int(object, "filter_size", Int64(options.filterSize), 0)
    if options.isDithered { av_opt_set_int(object, "dither_method", 3, 0) }
    if let matrix = options.matrix {
      guard matrix.count == Int(input.channels * output.channels),
        swr_set_matrix(context, matrix, input.channels) >= 0
      else { return nil }
    }
    if input.rate != output.rate || options.matrix != nil {
      // If both sides have 16 bits, swresample would compute with 16 bits.
      let isWide = [input, output].contains { $0.isWiderThanFloat }
      av_opt_set_sample_fmt(
        object, "internal_sample_fmt", isWide ? AV_SAMPLE_FMT_DBLP : AV_SAMPLE_FMT_FLTP, 0)
    }
    guard swr_init(context) >= 0 else { return nil }
  }

  deinit { swr_free(&context) }

  /// Converts `count` frames of `source`. Returns how many frames it wrote to `target`, at most `room`; nil for an error.
  ///
  /// Frames without room are kept for the next call. If `source` is nil the stream ends: each call then writes frames that
  /// the filter still holds, until it returns 0.
  package func convert(_ source: [UnsafePointer<UInt8>?]?, count: Int, to target: [Plane], room: Int) -> Int?
  {
    var target = target
    let written: Int32
    if var source {
      written = swr_convert(context, &target, Int32(clamping: room), &source, Int32(clamping: count))
    } else {
      written = swr_convert(context, &target, Int32(clamping: room), nil, 0)
    }
    return written < 0 ? nil : Int(written)
  }

  /// The maximum number of frames that `count` more frames of input can yield.
  package func bound(for count: Int) -> Int {
    max(0, Int(swr_get_out_samples(context, Int32(clamping: count))))
  }
}

extension SampleLayout {
  /// The layout of `frame`.
  init(_ frame: DecodedStream.Frame) {
    self.init(
      rate: frame.pointee.sample_rate, channels: frame.pointee.ch_layout.nb_channels,
      type: AVSampleFormat(rawValue: frame.pointee.format))
  }
}

extension UnsafeMutablePointer<AVFrame> {
  /// The addresses of the samples, one for each buffer.
  var planes: [UnsafePointer<UInt8>?] {
    (0..<SampleLayout(self).bufferCount).map { UnsafePointer(pointee.extended_data[$0]) }
  }
}
