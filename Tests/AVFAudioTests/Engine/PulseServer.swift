import Foundation

/// A sound server of one test: PulseAudio without a sound card, in a folder of its own.
///
/// What is played into its null sink `mic` can be recorded from `mic.monitor`.
final class PulseServer {
  let folder: TemporaryFolder
  /// As `PULSE_SERVER` spells it.
  var address: String { "unix:\(socket.path)" }

  private var socket: URL { folder.file("native") }
  private var process: Process?

  /// Starts the server, with the null sink if it is to have one, and waits until it answers.
  init(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    folder = try TemporaryFolder()
    try start(rate: rate, channels: channels, hasSink: hasSink)
  }

  deinit { kill() }

  func start(rate: Int = 16_000, channels: Int = 1, hasSink: Bool = true) throws {
    try? FileManager.default.removeItem(at: socket)
    let sink = ["-L", "module-null-sink sink_name=mic rate=\(rate) channels=\(channels)"]
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
  func kill() {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  /// Makes the server hang, or go on.
  func suspend(_ suspended: Bool) throws {
    guard let process else { throw CocoaError(.featureUnsupported) }
    Foundation.kill(process.processIdentifier, suspended ? SIGSTOP : SIGCONT)
  }

  /// What `pactl` prints.
  @discardableResult
  func control(_ arguments: String...) throws -> String {
    let pipe = Pipe()
    let process = try run(["pactl"] + arguments, output: pipe)
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Plays a sound file into the null sink; the process that does it.
  func play(_ file: URL, to sink: String = "mic") throws -> Process {
    try run(["paplay", "--device=\(sink)", file.path])
  }

  private func run(_ command: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.url.path
    environment["XDG_RUNTIME_DIR"] = folder.url.path
    environment["PULSE_SERVER"] = address
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
