import AVFoundation

/// Converts audio, buffer by buffer, to the format that an analyzer needs. An analyzer does not convert audio itself.
final class BufferConverter {
  /// Why audio cannot be converted.
  enum Failure: LocalizedError {
    case noConverter(from: AVAudioFormat, to: AVAudioFormat)
    case noBuffer
    case failed(NSError?)

    var errorDescription: String? {
      switch self {
      case .noConverter(let source, let target): "\(source) cannot be converted to \(target)"
      case .noBuffer: "there is not enough memory for a buffer"
      case .failed(let error): error?.localizedDescription ?? "the audio could not be converted"
      }
    }
  }

  private let format: AVAudioFormat
  private var converter: AVAudioConverter?

  init(to format: AVAudioFormat) { self.format = format }

  /// Converts the next buffer of the stream.
  func convert(_ buffer: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
    guard buffer.format != format else { return buffer }
    let converter = try converter(from: buffer.format)
    let ratio = format.sampleRate / buffer.format.sampleRate
    let capacity = AVAudioFrameCount((Double(buffer.frameLength) * ratio).rounded(.up))
    guard let converted = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else {
      throw Failure.noBuffer
    }
    // `convert` calls the block on this thread before it returns, so nothing else uses `pending`.
    nonisolated(unsafe) var pending: AVAudioPCMBuffer? = buffer
    var error: NSError?
    let status = converter.convert(to: converted, error: &error) { _, inputStatus in
      defer { pending = nil }
      inputStatus.pointee = pending == nil ? .noDataNow : .haveData
      return pending
    }
    guard status != .error else { throw Failure.failed(error) }
    return converted
  }

  /// The converter of the stream. A new format, for example of another microphone, begins a new stream.
  private func converter(from source: AVAudioFormat) throws -> AVAudioConverter {
    if let converter, converter.inputFormat == source { return converter }
    guard let new = AVAudioConverter(from: source, to: format) else {
      throw Failure.noConverter(from: source, to: format)
    }
    // The first frames may be less exact, but the audio does not become longer.
    new.primeMethod = .none
    converter = new
    return new
  }
}
