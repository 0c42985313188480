import CPulse

/// One stream from one source, from `start()` to its end. Used only with the lock of the connection.
final class Recording {
  var source: CaptureDevice
  let format: AVAudioFormat
  let stream: OpaquePointer
  private(set) var clock: CaptureClock
  var delivery: TapDelivery?
  /// How many frames found no room, or were lost by the server.
  private(set) var lostFrames = 0
  /// The greatest sample of quiet audio; see `AVAudioInputNode.quietPeak`.
  var quietPeak: Float? {
    get { quiet.peak }
    set {
      quiet.peak = newValue
      adjust()
    }
  }
  /// Seconds that the server's audio may wait.
  var nap: Double { quiet.nap }
  private var quiet = QuietWatch()
  /// Bytes that the server sends at once while audio is not quiet; 0 before the stream is connected.
  private var shortFragment: UInt32 = 0
  private var hasLongFragments = false
  /// When the server answered last, in microseconds.
  private var lastAnswer = pa_rtclock_now()
  /// Microseconds without an answer after which the server counts as silent. It is asked every 1.5 seconds.
  private static let patience: pa_usec_t = 1_700_000
  /// The same while the thread naps, before the question and before the answer.
  private static let quietPatience = patience + pa_usec_t(2 * QuietWatch.fragment * 1e6)

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

  /// Starts recording. `frames` is the length of the tap's buffers. If `device` is nil, the user or the server chooses the
  /// source, and the stream follows that choice.
  func connect(device: String?, frames: Int) -> Bool {
    var attributes = pa_buffer_attr()
    attributes.maxlength = .max
    // Four fragments for each buffer: so less is lost when a server ends.
    shortFragment = UInt32(frames / 4 * bytesPerFrame)
    attributes.fragsize = shortFragment
    lastAnswer = pa_rtclock_now()
    let flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
    return pa_stream_connect_record(stream, device, &attributes, pa_stream_flags_t(flags)) == 0
  }

  /// Asks the server for longer fragments while audio is quiet. Does not wait for the answer.
  private func adjust() {
    guard shortFragment > 0, hasLongFragments == (quiet.peak == nil) else { return }
    hasLongFragments.toggle()
    var attributes = pa_buffer_attr()
    attributes.maxlength = .max
    attributes.fragsize =
      hasLongFragments
      ? UInt32(QuietWatch.fragment * format.sampleRate) * UInt32(bytesPerFrame) : shortFragment
    if let operation = pa_stream_set_buffer_attr(stream, &attributes, nil, nil) {
      pa_operation_unref(operation)
    }
  }

  /// The server has answered a question about the stream's time.
  func answered(_ stream: OpaquePointer?) {
    if stream == self.stream { lastAnswer = pa_rtclock_now() }
  }

  /// Whether the server answers.
  var isAnswering: Bool {
    pa_rtclock_now() < lastAnswer + (quiet.peak == nil ? Self.patience : Self.quietPatience)
  }

  /// Copies the frames that have arrived. Never waits.
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
      // A gap. Silence in its place would be audio that was never recorded.
      clock.skip(frames)
      lostFrames += frames
      return
    }
    let time = clock.arrive(frames, at: AVAudioTime.now)
    let isDue = quiet.take(
      UnsafeBufferPointer(start: samples, count: frames * Int(source.channelCount)),
      seconds: Double(frames) / format.sampleRate)
    adjust()
    guard let delivery else { return }
    lostFrames += delivery.write(
      samples, frames: frames, sampleTime: time, isDue: isDue, hostTime: clock.hostTime)
  }

  /// The source was suspended or resumed.
  func interrupt() { clock.interrupt() }

  /// Ends the stream. The delivery ends when the tap has received everything.
  func end() {
    read()
    pa_stream_set_read_callback(stream, nil, nil)
    pa_stream_set_latency_update_callback(stream, nil, nil)
    pa_stream_set_state_callback(stream, nil, nil)
    pa_stream_set_suspended_callback(stream, nil, nil)
    pa_stream_set_moved_callback(stream, nil, nil)
    pa_stream_disconnect(stream)
    delivery?.close()
  }
}
