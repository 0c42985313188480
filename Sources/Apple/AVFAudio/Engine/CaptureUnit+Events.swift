import CPulse

/// The callbacks of libpulse. It calls them on its own thread and holds the lock.
extension CaptureUnit {
  private static func at(_ data: UnsafeMutableRawPointer?) -> CaptureUnit? {
    data.map { Unmanaged<CaptureUnit>.fromOpaque($0).takeUnretainedValue() }
  }

  private var owner: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func setCallbacks(of stream: OpaquePointer) {
    pa_stream_set_read_callback(stream, { _, _, owner in CaptureUnit.at(owner)?.read() }, owner)
    pa_stream_set_latency_update_callback(stream, { CaptureUnit.at($1)?.recording?.answered($0) }, owner)
    pa_stream_set_state_callback(stream, { CaptureUnit.at($1)?.streamChanged($0) }, owner)
    pa_stream_set_suspended_callback(stream, { CaptureUnit.at($1)?.suspended($0) }, owner)
    pa_stream_set_moved_callback(stream, { CaptureUnit.at($1)?.moved($0) }, owner)
  }

  private func read() {
    recording?.read()
    connection.nap = recording?.nap ?? 0
  }

  /// Handles an event of the connection.
  func receive(_ event: PulseConnection.Event) {
    switch event {
    case .lost:
      let source = recording?.source
      let actions = state.serverLost()
      _ = end()
      // Wait for the server to return only if a recording was running.
      if state.isWaitingForSource { connection.watch() }
      perform(actions, source: source)
    case .ready: lookForSource()
    case .sourceAdded:
      perform(state.sourceAdded())
      lookForSource()
    case .sourcesChanged: lookForSource()
    }
  }

  /// Asks the server for a source, if the recording ended by itself.
  private func lookForSource() {
    guard state.isWaitingForSource else { return }
    let name = wanted ?? PulseConnection.chosenByUser ?? PulseConnection.defaultSource
    ask(
      pa_context_get_source_info_by_name(
        connection.context, name,
        { _, info, _, owner in
          guard info != nil, let unit = CaptureUnit.at(owner) else { return }
          unit.perform(unit.state.sourceFound())
        }, owner))
  }

  private func streamChanged(_ stream: OpaquePointer?) {
    connection.signal()
    guard let recording, recording.stream == stream, let stream else { return }
    let current = pa_stream_get_state(stream)
    guard state.isRunning, current == PA_STREAM_FAILED || current == PA_STREAM_TERMINATED else { return }
    let actions = state.sourceLost()
    _ = end()
    perform(actions, source: recording.source)
    lookForSource()
  }

  private func suspended(_ stream: OpaquePointer?) {
    guard let recording, let stream, recording.stream == stream else { return }
    recording.interrupt()
    perform(state.suspended(pa_stream_is_suspended(stream) == 1), source: recording.source)
  }

  private func moved(_ stream: OpaquePointer?) {
    guard let recording, let stream, recording.stream == stream else { return }
    ask(
      pa_context_get_source_info_by_index(
        connection.context, pa_stream_get_device_index(stream),
        { _, info, _, owner in
          guard let info, let unit = CaptureUnit.at(owner) else { return }
          unit.moved(to: CaptureDevice(info.pointee))
        }, owner))
  }

  private func moved(to source: CaptureDevice) {
    guard let before = recording?.source, before.name != source.name else { return }
    recording?.source = source
    perform(state.moved(formatChanged: before.format != source.format), source: before)
    if !state.isRunning { _ = end() }
  }

  private func ask(_ operation: OpaquePointer?) {
    if let operation { pa_operation_unref(operation) }
  }
}
