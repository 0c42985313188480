import AudioDecoding
import CFFmpeg
import CSndFile
import Foundation

/// Writes an audio file with libsndfile. Not thread-safe: `AVAudioFile` calls it under its lock.
final class AudioWriter {
  /// The sample types on disk.
  enum Sample {
    case int8, int16, int24, int32, float32, float64
  }

  private let path: String
  private var handle: OpaquePointer?
  private let converter: SampleConverter
  private let target: SampleLayout
  private let scratch: PendingSamples
  private var block: [UInt8]
  /// How many frames have been written.
  private(set) var length: Int64 = 0

  private static let blockFrames = 4096

  /// What libsndfile needs to know of a file at `url`; throws if it cannot write such a file. The extension chooses the
  /// container.
  static func header(for url: URL, sample: Sample, rate: Int32, channels: Int32) throws -> SF_INFO {
    guard url.isFileURL else {
      throw AudioError.make(
        .unsupportedFileType, "cannot write \(url.absoluteString): only files of this machine can be written")
    }
    let container = try container(for: url, channels: channels)
    var info = SF_INFO()
    info.samplerate = rate
    info.channels = channels
    info.format = container | subtype(of: sample, in: container)
    guard sf_format_check(&info) != 0 else {
      throw AudioError.make(
        .unsupportedFormat,
        "cannot write \(url.path): .\(url.pathExtension) cannot hold \(sample) at \(rate) Hz with "
          + "\(channels) channels")
    }
    return info
  }

  /// Creates or truncates the file at `url`. The extension chooses the container.
  init(url: URL, sample: Sample, rate: Int32, processing: SampleLayout) throws {
    path = url.path
    var info = try Self.header(for: url, sample: sample, rate: rate, channels: processing.channels)
    target = SampleLayout(rate: processing.rate, channels: processing.channels, type: Self.type(of: sample))
    guard let converter = SampleConverter(from: processing, to: target) else {
      throw AudioError.make(.unsupportedFormat, "cannot write \(path): its samples cannot be converted")
    }
    self.converter = converter
    scratch = PendingSamples(layout: target)
    block = [UInt8](repeating: 0, count: Self.blockFrames * target.bytesPerFrame)
    // libsndfile's error for a missing folder does not name the cause.
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else {
      throw AudioError.make(
        errno == EACCES ? .permission : .fileNotFound,
        "cannot write \(path): \(AudioError.text(errno: errno))")
    }
    handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1)
    guard handle != nil else {
      let cause = String(cString: sf_strerror(nil))
      Foundation.close(descriptor)
      throw AudioError.make(.unspecified, "cannot write \(path): \(cause)")
    }
  }

  deinit { close() }

  /// Completes the header and closes the file.
  func close() {
    if let handle { sf_close(handle) }
    handle = nil
  }

  /// Appends `count` frames of the processing layout, starting at `planes`.
  func write(_ planes: [UnsafePointer<UInt8>?], count: Int) throws {
    _ = scratch.append(room: count) { converter.convert(planes, count: count, to: $0, room: count) }
    while scratch.count > 0 {
      let (frames, written) = block.withUnsafeMutableBytes { bytes in
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let frames = scratch.take(Self.blockFrames, into: [start], at: 0)
        return (frames, put(UnsafeRawPointer(bytes.baseAddress), frames))
      }
      length += Int64(max(0, written))
      guard written == frames else {
        let cause = errno != 0 ? AudioError.text(errno: errno) : String(cString: sf_strerror(handle))
        scratch.drop(scratch.count)
        throw AudioError.make(.unspecified, "cannot write \(path): \(cause)")
      }
    }
  }

  private func put(_ samples: UnsafeRawPointer?, _ frames: Int) -> Int {
    guard let samples, let handle else { return 0 }
    errno = 0
    let count = sf_count_t(frames)
    let written =
      switch target.type {
      case AV_SAMPLE_FMT_S16: sf_writef_short(handle, samples.assumingMemoryBound(to: Int16.self), count)
      case AV_SAMPLE_FMT_S32: sf_writef_int(handle, samples.assumingMemoryBound(to: Int32.self), count)
      case AV_SAMPLE_FMT_DBL: sf_writef_double(handle, samples.assumingMemoryBound(to: Double.self), count)
      default: sf_writef_float(handle, samples.assumingMemoryBound(to: Float.self), count)
      }
    return Int(written)
  }

  private static func container(for url: URL, channels: Int32) throws -> Int32 {
    switch url.pathExtension.lowercased() {
    case "wav", "wave": Int32(channels > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV)
    case "flac": Int32(SF_FORMAT_FLAC)
    case "aif", "aiff", "aifc": Int32(SF_FORMAT_AIFF)
    case "caf": Int32(SF_FORMAT_CAF)
    default:
      throw AudioError.make(
        .unsupportedFileType,
        "cannot write \(url.path): the name must end in .wav, .flac, .aiff or .caf")
    }
  }

  private static func subtype(of sample: Sample, in container: Int32) -> Int32 {
    let isWave = container == Int32(SF_FORMAT_WAV) || container == Int32(SF_FORMAT_WAVEX)
    let subtype =
      switch sample {
      case .int8: isWave ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .int32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      }
    return Int32(subtype)
  }

  /// The sample type for libsndfile, which only drops bits. Samples are scaled before, as reading scales them back.
  private static func type(of sample: Sample) -> AVSampleFormat {
    switch sample {
    case .int8, .int16: AV_SAMPLE_FMT_S16
    case .int24, .int32: AV_SAMPLE_FMT_S32
    case .float32: AV_SAMPLE_FMT_FLT
    case .float64: AV_SAMPLE_FMT_DBL
    }
  }
}
