import CPulse
import Foundation

/// A stream of audio to the sound server's default output, or to the one that `PULSE_SINK` names.
///
/// `@unchecked Sendable`: the lock of `connection` guards everything that changes. Call `close` before the last reference is
/// released.
final class PulseOutput: @unchecked Sendable {
  /// Seconds of audio that wait in the server.
  private static let backlog = 0.5

  private let connection: PulseConnection
  private let bytesPerFrame: Int
  private var stream: OpaquePointer?

  /// Connects within 3 seconds, or throws an error that says what to do.
  init(server: String?, rate: Double, channels: Int) throws {
    connection = PulseConnection(address: server)
    bytesPerFrame = channels * MemoryLayout<Float>.size
    do {
      try connection.locked { try open(rate: rate, channels: channels) }
    } catch {
      close()
      throw error
    }
  }

  private func open(rate: Double, channels: Int) throws {
    let deadline = PulseConnection.deadline
    try connection.connect(by: deadline)
    var specification = pa_sample_spec()
    specification.format = PA_SAMPLE_FLOAT32LE
    specification.rate = UInt32(rate)
    specification.channels = UInt8(clamping: channels)
    guard let new = pa_stream_new(connection.context, "playback", &specification, nil) else {
      throw PulseError.output(pa_context_errno(connection.context))
    }
    stream = new
    let owner = Unmanaged.passUnretained(self).toOpaque()
    pa_stream_set_state_callback(new, { PulseOutput.wake($1) }, owner)
    pa_stream_set_write_callback(new, { PulseOutput.wake($2) }, owner)
    var attributes = pa_buffer_attr()
    (attributes.maxlength, attributes.prebuf, attributes.minreq) = (.max, .max, .max)
    attributes.tlength = UInt32(Self.backlog * rate) * UInt32(bytesPerFrame)
    guard pa_stream_connect_playback(new, nil, &attributes, PA_STREAM_ADJUST_LATENCY, nil, nil) == 0 else {
      throw PulseError.output(pa_context_errno(connection.context))
    }
    let isDone = connection.wait(by: deadline) { pa_stream_get_state(new) != PA_STREAM_CREATING }
    guard pa_stream_get_state(new) == PA_STREAM_READY else {
      throw isDone ? PulseError.output(pa_context_errno(connection.context)) : PulseError.connection(nil)
    }
  }

  private static func wake(_ data: UnsafeMutableRawPointer?) {
    data.map { Unmanaged<PulseOutput>.fromOpaque($0).takeUnretainedValue() }?.connection.signal()
  }

  /// Waits for room and plays interleaved samples. Returns false if the stream has ended.
  func write(_ samples: [Float]) -> Bool {
    var offset = 0
    return connection.locked {
      while offset < samples.count {
        guard waitUntil({ pa_stream_writable_size(stream) >= bytesPerFrame }), let stream else {
          return false
        }
        let room = Int(pa_stream_writable_size(stream)) / bytesPerFrame * bytesPerFrame
        let bytes = min(room, (samples.count - offset) * MemoryLayout<Float>.size)
        let result = samples.withUnsafeBytes { all in
          pa_stream_write(
            stream, all.baseAddress.map { $0 + offset * MemoryLayout<Float>.size }, bytes, nil, 0,
            PA_SEEK_RELATIVE)
        }
        guard result == 0 else { return false }
        offset += bytes / MemoryLayout<Float>.size
      }
      return true
    }
  }

  /// Waits until everything was played. Returns false if the stream has ended before.
  func drain() -> Bool {
    connection.locked {
      guard let stream, isReady else { return false }
      let owner = Unmanaged.passUnretained(self).toOpaque()
      guard let operation = pa_stream_drain(stream, { PulseOutput.wake($2) }, owner) else { return false }
      defer {
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
      }
      return waitUntil { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
        && pa_operation_get_state(operation) == PA_OPERATION_DONE
    }
  }

  /// Pauses or resumes what waits in the server.
  func pause(_ isPaused: Bool) {
    connection.locked {
      guard isReady else { return }
      if let operation = pa_stream_cork(stream, isPaused ? 1 : 0, nil, nil) { pa_operation_unref(operation) }
    }
  }

  /// Drops what waits in the server.
  func flush() {
    connection.locked {
      guard isReady else { return }
      if let operation = pa_stream_flush(stream, nil, nil) { pa_operation_unref(operation) }
    }
  }

  /// Frames that wait in the server.
  var waitingFrames: Int {
    connection.locked {
      guard isReady, let attributes = pa_stream_get_buffer_attr(stream) else { return 0 }
      let room = pa_stream_writable_size(stream)
      return max(0, Int(attributes.pointee.tlength) - Int(clamping: room)) / bytesPerFrame
    }
  }

  /// Ends the stream, and wakes `write` and `drain`.
  func close() {
    connection.locked {
      if let stream {
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
      }
      stream = nil
      connection.signal()
    }
  }

  private var isReady: Bool { stream.map { pa_stream_get_state($0) == PA_STREAM_READY } ?? false }

  /// Waits, also for minutes while the stream is paused; false if the stream has ended.
  private func waitUntil(_ condition: () -> Bool) -> Bool {
    while isReady {
      if connection.wait(by: PulseConnection.deadline, { !isReady || condition() }), isReady { return true }
    }
    return false
  }

  deinit { connection.shutDown() }
}
