import Foundation

/// A sound server of one test: PulseAudio without a sound card, in a folder of its own.
///
/// What is played into its null sink `mic` can be recorded from `mic.monitor`. There is one at a time in a process: the
/// engines of two tests would hear each other's notifications.
package final class PulseServer {
  private static let turn = Turn()

  /// A folder of its own, removed with it.
  package let folder: URL
  /// As `PULSE_SERVER` spells it.
  package var address: String { "unix:\(socket.path)" }

  private var socket: URL { folder.appendingPathComponent("native") }
  private var process: ChildProcess?

  /// Waits for its turn, starts the server, with the null sink if it is to have one, and waits until it answers.
  package init(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) async throws {
    await Self.turn.begin()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try start(rate: rate, channels: channels, hasSink: hasSink)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(at: folder)
    Self.turn.end()
  }

  /// Without `norewinds` a null sink computes two seconds ahead, and its monitor misses how they change.
  package func start(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    try? FileManager.default.removeItem(at: socket)
    let sink = ["-L", "module-null-sink sink_name=mic rate=\(rate) channels=\(channels) norewinds=1"]
    process = try run(
      ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error"]
        + (hasSink ? sink : [])
        + ["-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket.path)"])
    let deadline = Date(timeIntervalSinceNow: 120)
    while (try? control("info")) == nil {
      guard Date() < deadline else { throw CocoaError(.executableNotLoadable) }
      usleep(20_000)
    }
  }

  /// Ends the server at once, as a crash would.
  package func kill() { process = nil }

  /// Makes the server hang, or go on.
  package func suspend(_ suspended: Bool) { process?.signal(suspended ? SIGSTOP : SIGCONT) }

  /// What `pactl` prints; throws if it fails.
  @discardableResult
  package func control(_ arguments: String...) throws -> String {
    let output = folder.appendingPathComponent("pactl-\(UUID().uuidString)")
    let descriptor = open(output.path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard try run(["pactl"] + arguments, output: descriptor).succeeds() else {
      throw CocoaError(.featureUnsupported)
    }
    return try String(contentsOf: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Plays a sound file into the null sink; the program that does it.
  package func play(_ file: URL, to sink: String = "mic") throws -> ChildProcess {
    try run(["paplay", "--device=\(sink)", file.path])
  }

  private func run(_ command: [String], output: Int32? = nil) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.path
    environment["XDG_RUNTIME_DIR"] = folder.path
    environment["PULSE_SERVER"] = address
    return try ChildProcess(command, environment: environment, output: output)
  }
}
