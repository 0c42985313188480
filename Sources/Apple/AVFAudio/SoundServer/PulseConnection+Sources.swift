import CPulse

extension PulseConnection {
  /// The answer to a request for sources so far.
  private final class Reply {
    var sources: [CaptureDevice] = []
    /// Zero or libpulse's error.
    var error: Int32 = 0
    let connection: PulseConnection

    init(_ connection: PulseConnection) { self.connection = connection }
  }

  private static let receive: pa_source_info_cb_t = { context, info, end, data in
    guard let data else { return }
    let reply = Unmanaged<Reply>.fromOpaque(data).takeUnretainedValue()
    if let info, end == 0 { reply.sources.append(CaptureDevice(info.pointee)) }
    if end < 0 { reply.error = pa_context_errno(context) }
    if end != 0 { reply.connection.signal() }
  }

  /// Returns all sources of the server. The caller holds the lock and is not a callback; the connection is ready.
  func sources(by deadline: pa_usec_t) throws -> [CaptureDevice] {
    try ask(by: deadline) { pa_context_get_source_info_list($0, Self.receive, $1) }.sources
  }

  /// Returns the source with this name, or the default source for nil. The caller holds the lock and is not a callback; the
  /// connection is ready. Throws `PulseError.noSource` if there is none.
  func source(named name: String?, by deadline: pa_usec_t) throws -> CaptureDevice {
    let name = name ?? Self.chosenByUser
    let reply = try ask(by: deadline) {
      pa_context_get_source_info_by_name($0, name ?? Self.defaultSource, Self.receive, $1)
    }
    guard let source = reply.sources.first else {
      throw reply.error == Int32(PA_ERR_NOENTITY.rawValue)
        ? PulseError.noSource(name) : PulseError.source(name ?? "the default source", reply.error)
    }
    return source
  }

  /// The server's name for its default source.
  static let defaultSource = "@DEFAULT_SOURCE@"

  /// The server's name for the monitor of its default output.
  static let defaultMonitor = "@DEFAULT_MONITOR@"

  /// The source that the environment variable `PULSE_SOURCE` names.
  static var chosenByUser: String? {
    getenv("PULSE_SOURCE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func ask(
    by deadline: pa_usec_t, _ question: (OpaquePointer?, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws -> Reply {
    let reply = Reply(self)
    let operation = question(context, Unmanaged.passUnretained(reply).toOpaque())
    guard let operation else { throw PulseError.connection(context.map { pa_context_errno($0) }) }
    defer {
      // After this the reply no longer exists, so a late answer must not arrive.
      pa_operation_cancel(operation)
      pa_operation_unref(operation)
    }
    let isDone = wait(by: deadline) { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
    guard isDone, pa_operation_get_state(operation) == PA_OPERATION_DONE else {
      throw PulseError.connection(isDone ? Int32(PA_ERR_CONNECTIONTERMINATED.rawValue) : nil)
    }
    return withExtendedLifetime(reply) { reply }
  }
}
