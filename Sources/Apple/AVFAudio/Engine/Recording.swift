import CPulse

/// One stream from one source, from `start()` to its end. Used under the connection's lock only.
final class Recording {
  var source: CaptureDevice
  let format: AVAudioFormat
  let stream: OpaquePointer
  private(set) var clock: CaptureClock
  var delivery: TapDelivery?
  /// Frames that did not find room, or that the server did not have.
  private(set) var lostFrames = 0

  /// A stream, not connected yet; nil if libpulse refuses.
  init?(from source: CaptureDevice, of context: OpaquePointer?) {
    guard let format = source.format else { return nil }
    var specification = pa_sample_spec()
    specification.format = PA_SAMPLE_FLOAT32LE
    specification.rate = UInt32(source.sampleRate)
    specification.channels = UInt8(source.channelCount)
    var channels = source.channelMap
    guard let stream = pa_stream_new(context, "recording", &specification, &channels) else { return nil }
    self.source = source
    self.format = format
    self.stream = stream
    clock = CaptureClock(rate: source.sampleRate)
  }

  deinit { pa_stream_unref(stream) }

  private var bytesPerFrame: Int { Int(source.channelCount) * MemoryLayout<Float>.size }

  /// Begins to record; `frames` is the length of a buffer of the tap's. Nil as `device` is the user's or the
  /// server's choice, which the stream then follows.
  func connect(device: String?, frames: Int) -> Bool {
    var attributes = pa_buffer_attr()
    attributes.maxlength = .max
    // Four pieces a buffer: less is lost when a server dies.
    attributes.fragsize = UInt32(frames / 4 * bytesPerFrame)
    return pa_stream_connect_record(stream, device, &attributes, PA_STREAM_ADJUST_LATENCY) == 0
  }

  /// Takes what has arrived. Copies, and never waits.
  func read() {
    while true {
      var data: UnsafeRawPointer?
      var bytes = 0
      guard pa_stream_peek(stream, &data, &bytes) == 0, bytes > 0 else { return }
      take(data?.assumingMemoryBound(to: Float.self), frames: bytes / bytesPerFrame)
      pa_stream_drop(stream)
    }
  }

  private func take(_ samples: UnsafePointer<Float>?, frames: Int) {
    guard let samples else {
      // A hole. Silence in its place would be sound that was never there.
      clock.skip(frames)
      lostFrames += frames
      return
    }
    let time = clock.arrive(frames, at: AVAudioTime.now)
    guard let delivery else { return }
    lostFrames += delivery.write(samples, frames: frames, sampleTime: time, hostTime: clock.hostTime)
  }

  /// The source is suspended, or goes on.
  func interrupt() { clock.interrupt() }

  /// Ends the stream, and the delivery when the tap has had everything.
  func end() {
    read()
    pa_stream_set_read_callback(stream, nil, nil)
    pa_stream_set_state_callback(stream, nil, nil)
    pa_stream_set_suspended_callback(stream, nil, nil)
    pa_stream_set_moved_callback(stream, nil, nil)
    pa_stream_disconnect(stream)
    delivery?.close()
  }
}
