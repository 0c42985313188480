import AudioDecoding
import Foundation
import Synchronization

/// The file of a recorder while it is written: converts what is captured to the file's format, and measures its level.
///
/// `@unchecked Sendable`: a `Mutex` guards everything that changes.
final class RecordedFile: @unchecked Sendable {
  /// What became of captured audio.
  enum Outcome {
    case written
    /// The frames that were asked for are in the file.
    case complete
    case failed(any Error)
  }

  private struct State: @unchecked Sendable {
    let file: AVAudioFile
    var converter: AVAudioConverter?
    var meter = AudioMeter()
    /// Frames that the file should have; nil for no end.
    var limit: AVAudioFramePosition?
    /// The host time before which captured audio is left out.
    var start: UInt64 = 0
    /// Whether it takes no more audio: it has its last frame, or cannot be written.
    var isOver = false
    /// Why audio is missing.
    var failure: (any Error)?
  }

  private let state: Mutex<State>

  /// Whether it takes no more audio.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Creates or truncates the file.
  init(url: URL, settings: [String: Any]) throws {
    state = Mutex(State(file: try AVAudioFile(forWriting: url, settings: settings)))
  }

  /// Begins or continues: audio from `start` on is written, until `seconds` of it more are in the file.
  func begin(at start: UInt64, seconds: TimeInterval?) {
    state.withLock { state in
      state.start = start
      let (length, rate) = (state.file.length, state.file.processingFormat.sampleRate)
      state.limit = seconds.map { seconds in
        let frames = max(0, AVAudioFramePosition(clampingSeconds: seconds, rate: rate))
        return frames + min(length, AVAudioFramePosition.max - frames)
      }
      state.isOver = false
      state.converter = nil
    }
  }

  /// Seconds in the file.
  var duration: TimeInterval {
    state.withLock { Double($0.file.length) / $0.file.processingFormat.sampleRate }
  }

  /// The level of each channel of what was captured since the last call.
  func takeLevels() -> [AudioMeter.Level] { state.withLock { $0.meter.take() } }

  /// Writes captured audio.
  func append(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) -> Outcome {
    state.withLock { state in
      guard !state.isOver, let kept = Self.part(of: buffer, from: state.start, at: time) else {
        return .written
      }
      do {
        state.meter.add(kept)
        let isFull = try Self.write(kept, &state)
        if isFull { state.isOver = true }
        return isFull ? .complete : .written
      } catch {
        (state.isOver, state.failure) = (true, error)
        return .failed(error)
      }
    }
  }

  /// Writes what the resampler held back, and completes the file. Throws if audio is missing from it.
  func close() throws {
    try state.withLock { state in
      defer { state.file.close() }
      if let failure = state.failure { throw failure }
      if state.converter != nil, !state.isOver { _ = try Self.write(nil, &state) }
    }
  }

  /// Writes a buffer, or the end of the stream. Returns whether the file has all frames that it should have.
  private static func write(_ buffer: AVAudioPCMBuffer?, _ state: inout State) throws -> Bool {
    let target = state.file.processingFormat
    if let buffer, state.converter?.inputFormat != buffer.format {
      state.converter = AVAudioConverter(from: buffer.format, to: target)
      state.converter?.downmix = true
    }
    guard let converter = state.converter else {
      throw AudioError.make(.unsupportedFormat, "cannot record: the source's format cannot be converted")
    }
    for output in try converter.stream(buffer) {
      if let limit = state.limit {
        output.frameLength = min(output.frameLength, AVAudioFrameCount(clamping: limit - state.file.length))
      }
      try state.file.write(from: output)
    }
    return state.limit.map { state.file.length >= $0 } ?? false
  }

  /// The frames of `buffer` that are not before `start`; nil if all are.
  private static func part(
    of buffer: AVAudioPCMBuffer, from start: UInt64, at time: AVAudioTime
  ) -> AVAudioPCMBuffer? {
    guard time.hostTime < start else { return buffer }
    let skipped = Int((Double(start - time.hostTime) / 1e9 * buffer.format.sampleRate).rounded())
    let count = Int(buffer.frameLength) - skipped
    guard count > 0, let part = AVAudioPCMBuffer(pcmFormat: buffer.format, frameCapacity: UInt32(count)),
      let source = buffer.floatChannelData, let target = part.floatChannelData
    else { return nil }
    part.frameLength = part.frameCapacity
    for channel in 0..<Int(buffer.format.channelCount) {
      target[channel].update(from: source[channel] + skipped, count: count)
    }
    return part
  }
}

extension AVAudioConverter {
  /// Converts the next buffer of a stream, or its end.
  func stream(_ buffer: AVAudioPCMBuffer?) throws -> [AVAudioPCMBuffer] {
    let ratio = outputFormat.sampleRate / inputFormat.sampleRate
    let capacity = AVAudioFrameCount((Double(buffer?.frameLength ?? 0) * ratio).rounded(.up)) + 4096
    var pending = buffer
    var outputs: [AVAudioPCMBuffer] = []
    while let output = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: capacity) {
      var error: NSError?
      let status = convert(to: output, error: &error) { _, status in
        defer { pending = nil }
        status.pointee = pending != nil ? .haveData : buffer == nil ? .endOfStream : .noDataNow
        return pending
      }
      if let error { throw error }
      if output.frameLength > 0 { outputs.append(output) }
      if status != .haveData { break }
    }
    return outputs
  }
}
