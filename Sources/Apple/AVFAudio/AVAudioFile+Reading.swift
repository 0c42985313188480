import AudioDecoding
import CFFmpeg
import Foundation

extension AVAudioFile {
  /// The state of an `AVAudioFile` that is open for reading; used under the file's lock.
  final class ReadingState {
    let decoder: any FileDecoding
    private(set) var knownLength: AVAudioFramePosition?
    /// The next frame to read. The decoder seeks to it at the next read.
    var position: AVAudioFramePosition = 0

    init(decoder: any FileDecoding) {
      self.decoder = decoder
      knownLength = decoder.file.length
    }

    /// The number of frames. If the file cannot be read, this is the number of frames read so far, and the next use tries
    /// again.
    var length: AVAudioFramePosition { (try? readLength()) ?? position }

    /// The number of frames, counted at first use.
    func readLength() throws -> AVAudioFramePosition { try knownLength ?? scan().length }

    /// What decoding to the end finds about the file; nil if it cannot be read.
    var condition: AudioFileCondition? { try? decoder.scan().condition }

    /// Decodes to the end, unless that was done.
    func scan() throws -> (length: AVAudioFramePosition, condition: AudioFileCondition) {
      let file = try decoder.scan()
      knownLength = file.length
      return (file.length ?? 0, file.condition ?? AudioFileCondition())
    }

    func read(into buffer: AVAudioPCMBuffer, count: Int) throws {
      let read = try decoder.read(at: position, into: buffer.planes(), count: count)
      buffer.frameLength = AVAudioFrameCount(read)
      position += AVAudioFramePosition(read)
    }
  }

  static func opened(
    forReading fileURL: URL, track: Int? = nil, commonFormat format: AVAudioCommonFormat, interleaved: Bool,
    isolation: DecodingIsolation
  ) throws -> Opened {
    guard let type = AVSampleFormat(format, interleaved: interleaved) else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(fileURL.path) in the format .otherFormat: choose one of the others"
      )
    }
    let decoder = try LocalFile(url: fileURL).decoder(track: track, type: type, isolation: isolation)
    let channels = UInt32(decoder.file.channels)
    let processingFormat = AVAudioFormat(
      optional: AudioStreamBasicDescription(
        commonFormat: format, sampleRate: Double(decoder.file.rate), channels: channels,
        interleaved: interleaved),
      layout: channels > 2 ? AVAudioChannelLayout(discrete: channels) : nil)
    guard let processingFormat else {
      throw AudioError.make(
        .unsupportedFormat, "cannot read \(fileURL.path): its rate or channels are out of range")
    }
    return Opened(
      fileFormat: AVAudioFormat(disk: decoder.file) ?? processingFormat, processingFormat: processingFormat,
      state: .reading(ReadingState(decoder: decoder)))
  }

  /// Starts the process that decodes files, so that the first file does not wait for it. Returns at once.
  package static func prepareDecoding() { DecodingProcess.shared.prepare() }

  /// Whether an error says that `audio-decoder` is missing.
  package static func isDecoderMissing(_ error: any Error) -> Bool {
    (error as NSError).domain == AudioError.domain
      && (error as NSError).code == AudioError.Code.noService.rawValue
  }

  /// Starts a process that decodes, and tries there what its sandbox must refuse.
  ///
  /// Returns what works, and what is missing in the kernel; nil if nothing is missing.
  package static func checkSandbox() throws -> (strength: String, weakness: String?) {
    let attempts = try ChildDecoder.attempts()
    let allowed = attempts.results.filter { $0.value == 0 }.keys.sorted().joined(separator: ", ")
    let weakness = attempts.protections.weakness ?? (allowed.isEmpty ? nil : "not refused: \(allowed)")
    return ("Landlock \(attempts.protections.landlock), seccomp", weakness)
  }

  /// The length that the file states, and its damaged parts. Like `length`, the first use may decode the whole file.
  package var condition: AudioFileCondition {
    withState { state in
      if case .reading(let reading) = state { reading.condition } else { nil }
    } ?? AudioFileCondition()
  }

  /// The length in frames. Throws if the file cannot be decoded to its end, which `length` cannot say.
  package func readLength() throws -> AVAudioFramePosition {
    try reading { try $0.readLength() }
  }

  /// The length in frames, and what decoding to the end finds. The first use may decode the whole file.
  ///
  /// Throws if the file cannot be decoded to its end, which `length` and `condition` cannot say.
  package func scan() throws -> (length: AVAudioFramePosition, condition: AudioFileCondition) {
    try reading { try $0.scan() }
  }

  /// How the clock of a file's container differs from that of its samples.
  package typealias Clock = ContainerClock

  /// What the decoder knows without decoding all of the file: its tracks, and when this one begins.
  package var decoded: DecodedFile? {
    withState { state in
      if case .reading(let reading) = state { reading.decoder.file } else { nil }
    }
  }

  /// Calls a function with what reads the file. Throws if the file is not open for reading.
  private func reading<Value: Sendable>(_ body: (ReadingState) throws -> Value) throws -> Value {
    try withState { state in
      guard case .reading(let reading) = state else {
        throw AudioError.make(.notOpen, "cannot read \(url.path): it is not open for reading")
      }
      return try body(reading)
    }
  }

  func fill(_ buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try reading { reading in
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
  /// The format of `file` on disk.
  convenience init?(disk file: DecodedFile) {
    let (rate, channels) = (Double(file.rate), UInt32(file.channels))
    let layout = channels > 2 ? AVAudioChannelLayout(discrete: channels) : nil
    let name = file.codec
    let kinds: [String: AudioFormatID] = [
      "aac": kAudioFormatMPEG4AAC, "mp3": kAudioFormatMPEGLayer3, "alac": kAudioFormatAppleLossless,
      "flac": kAudioFormatFLAC, "opus": kAudioFormatOpus, "pcm_mulaw": kAudioFormatULaw,
      "pcm_alaw": kAudioFormatALaw,
    ]
    if name.hasPrefix("pcm_"), kinds[name] == nil {
      let bits = UInt32(max(8, file.bitsPerSample))
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
