import AVFoundation

/// Converts sound, buffer by buffer, to the format that an analyzer takes: it converts nothing itself.
final class BufferConverter {
  /// Why sound cannot be converted.
  enum Failure: LocalizedError {
    case noConverter(from: AVAudioFormat, to: AVAudioFormat)
    case noBuffer
    case failed(NSError?)

    var errorDescription: String? {
      switch self {
      case .noConverter(let source, let target): "sound of \(source) cannot be converted to \(target)"
      case .noBuffer: "there is no room for converted sound"
      case .failed(let error): error?.localizedDescription ?? "the sound could not be converted"
      }
    }
  }

  private let format: AVAudioFormat
  private var converter: AVAudioConverter?

  init(to format: AVAudioFormat) { self.format = format }

  /// What follows on the buffer before, converted.
  func convert(_ buffer: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
    guard buffer.format != format else { return buffer }
    let converter = try converter(from: buffer.format)
    let ratio = format.sampleRate / buffer.format.sampleRate
    let capacity = AVAudioFrameCount((Double(buffer.frameLength) * ratio).rounded(.up))
    guard let converted = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else {
      throw Failure.noBuffer
    }
    // The block is called on this thread, before `convert` returns, until it has nothing more to give.
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

  /// The converter that knows what came before, unless the format has changed, as with another microphone.
  private func converter(from source: AVAudioFormat) throws -> AVAudioConverter {
    if let converter, converter.inputFormat == source { return converter }
    guard let new = AVAudioConverter(from: source, to: format) else {
      throw Failure.noConverter(from: source, to: format)
    }
    // What it begins with may be less exact, but no time is added.
    new.primeMethod = .none
    converter = new
    return new
  }
}
