import AudioDecoding
import CFFmpeg
import Foundation

extension AVAudioFile {
  /// The state of an `AVAudioFile` that is open for reading; used under the file's lock.
  final class ReadingState {
    private let decoder: AudioDecoder
    private(set) var knownLength: AVAudioFramePosition?
    private var measurement: (length: AVAudioFramePosition, condition: AudioFileCondition)?
    /// The next frame to read. The decoder seeks to it at the next read.
    var position: AVAudioFramePosition = 0

    init(decoder: AudioDecoder) {
      self.decoder = decoder
      knownLength = decoder.statedLength
    }

    /// The number of frames, counted at first use. If the file cannot be read, this is the number of frames decoded so
    /// far, and the next use tries again.
    var length: AVAudioFramePosition {
      if let knownLength { return knownLength }
      return measured?.length ?? decoder.position
    }

    /// What decoding to the end finds about the file; nil if it cannot be read.
    var condition: AudioFileCondition? { measured?.condition }

    private var measured: (length: AVAudioFramePosition, condition: AudioFileCondition)? {
      if let measurement { return measurement }
      measurement = try? decoder.measure()
      knownLength = measurement?.length ?? knownLength
      return measurement
    }

    func read(into buffer: AVAudioPCMBuffer, count: Int) throws {
      try decoder.seek(to: position)
      guard decoder.position == position else { return }
      let read = try decoder.read(into: buffer.planes(), count: count)
      buffer.frameLength = AVAudioFrameCount(read)
      position += AVAudioFramePosition(read)
    }
  }

  static func opened(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws -> Opened {
    func processing(_ layout: SampleLayout) -> AVAudioFormat? {
      AVAudioFormat(
        optional: AudioStreamBasicDescription(
          commonFormat: format, sampleRate: Double(layout.rate), channels: UInt32(layout.channels),
          interleaved: interleaved),
        layout: layout.channels > 2 ? AVAudioChannelLayout(discrete: UInt32(layout.channels)) : nil)
    }
    guard format != .otherFormat else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(fileURL.path) in the format .otherFormat: choose one of the others"
      )
    }
    let decoder = try AudioDecoder(file: LocalFile(url: fileURL)) { native in
      processing(native).flatMap(SampleLayout.init)?.type ?? AV_SAMPLE_FMT_FLTP
    }
    guard let processingFormat = processing(decoder.native) else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(fileURL.path): its rate or channels are out of range")
    }
    return Opened(
      fileFormat: AVAudioFormat(disk: decoder) ?? processingFormat, processingFormat: processingFormat,
      state: .reading(ReadingState(decoder: decoder)))
  }

  /// The length that the file states, and its damaged parts. Like `length`, the first use may decode the whole file.
  package var condition: AudioFileCondition {
    withState { state in
      if case .reading(let reading) = state { reading.condition } else { nil }
    } ?? AudioFileCondition()
  }

  func fill(_ buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try withState { state in
      guard case .reading(let reading) = state else {
        throw AudioError.make(.notOpen, "cannot read \(url.path): it is not open for reading")
      }
      guard buffer.basis.isSame(as: basis) else {
        throw AudioError.make(
          .badParameter,
          "cannot read \(url.path) into a buffer of \(buffer.basis): it must be of \(basis)")
      }
      buffer.frameLength = 0
      try reading.read(into: buffer, count: Int(min(frames, buffer.capacity)))
    }
  }
}

extension AVAudioFormat {
  /// The format on disk of the file that `decoder` reads.
  convenience init?(disk decoder: AudioDecoder) {
    let (rate, channels) = (Double(decoder.native.rate), UInt32(decoder.native.channels))
    let layout = channels > 2 ? AVAudioChannelLayout(discrete: channels) : nil
    let name = String(cString: avcodec_get_name(decoder.codecID))
    let kinds: [String: AudioFormatID] = [
      "aac": kAudioFormatMPEG4AAC, "mp3": kAudioFormatMPEGLayer3, "alac": kAudioFormatAppleLossless,
      "flac": kAudioFormatFLAC, "opus": kAudioFormatOpus, "pcm_mulaw": kAudioFormatULaw,
      "pcm_alaw": kAudioFormatALaw,
    ]
    if name.hasPrefix("pcm_"), kinds[name] == nil {
      let bits = UInt32(max(8, av_get_bits_per_sample(decoder.codecID)))
      self.init(
        optional: AudioStreamBasicDescription(
          bits: bits, isFloat: name.hasPrefix("pcm_f"), sampleRate: rate, channels: channels,
          interleaved: true, bigEndian: name.hasSuffix("be")),
        layout: layout)
    } else {
      // 'unkn': a codec for which Core Audio has no code.
      let kind = kinds[name] ?? 0x756E_6B6E
      self.init(
        optional: AudioStreamBasicDescription(compressed: kind, sampleRate: rate, channels: channels),
        layout: layout)
    }
  }
}
