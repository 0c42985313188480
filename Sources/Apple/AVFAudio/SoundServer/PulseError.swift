import AudioDecoding
import CPulse

/// Makes the errors of the sound server. Each says what to do.
enum PulseError {
  private static let choose = "`pactl list short sources` lists the sources, PULSE_SOURCE chooses one"

  /// There is no connection. `code` is libpulse's error; nil for a timeout.
  static func connection(_ code: Int32?) -> NSError {
    guard let code, code != Int32(PA_ERR_TIMEOUT.rawValue) else {
      return AudioError.make(.unspecified, "cannot record: the sound server does not answer; restart it")
    }
    let cause = text(code)
    if code == Int32(PA_ERR_ACCESS.rawValue) || code == Int32(PA_ERR_AUTHKEY.rawValue) {
      return AudioError.make(
        .permission,
        "cannot record: the sound server refuses this program (\(cause)); run it as the user whose server it is, "
          + "or name the server's cookie with PULSE_COOKIE")
    }
    return AudioError.make(
      .unspecified,
      "cannot record: no sound server (\(cause)); start one with `systemctl --user start pipewire-pulse` or "
        + "`pulseaudio --start`, or name one with PULSE_SERVER")
  }

  /// The source does not exist. `name` is nil for the default source.
  static func noSource(_ name: String?) -> NSError {
    let what = name.map { "no source named \($0)" } ?? "no source"
    return AudioError.make(
      .unspecified, "cannot record: the sound server has \(what); connect a microphone (\(choose))")
  }

  /// The source could not be opened.
  static func source(_ name: String, _ code: Int32) -> NSError {
    AudioError.make(
      code == Int32(PA_ERR_ACCESS.rawValue) ? .permission : .unspecified,
      "cannot record from \(name): \(text(code)); try another source (\(choose))")
  }

  /// The default output could not be opened.
  static func output(_ code: Int32) -> NSError {
    AudioError.make(
      code == Int32(PA_ERR_ACCESS.rawValue) ? .permission : .unspecified,
      "cannot play: \(text(code)); try another output (`pactl list short sinks` lists the outputs, PULSE_SINK chooses one)"
    )
  }

  /// The tap has another sample rate than the source.
  static func rate(of tap: Double, source: CaptureDevice) -> NSError {
    AudioError.make(
      .badParameter,
      "cannot record from \(source.name): its sample rate is \(source.sampleRate) Hz and that of the tap is \(tap) Hz; "
        + "remove the tap and install it with `outputFormat(forBus: 0)` or with no format")
  }

  /// `stop()` was called while `start()` was running.
  static let stopped = AudioError.make(.unspecified, "cannot record: the engine was stopped while it started")

  private static func text(_ code: Int32) -> String { String(cString: pa_strerror(code)) }
}
