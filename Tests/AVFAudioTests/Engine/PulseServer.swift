import Foundation

/// A sound server of one test: PulseAudio without a sound card, in a folder of its own.
///
/// What is played into its null sink `mic` can be recorded from `mic.monitor`.
final class PulseServer {
  let folder: TemporaryFolder
  /// As `PULSE_SERVER` spells it.
  var address: String { "unix:\(socket.path)" }

  private var socket: URL { folder.file("native") }
  private var process: ChildProcess?

  /// Starts the server, with the null sink if it is to have one, and waits until it answers.
  init(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    folder = try TemporaryFolder()
    try start(rate: rate, channels: channels, hasSink: hasSink)
  }

  /// Without `norewinds` a null sink computes two seconds ahead, and its monitor misses how they change.
  func start(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    try? FileManager.default.removeItem(at: socket)
    let sink = ["-L", "module-null-sink sink_name=mic rate=\(rate) channels=\(channels) norewinds=1"]
    process = try run(
      ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error"]
        + (hasSink ? sink : [])
        + ["-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket.path)"])
    let deadline = Date(timeIntervalSinceNow: 20)
    while (try? control("info")) == nil {
      guard Date() < deadline else { throw CocoaError(.executableNotLoadable) }
      usleep(20_000)
    }
  }

  /// Ends the server at once, as a crash would.
  func kill() { process = nil }

  /// Makes the server hang, or go on.
  func suspend(_ suspended: Bool) { process?.signal(suspended ? SIGSTOP : SIGCONT) }

  /// What `pactl` prints; throws if it fails.
  @discardableResult
  func control(_ arguments: String...) throws -> String {
    let output = folder.file("pactl-\(UUID().uuidString)")
    let descriptor = open(output.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard try run(["pactl"] + arguments, output: descriptor).succeeds() else {
      throw CocoaError(.featureUnsupported)
    }
    return try String(contentsOf: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Plays a sound file into the null sink; the program that does it.
  func play(_ file: URL, to sink: String = "mic") throws -> ChildProcess {
    try run(["paplay", "--device=\(sink)", file.path])
  }

  private func run(_ command: [String], output: Int32? = nil) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.url.path
    environment["XDG_RUNTIME_DIR"] = folder.url.path
    environment["PULSE_SERVER"] = address
    return try ChildProcess(command, environment: environment, output: output)
  }
}
